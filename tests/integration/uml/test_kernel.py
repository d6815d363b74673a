# SPDX-License-Identifier: GPL-2.0-or-later
"""The gateway on the kernel's SCTP: stream counts, checksums, and its meeting with the embedded transport."""
import pytest

from conftest import Ports, sim_args, two_as_config, wait_for
from two_paths import EXEC, needs_kernel, sysctl, two_paths  # noqa: F401 (a fixture)

pytestmark = needs_kernel

FLOWS = ["--flow", "from=hlr,to=msc,rate=100,sls=0-15", "--flow", "from=msc,to=hlr,rate=100,sls=0-15"]


def active(daemon):
    return all(asp["state"] == "ASP-ACTIVE" for asp in daemon.show("show asp")["asps"])


@pytest.mark.parametrize("ours,theirs", [(1, 1), (2, 2), (65535, 65535), (1, 65535), (65535, 2)])
def test_any_number_of_streams(start_daemon, start_sim, ours, theirs):
    """What the peer sends on is the lesser of what it asked for and what we allow, and the other way round."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, transport="kernel", asps=1,
                                        sctp=f"out-streams = {ours}; max-in-streams = {ours};"), ports.console)
    run = start_sim(sim_args(ports, transport="kernel", asps=1) + FLOWS +
                    ["--streams", theirs, "--max-in-streams", theirs, "--duration", 2])
    wait_for(lambda: active(daemon), 10, "all ASPs are active")
    one = daemon.show("show association hlr-1")["association"]
    assert one["streams-in"] == one["streams-out"] == min(ours, theirs)
    status, verdict, text = run.finish()
    assert status == 0, text
    assert all(a["in_streams"] == a["out_streams"] == min(ours, theirs) for a in verdict["asps"])


def test_the_loopback_computes_no_checksums(start_daemon, start_sim):
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, transport="kernel", asps=1), ports.console)
    run = start_sim(sim_args(ports, transport="kernel", asps=1) + FLOWS + ["--duration", 2])
    wait_for(lambda: active(daemon), 10, "all ASPs are active")
    shown = daemon.show("show sctp offload")
    assert next(d for d in shown["devices"] if d["name"] == "lo")["offload"] == "yes", shown
    assert {a["transport"] for a in shown["associations"]} == {"kernel"}, shown
    status, _, text = run.finish()
    assert status == 0, text


@pytest.mark.parametrize("gateway,peers", [("kernel", "embedded"), ("embedded", "kernel")])
@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_the_kernel_and_the_embedded_transport_meet_in_udp(start_daemon, start_sim, two_paths, gateway, peers,  # noqa: F811
                                                           family):
    """RFC 6951: the kernel encapsulates in UDP, too, with checksums of its own making."""
    links = two_paths(family)
    ports = Ports()
    prefix, here, there = ((), ports.udp, ports.local_udp) if gateway == "kernel" else (EXEC, ports.local_udp, ports.udp)
    sysctl(f"net.sctp.encap_port={there}", prefix)
    sysctl(f"net.sctp.udp_port={here}", prefix)
    try:
        daemon = start_daemon(two_as_config(ports, transport=gateway, address=links.near[0], peers=links.far[0]),
                              ports.console)
        run = start_sim(sim_args(ports, transport=peers, address=links.near[0], local=links.far[0]) +
                        [a + ",size=24-2000" if "=" in a else a for a in FLOWS] + ["--duration", 3], prefix=EXEC)
        status, verdict, text = run.finish()
        assert status == 0 and verdict["totals"]["received"] > 500, text
        assert {a["transport"] for a in daemon.show("show association")["associations"]} <= {gateway}
    finally:
        sysctl("net.sctp.udp_port=0", prefix)
        sysctl("net.sctp.encap_port=0", prefix)
