# SPDX-License-Identifier: GPL-2.0-or-later
"""SCTP directly in IP by the embedded transport (only where the kernel has no SCTP of its own)."""
from conftest import Ports, sim_args, two_as_config, wait_for


def test_raw_sctp_between_two_namespaces(start_daemon, start_sim, namespaces):
    """The embedded transport directly in IP, protocol 132: no UDP."""
    (ns_a, addr_a), (ns_b, addr_b) = namespaces
    ports = Ports()
    config = two_as_config(ports, transport="embedded", address=addr_a, peers=addr_b).replace(
        'name = "asps"; transport', 'name = "asps"; encapsulation = "raw"; transport')
    daemon = start_daemon(config, ports.console, prefix=("ip", "netns", "exec", ns_a))
    wait_for(lambda: "listening" in daemon.log(), 15, "signalboxd listens")
    run = start_sim(sim_args(ports, transport="embedded", address=addr_a) + ["--encap", "raw"] + [
        "--flow", "from=hlr,to=msc,rate=500,sls=0-15", "--flow", "from=msc,to=hlr,rate=500,sls=0-15", "--duration", 3], prefix=("ip", "netns", "exec", ns_b))
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass", text
