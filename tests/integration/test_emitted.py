# SPDX-License-Identifier: GPL-2.0-or-later
"""What really goes over the wire between the daemon and ss7sim decodes in Wireshark's dissector without a complaint."""
import signal
import socket
import subprocess
import sys

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TOP, TRANSPORT, Ports, sim_args, two_as_config, wait_for
from test_scenarios import SCENARIOS, fill_in, headers
from test_ss7 import Lab

sys.path.insert(0, str(TOP / "tests" / "tools"))
from tshark_oracle import _dissect, tshark_check_pcap  # noqa: E402

LAST = b"this is the last datagram"


@pytest.fixture
def capture(tmp_path):
    """capture("udp port N") -> path of what the loopback carries until stop() is called."""
    running = []

    def start(text):
        path = tmp_path / "wire.pcap"
        err = open(tmp_path / "dumpcap.err", "wb+")
        proc = subprocess.Popen(["dumpcap", "-q", "-P", "-i", "lo", "-f", text, "-w", str(path)],
                                stdout=subprocess.DEVNULL, stderr=err)
        running.append(proc)
        wait_for(lambda: path.exists() and path.stat().st_size > 0, 10, "dumpcap writes")

        def stop():
            """Not before all has been written that was sent until now: the last of it is a datagram that says so."""
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
                s.sendto(LAST, ("127.0.0.1", int(text.split()[-1])))
            wait_for(lambda: LAST in path.read_bytes(), 10, "dumpcap has written all")
            proc.send_signal(signal.SIGINT)
            proc.wait(10)
            return path
        return stop

    yield start
    for proc in running:
        if proc.poll() is None:
            proc.kill()
            proc.wait()


def types_seen(path, udp_port):
    """(class, type) of every M3UA message in a capture."""
    return types_in(_dissect(path, udp_port))


def types_in(dissected):
    seen = set()
    for packet in dissected.iter("packet"):
        for m3ua in packet.iter("proto"):
            if m3ua.get("name") == "m3ua":
                values = {f.get("name"): int(f.get("show")) for f in m3ua.iter("field")
                          if f.get("name") in ("m3ua.message_class", "m3ua.message_type")}
                seen.add((values["m3ua.message_class"], values["m3ua.message_type"]))
    return seen


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
def test_a_life_of_two_ass_decodes(start_daemon, start_sim, capture):
    """Coming up, traffic, an ASP leaving and returning, an AS going away (DUNA) and coming back (DAVA), leave-taking."""
    ports = Ports()
    stop = capture(f"udp port {ports.udp}")
    daemon = start_daemon(two_as_config(ports, extra_as="recovery-time = 200;"), ports.console)
    rate = 20 / PATIENCE
    run = start_sim(sim_args(ports) + [
        "--flow", f"from=hlr,to=msc,rate={rate:g},sls=0-15,size=ss7", "--flow", f"from=msc,to=hlr,rate={rate:g},sls=0-15",
        "--at", "1s:msc-1:aspia", "--at", "2s:msc-1:aspac", "--at", "3s:msc:aspdn", "--at", "4s:msc:aspup",
        "--duration", 6])
    status, _, text = run.finish()
    assert status in (0, 1), text  # while msc was away its messages were lost, as they should be
    assert daemon.stop() == 0
    path = stop()
    assert tshark_check_pcap(path, udp_port=ports.udp) == []
    wanted = {"DATA": (1, 1), "DUNA": (2, 1), "DAVA": (2, 2), "ASPUP ACK": (3, 4), "ASPDN ACK": (3, 5),
              "ASPAC ACK": (4, 3), "ASPIA ACK": (4, 4), "NTFY": (0, 1)}
    seen = types_seen(path, ports.udp)
    assert not [name for name, code in wanted.items() if code not in seen]


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
@pytest.mark.parametrize("variant", ["itu", "ansi", "china"])
def test_what_goes_over_links_decodes(start_daemon, start_sim, capture, variant):
    """A link that is lost and comes back, prohibited destinations both ways."""
    net = Lab(start_daemon, start_sim, variant)
    stop = capture(f"udp port {net.ports.udp}")
    run = net.start(flows=net.both_ways(rate=20 / PATIENCE), duration=3, events=(
        "300ms:stp.0:drop", "500ms:stp:tfp=3-3-3", "800ms:stp:tfa=3-3-3", "1s:stp.0:connect", "1200ms:msc:aspia",
        "1800ms:msc:aspac"))
    net.judged(run)
    assert net.daemon.stop() == 0
    assert tshark_check_pcap(stop(), udp_port=net.ports.udp) == []


def management_in(dissected):
    """Group and message (H0, H1 of Q.704 s.15) of everything that MTP3 management says in it."""
    seen = set()
    for packet in dissected.iter("packet"):
        for mtp3mg in packet.iter("proto"):
            if mtp3mg.get("name") == "mtp3mg":
                names = {f.get("name").split(".")[-1]: int(f.get("show"), 0) for f in mtp3mg.iter("field")
                         if f.get("name", "").startswith("mtp3mg.") and f.get("name").endswith(("h0", "h1"))}
                seen.add((names.pop("h0"), *names.values()))
    return seen


SSNM = {"DUNA": (2, 1), "DAVA": (2, 2), "SCON": (2, 4), "DUPU": (2, 5), "DRST": (2, 6)}
SNM = {"RCT": (3, 1), "TFC": (3, 2), "TFP": (4, 1), "TFR": (4, 3), "TFA": (4, 5), "UPU": (10, 1)}


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
@pytest.mark.parametrize("name,said", [
    ("transfer-becomes-ssnm", "TFP DUNA TFR DRST TFA DAVA"), ("as-down-and-up", "TFP TFA DUNA DAVA"),
    ("upu-becomes-dupu", "UPU DUPU"), ("tfc-becomes-scon", "TFC SCON"), ("tfc-level-abates", "TFC SCON RCT"),
    ("scon-becomes-tfc", "SCON TFC"), ("scon-level-becomes-tfc", "SCON TFC"),
    ("news-from-behind-an-sg", "DUPU UPU SCON TFC")])
def test_what_goes_between_ss7_and_m3ua_decodes(name, said, start_daemon, capture):
    """The interworking scenarios on the wire: no complaint, down into what level 3 says."""
    path, ports = SCENARIOS / "interworking" / f"{name}.scn", Ports()
    stop = capture(f"udp port {ports.udp}")
    config = (SCENARIOS / "configs" / (headers(path)["config"] + ".conf")).read_text()
    daemon = start_daemon(fill_in(config, ports, TRANSPORT), ports.console)
    wait_for(lambda: ": listening" in daemon.log(), 15, "it listens")
    subprocess.run([str(BUILD / "ss7sim"), "--script", str(path), "--quiet", "--patience", str(SCRIPT_PATIENCE), "--transport",
                    TRANSPORT, "--gateway", "127.0.0.1", "--port", str(ports.gateway), "--udp-port", str(ports.udp),
                    "--local-udp-port", str(ports.local_udp), "--set", f"peer={ports.peer}"],
                   check=True, timeout=60 * PATIENCE, stdin=subprocess.DEVNULL)
    assert daemon.stop() == 0
    wire = stop()
    assert tshark_check_pcap(wire, udp_port=ports.udp, management="ITU") == []
    dissected = _dissect(wire, ports.udp, "ITU")
    types, management = types_in(dissected), management_in(dissected)
    seen = {name for name, code in SSNM.items() if code in types} | {name for name, code in SNM.items() if code in management}
    assert set(said.split()) <= seen
