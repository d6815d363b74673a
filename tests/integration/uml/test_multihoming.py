# SPDX-License-Identifier: GPL-2.0-or-later
"""Associations of two paths under traffic: a path that fails costs nothing, all paths cost the association and no more."""
import pytest

from conftest import PATIENCE, Ports, sim_args, two_as_config, wait_for
from two_paths import EXEC, needs_kernel, two_paths  # noqa: F401 (a fixture)

pytestmark = needs_kernel

FLOWS = ["--flow", "from=hlr,to=msc,rate=100,sls=0-15,size=ss7", "--flow", "from=msc,to=hlr,rate=100,sls=0-15,size=ss7"]
QUICK = "heartbeat = 500;"
PATIENT = QUICK + " path-retransmissions = 20; association-retransmissions = 40;"
# 100 + 200 + 400 + 5 * 800 ms of retransmissions (RTO and association-retransmissions by default), and a heartbeat
SECONDS_TO_NOTICE = 6


class Rig:
    """A gateway here and ss7sim at the far end of the paths, both on both."""

    def __init__(self, links, start_daemon, start_sim, sctp=QUICK, **config):
        self.links, self.start_sim, self.ports = links, start_sim, Ports()
        self.daemon = start_daemon(
            two_as_config(self.ports, transport="kernel", asps=1, address=",".join(links.near), peers=",".join(links.far),
                          sctp=sctp, **config), self.ports.console)

    def sim(self, *more):
        args = sim_args(self.ports, transport="kernel", asps=1, address=",".join(self.links.near),
                        local="/".join(self.links.far)) + ["--heartbeat", 500] + FLOWS
        return self.start_sim(args + list(more), prefix=EXEC)

    def asp(self, name="hlr-1"):
        return self.daemon.show(f"show asp {name}")["asp"]["state"]

    def as_state(self, name="hlr"):
        return self.daemon.show(f"show as {name}")["application-server"]["state"]

    def path(self, i, name="hlr-1"):
        rows = self.daemon.show(f"show association {name} paths")["paths"]
        return next(row["state"] for row in rows if row["address"] == self.links.far[i])

    def sent(self):
        return self.daemon.show("show statistics")["totals"]["counters"]["tx-data"]

    def wait_traffic(self):
        before = self.sent()
        wait_for(lambda: self.sent() > before + 50, 10, "traffic flows")

    def wait_active(self, seconds=10):
        wait_for(lambda: self.asp("hlr-1") == self.asp("msc-1") == "ASP-ACTIVE", seconds, "both ASPs are active")


@pytest.fixture
def rig(start_daemon, start_sim, two_paths):  # noqa: F811
    return lambda family="ipv4", **config: Rig(two_paths(family), start_daemon, start_sim, **config)


def finished(run):
    """Ends the traffic; the verdict."""
    run.proc.terminate()
    return run.finish(20)


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_each_path_in_turn_is_cut_and_nothing_is_lost(rig, family):
    r = rig(family)
    run = r.sim()
    r.wait_active()
    cuts = ((0, lambda: r.links.cut(0), lambda: r.links.mend(0)),
            (1, lambda: r.links.impair("loss 100%", [1]), r.links.clear))
    for i, cut, mend in cuts:
        assert r.path(i) == "active"
        r.wait_traffic()
        cut()
        wait_for(lambda: r.path(i) == "unreachable", 5, f"path {i} is unreachable")
        assert r.path(1 - i) == "active" and r.asp() == "ASP-ACTIVE"
        r.wait_traffic()
        mend()
        wait_for(lambda: r.path(i) == "active", 5, f"path {i} is active again")
    r.wait_traffic()
    status, verdict, text = finished(run)
    assert status == 0 and verdict["totals"]["received"] > 300, text
    assert all(a["associations"] == 1 for a in verdict["asps"]), text


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_without_any_path_the_association_ends_and_comes_back(rig, family):
    r = rig(family, extra_as="recovery-time = 1000;")
    run = r.sim()
    r.wait_active()
    r.wait_traffic()
    r.links.cut(0, 1)
    wait_for(lambda: r.asp() == "ASP-DOWN", SECONDS_TO_NOTICE / PATIENCE * 1.5, "the ASP is down", every=0)
    seen = r.as_state()
    assert seen in ("AS-PENDING", "AS-DOWN"), seen
    wait_for(lambda: r.as_state() == "AS-DOWN", 5, "T(r) has expired")
    r.links.mend(0, 1)
    r.wait_active(20)
    r.wait_traffic()
    _, verdict, text = finished(run)
    # What was under way is lost, and what came meanwhile; nothing comes twice or in another order.
    assert {reason["reason"] for reason in verdict["reasons"]} <= {"lost", "unsent"}, text
    assert all(a["associations"] == 2 and a["state"] == "active" for a in verdict["asps"]), text


def test_lossy_links_with_a_delay_lose_and_reorder_nothing(rig):
    r = rig()
    r.links.impair("delay 10ms 2ms loss 1%")
    status, verdict, text = r.sim("--duration", 6).finish(60)
    assert status == 0 and verdict["totals"]["received"] > 1000, text
    assert all(flow["latency_ns"]["p50"] > 20e6 for flow in verdict["flows"]), "netem was not in the way"


def test_a_killed_peer_that_starts_again_at_once_is_served_at_once(rig):
    r = rig()
    run = r.sim()
    for _ in range(2):
        r.wait_active()
        r.wait_traffic()
        run.proc.kill()
        run.proc.wait()
        run = r.sim()
    r.wait_active()
    status, verdict, text = finished(run)
    assert status == 0 and verdict["totals"]["received"] > 0, text


def test_a_host_that_vanishes_and_is_back_restarts_the_association(rig):
    """It said no farewell and has forgotten everything: its INIT meets the old association (RFC 9260 s.5.2.2)."""
    r = rig(sctp=PATIENT)
    run = r.sim()
    r.wait_active()
    r.wait_traffic()
    r.links.remove()
    run.proc.kill()
    run.proc.wait()
    # nothing gets through before the INITs are under way: to anything else the host would answer with ABORT
    r.links.build("loss 100%")
    run = r.sim("--duration", 3)
    wait_for(lambda: r.links.far_associations() == 2, 10, "both peers send INIT")
    r.links.clear()
    status, verdict, text = run.finish(30)
    assert status == 0 and verdict["totals"]["received"] > 300, text
    assert all(a["associations"] == 1 for a in verdict["asps"]), text
    assert r.daemon.log().count("the peer restarted the association") == 2, r.daemon.log()
