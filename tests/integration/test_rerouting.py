# SPDX-License-Identifier: GPL-2.0-or-later
"""Changes of route under traffic (Q.704 s.6.4, 7, 8): whatever brings them about, nothing is lost, repeated or reordered."""
import re
import signal

import pytest

from conftest import PATIENCE, TRANSPORT, wait_for
from intruders import drops
from test_mated import RATE, Pair, Stp, at, msus, verdict_of, via

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")

# Forced rerouting waits for nothing: what comes by the one way while what went before is still in the socket of the
# other is far apart, for this test sees the network's order, too.
SPARSE = 160  # messages/s on 16 SLSs
PASSED = 20 * PATIENCE


def destination(daemon, pc):
    rows = daemon.show("show destination")["destinations"]
    return next((row for row in rows if row["point-code"] == pc), {"via": None, "held": None})


def passes(run):
    status, verdict, text = verdict_of(run, 120)
    assert status == 0 and verdict["verdict"] == "pass", text
    return verdict


@pytest.mark.sanitized
@pytest.mark.parametrize("worse", ["tfp", "tfr"])
def test_a_destination_is_rerouted_and_comes_back(start_daemon, start_sim, worse):
    """3-3-3 by near; TFP or TFR: by far; TFA: by near again. TFR and TFA have the traffic wait for T6."""
    stp = Stp()
    gateway = start_daemon(stp.config.replace("mtp3 = {", "mtp3 = { restricted = true;"), stp.console)
    run = start_sim(stp.args() + ["--flow", f"from=src,to=near,rate={SPARSE},dpc=3-3-3"] +
                    at(f"1s:near:{worse}=3-3-3", "4s:near:tfa=3-3-3") + ["--duration", 7])
    for what, way, held in (("at first", "near", False), (worse, "far", False), ("tfa", "near", True), ("T6", "near", False)):
        wait_for(lambda: (destination(gateway, "3-3-3")["via"], destination(gateway, "3-3-3")["held"]) == ([way], held),
                 PASSED, what)
    got = msus(passes(run))
    assert got["near"] > 2 * SPARSE and got["far"] > SPARSE, got


def test_what_waits_has_a_bound(start_daemon, start_sim):
    """Five messages may wait; the others are discarded for a reason, and the order stays."""
    stp = Stp()
    config = stp.config.replace('adjacent = "2-2-2";', 'adjacent = "2-2-2"; pending-limit = 5;')
    gateway = start_daemon(config.replace("mtp3 = {", "mtp3 = { restricted = true;"), stp.console)
    run = start_sim(stp.args() + ["--flow", f"from=src,to=near,rate={SPARSE},dpc=3-3-3"] +
                    at("500ms:near:tfp=3-3-3", "2s:near:tfa=3-3-3") + ["--duration", 4])
    _, verdict, text = verdict_of(run)
    full = drops(gateway)["pending-full"]
    assert {r["reason"] for r in verdict["reasons"]} == {"lost"}, text
    assert verdict["totals"]["lost"] == full > 0, text


@pytest.mark.sanitized
@pytest.mark.parametrize("b_priority,all_ways", [(2, ["a"]), (1, ["a", "b"])])
def test_a_linkset_goes_and_comes_back(start_daemon, start_sim, b_priority, all_ways):
    """n prefers a for hlr, or shares what is for it between a and b. Its linkset to a is taken out of service, and back
    into it: the orders of the changeover take the way by b. a has to go by its mate meanwhile, too."""
    pair = Pair(start_daemon, b_priority=b_priority)
    n = pair.daemons["n"]
    run = pair.run(start_sim, duration=12)
    wait_for(lambda: via(n, "1-2-3") == all_ways and via(pair.daemons["a"], "1-2-4") == ["n"], PASSED, "all ways")
    pair.carries(RATE)
    n.run("enable", "linkset a deactivate")
    wait_for(lambda: via(n, "1-2-3") == ["b"] and via(pair.daemons["a"], "1-2-4") == ["mate"], PASSED, "the alternative")
    pair.carries(RATE)
    n.run("enable", "linkset a activate")
    wait_for(lambda: via(n, "1-2-3") == all_ways and via(pair.daemons["a"], "1-2-4") == ["n"], PASSED, "the first choice")
    assert all(asp["rx_data"] > RATE / 2 for asp in passes(run)["asps"])


def test_an_as_gives_way_to_a_linkset_and_comes_back(start_daemon, start_sim):
    """The ASP at a leaves: what n sends a for hlr goes by the mate; it is back: after T6 by itself."""
    pair = Pair(start_daemon, b_priority=2)
    run = pair.run(start_sim, *at("2s:hlr-1:aspia", "5s:hlr-1:aspac"), duration=8)
    a = pair.daemons["a"]
    for way in ("hlr", "mate", "hlr"):
        wait_for(lambda: via(a, "1-2-3") == [way], PASSED, way)
    assert all(asp["rx_data"] > RATE / 2 for asp in passes(run)["asps"])


def retrieved(log):
    return sum(int(n) for n in re.findall(r"link a-\d: (\d+) messages retrieved", log))


def test_what_a_lost_linkset_holds_goes_to_an_as(start_daemon, start_sim):
    """n prefers a for hlr, its own ASP is the alternative. a reads nothing for a moment, in which both links are aborted:
    what it has not read goes to the ASP, in front of what comes later (Q.704 s.5.5), and to a again when that is back.
    The orders of the changeover take the way by b."""
    pair = Pair(start_daemon, b_priority=3, here=True)
    n, a = pair.daemons["n"], pair.daemons["a"]
    run = pair.run(start_sim, "--flow", f"from=msc,to=hlr,rate={2 * RATE},size=250", duration=10)
    wait_for(lambda: via(n, "1-2-3") == ["a"] and via(n, "1-2-4") == ["msc"], PASSED, "all ways")
    pair.carries(RATE)
    console = n.console()
    console.run("enable")
    a.proc.send_signal(signal.SIGSTOP)
    try:
        wait_for(lambda: sum(console.json(f"show link a-{k}")["link"]["unacknowledged"] for k in (0, 1)) > 40, PASSED,
                 "a backlog")
        for k in (0, 1):
            console.run(f"link a-{k} restart")
    finally:
        a.proc.send_signal(signal.SIGCONT)
    console.close()
    wait_for(lambda: via(n, "1-2-3") == ["hlr"], PASSED, "the alternative")
    held = retrieved(n.log())
    wait_for(lambda: via(n, "1-2-3") == ["a"], PASSED, "the first choice")
    lost = [n.show(f"show link a-{k}")["link"]["level-3-counters"]["retrieved-lost"] for k in (0, 1)]
    asps = passes(run)["asps"]
    assert held and lost == [0, 0] and asps[2]["rx_data"], n.log()
