# SPDX-License-Identifier: GPL-2.0-or-later
"""A gateway for ss7sim's well-behaved ASs, hlr and msc, and for peers made by hand beside them: evil-0 to evil-5 at
127.0.0.2, which serve `ev` (RC 30, 1-2-5, loadshare, all six) and `ev2` (RC 31, 1-2-6, override, the first three)."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))

# pylint: disable=wrong-import-position
from conftest import Ports, sim_args, two_as_config, wait_for  # noqa: E402
from m3ua_peer import SctpPeer, TcpPeer, point_code  # noqa: E402

EVIL = "127.0.0.2"
N_EVIL = 6
PC_EV, PC_EV2 = point_code("1-2-5"), point_code("1-2-6")


def asp_names(numbers):
    return ", ".join(f'"evil-{i}"' for i in numbers)


def intruders_config(ports, extra="", **options):
    """`extra`: more Application Servers, each followed by a comma."""
    node = "shutdown-time = 200; " + options.pop("node", "")  # these peers take no leave
    config = two_as_config(ports, transport="embedded", node=node, **options)
    asps = "".join(f'{{ name = "evil-{i}"; remote-addresses = ( "{EVIL}" ); remote-port = {ports.peer + 4 + i}; }},\n'
                   for i in range(N_EVIL))
    config = config.replace("listeners = (", f'listeners = ( {{ name = "tcp"; transport = "tcp"; '
                                             f'addresses = ( "127.0.0.1" ); port = {ports.gateway}; }},', 1)
    config = re.sub(r"\nasps = \(", f"\nasps = ( {asps}", config)
    return config.replace("application-servers = (", f"""application-servers = (
  {{ name = "ev"; network = "national"; routing-context = 30; recovery-time = 500; asps = ( {asp_names(range(6))} );
    routing-keys = ( {{ dpc = "1-2-5"; }} ); }},
  {{ name = "ev2"; network = "national"; routing-context = 31; traffic-mode = "override"; recovery-time = 500;
    asps = ( {asp_names(range(3))} ); routing-keys = ( {{ dpc = "1-2-6"; }} ); }}, {extra}""", 1)


def intruder_ports():
    return Ports(peers=4 + N_EVIL)


def tcp_peer(ports, i, **options):
    return TcpPeer(ports.gateway, ports.peer + 4 + i, local=EVIL, **options)


def sctp_peer(ports, i, **options):
    return SctpPeer(ports.udp, ports.gateway, ports.peer + 4 + i, local=EVIL, **options)


def simulate(start_sim, daemon, ports, rate=300, seconds=5):
    """ss7sim's flows both ways between hlr and msc, once all four ASPs are active."""
    run = start_sim(sim_args(ports, transport="embedded") +
                    ["--flow", f"from=hlr,to=msc,rate={rate}", "--flow", f"from=msc,to=hlr,rate={rate}",
                     "--duration", seconds])
    wait_for(lambda: sum(a["state"] == "ASP-ACTIVE" for a in daemon.show("show asp")["asps"]
                         if not a["name"].startswith("evil")) == 4, 15, "four ASPs active")
    return run


def unharmed(run):
    status, _, text = run.finish()
    assert status == 0, text


def drops(daemon):
    """Every discarded message, by reason."""
    return {k: v for k, v in daemon.show("show statistics")["totals"]["drops"].items() if v}


def log_lines(daemon):
    return daemon.log().count("\n")


def resident_kib(daemon):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{daemon.proc.pid}/status").read_text()).group(1))
