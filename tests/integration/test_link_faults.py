# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that fail, pause or flap under load: what ss7sim's node does to them, and what an operator does."""
import signal
import subprocess

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TRANSPORT, Ports, free_port, wait_for
from test_ss7 import RATE, SLOW, Lab

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")


@pytest.fixture
def lab(start_daemon, start_sim):
    return lambda **kind: Lab(start_daemon, start_sim, **kind)


def link(net, n=0):
    return net.daemon.show(f"show link stp-{n}")["link"]


def forwarded(net):
    return sum(w["forwarded"] for w in net.daemon.show("show workers")["workers"])


def carries(net, more=RATE / 2):
    """Waits until the gateway has forwarded so many more messages."""
    enough = forwarded(net) + more
    wait_for(lambda: forwarded(net) > enough, 30, f"{more} more messages")


@pytest.mark.sanitized
def test_a_link_whose_test_fails_is_changed_over(lab):
    """The node reads nothing on one link for a while. The link test finds that before T7 does, and what the node had not
    read goes over the other link: the order says what was accepted (Q.707 s.2.2, Q.704 s.5.4)."""
    net = lab(l3="slt-t1 = 1000; slt-t2 = 200;", l2="t7 = 20000;", node=",t7=20s")
    node = net.passes(net.start(flows=net.both_ways(RATE // 4), events=("300ms:stp.0:stall", "4s:stp.0:resume"), duration=6))
    assert "stp-0: active -> waiting (link test failed)" in net.daemon.log()
    assert (node["links"][0]["in_service"], node["links"][1]["in_service"]) == (2, 1), node
    assert node["changeovers"] and node["changeover_unanswered"] == 0


def test_a_neighbour_that_is_away_is_logged_once(start_daemon):
    """Its link is tried for ever, by both sides' timers: told once, then counted."""
    port, console = free_port(2), free_port()
    rows = "".join(f'{{ name = "{side}"; slc = {n}; side = "{side}"; {more} remote-addresses = ( "127.0.0.1" ); remote-port = '
                   f'{port + n}; }}{comma}' for n, (side, more, comma) in enumerate((
                       ("client", f'transport = "{TRANSPORT}"; reconnect-min = 10; reconnect-max = 20;', ","),
                       ("server", "", ""))))
    daemon = start_daemon(f"""
console = {{ address = "127.0.0.1"; port = {console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
mtp3 = {{ t17 = 20; }};
sctp = {{ init-attempts = 1; init-timeout = 100; }};
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {free_port()};
  udp-port = {free_port()}; }} );
links = ( {rows} );
linksets = ( {{ name = "over"; network = "national"; adjacent = "2-2-2"; links = ( "client", "server" ); }} );
""", console)
    for name in ("client", "server"):
        wait_for(lambda name=name: daemon.show(f"show link {name}")["link"]["level-3-counters"]["failed-alignments"] > 9, 20,
                 "it is tried")
        assert daemon.log().count(f"link {name}: aligning -> waiting (no association)") == 1, daemon.log()
        assert daemon.log().count(f"link {name}: waiting -> aligning") == 0, daemon.log()
    wait_for(lambda: "link client: association down" in daemon.log(), what="an attempt to connect fails")
    assert daemon.log().count("link client: association down") == 1, daemon.log()


# Where the priority is M2PA's PRI (RFC 4165 s.2.3.1), and where it is in the SIO.
@pytest.mark.parametrize("variant,field", [("japan", "pri=3"), ("ansi", "mp=3"), ("itu", "pri=0 mp=0")])
def test_management_has_the_highest_priority(start_daemon, tmp_path, variant, field):
    ports = Ports()
    start_daemon(f"""
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "{variant}"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
mtp3 = {{ slt-t1 = 4000; }};
links = ( {{ name = "a"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer}; t4-emergency = 100; }} );
linksets = ( {{ name = "over"; network = "national"; adjacent = "2-2-2"; links = ( "a" ); }} );
""", ports.console)
    script = tmp_path / "priority.scn"
    script.write_text(f"""
purpose: management messages have the highest priority where there are priorities
clause: Q.704 s.2.3.5.1, RFC 4165 s.2.3.1
config: inline
variant: {variant}
endpoint a port=$peer
a ignore M2PA:ack M2PA:proving_normal M2PA:proving_emergency M2PA:out_of_service
a connect
a expect up within 5s
a expect M2PA link_status=alignment within 10s
a send M2PA link_status=alignment
a send M2PA link_status=proving_emergency
a expect M2PA link_status=ready within 5s
a send M2PA link_status=ready
a expect M2PA SLTM opc=1-1-1 dpc=2-2-2 {field} within 5s
""")
    done = subprocess.run(
        [str(BUILD / "ss7sim"), "--script", str(script), "--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port",
         str(ports.gateway), "--udp-port", str(ports.udp), "--local-udp-port", str(ports.local_udp), "--set",
         f"peer={ports.peer}", "--patience", str(SCRIPT_PATIENCE)],
        capture_output=True, text=True, timeout=60 * PATIENCE, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr


FAULTS = [("abort", "connect"), ("deactivate", "activate")]


@pytest.mark.parametrize("away,back", FAULTS)
def test_a_link_that_flaps_under_load_loses_nothing(lab, away, back):
    """Ten times: changeover, restoration, changeback; some of it ends in the midst of another."""
    net = lab(links=3)
    times = [f"{300 + 700 * n}ms:stp.{n % 2}:{away}" for n in range(10)]
    times += [f"{400 + 700 * n}ms:stp.{n % 2}:{back}" for n in range(10)]
    node = net.passes(net.start(events=times, duration=8 * SLOW))
    assert all(link["state"] == "in-service" for link in node["links"]) and node["links"][2]["in_service"] == 1, node
    assert node["changeovers"] >= 5 and node["changebacks"] and node["changeover_unanswered"] == 0, node


@pytest.mark.parametrize("period", [50, 170])
def test_links_that_flap_faster_than_they_align_lose_nothing(lab, period):
    net = lab(links=4)
    times = [f"{300 + period * n}ms:stp.{n % 3}:{'abort' if n % 6 < 3 else 'connect'}" for n in range(30)]
    node = net.passes(net.start(events=times, duration=(30 * period / 1000 + 3) * SLOW))
    assert all(link["state"] == "in-service" for link in node["links"]), node


# ---- processor outages (Q.704 s.5.6.2) ----

SHORT, LONG = 300, 2000  # T1 is 800 ms
FLIGHT = 0.25  # seconds of traffic that are on their way when an outage begins, at most


def only_the_flight_is_lost(net, verdict, text, flows=4):
    """What was on its way, or waited to be accepted, when a long outage began is flushed at its end (s.5.6.2)."""
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    assert verdict["totals"]["lost"] <= flows * RATE * FLIGHT, text


@pytest.mark.sanitized
@pytest.mark.parametrize("links", [1, 2])
def test_a_short_outage_of_the_node_under_load_loses_nothing(lab, links):
    net = lab(links=links, l3="t1 = 20000;", node=",co-t1=20s")
    times = [t for n in range(3) for t in (f"{300 + 900 * n}ms:stp.0:po", f"{300 + 900 * n + SHORT}ms:stp.0:po-end")]
    node = net.passes(net.start(events=times, duration=3.2 * SLOW))
    assert all(link["in_service"] == 1 for link in node["links"]), node
    assert [link(net, n)["level-2-counters"]["remote-outages"] for n in range(links)] == [3, 0][:links]


@pytest.mark.sanitized
def test_a_long_outage_of_the_node_under_load_goes_round_it(lab):
    net = lab()
    run = net.start(events=("300ms:stp.0:po", f"{300 + LONG}ms:stp.0:po-end"), duration=4 * SLOW)
    wait_for(lambda: link(net, 0)["remote-outage"] and link(net, 1)["buckets"] == 16, 20, "the other link carries all")
    wait_for(lambda: link(net, 0)["buckets"] == 8, 20, "the link carries its share again")
    _, verdict, text = net.judged(run)
    only_the_flight_is_lost(net, verdict, text)
    assert all(link["in_service"] == 1 for link in verdict["nodes"][0]["links"]), text


@pytest.mark.sanitized
def test_a_long_outage_of_the_only_link_is_survived(lab):
    """No other way: what waits for longer than T1 is discarded (s.5.3.3), the rest comes in order, and so does all
    that is sent when it is over and both ends have restarted (s.9.4.1)."""
    net = lab(links=1, l3="t18 = 300; t20 = 300; t21 = 300;")
    run = net.start(events=("300ms:stp.0:po", f"{300 + LONG}ms:stp.0:po-end"), duration=5 * SLOW)
    for state in ("up", "down", "up"):
        wait_for(lambda: net.daemon.show("show linkset ls-stp")["linkset"]["state"] == state, 20, f"the linkset is {state}")
    carries(net, 2 * RATE)
    _, verdict, text = net.judged(run)
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    assert all(f["received"] > RATE for f in verdict["flows"]), text


def outage(net, n, on):
    net.daemon.run("enable", f"link stp-{n} processor-outage" + ("" if on else " clear"))


@pytest.mark.sanitized
@pytest.mark.parametrize("links", [1, 2])
def test_a_short_outage_of_our_own_under_load_loses_nothing(lab, links):
    net = lab(links=links, l3="t1 = 20000;")
    run = net.start(duration=6 * SLOW)
    for n in range(3):
        carries(net)
        outage(net, 0, True)
        wait_for(lambda: link(net)["level-2"] == "local processor outage", what="it is out")
        outage(net, 0, False)
        wait_for(lambda: link(net)["available"] and link(net)["level-2"] == "in service", what="it is back")
    node = net.passes(run)
    assert all(link["in_service"] == 1 for link in node["links"]), node


@pytest.mark.sanitized
def test_outages_of_our_own_that_the_node_hears_of_when_they_are_over_lose_nothing(lab):
    """What it sends before it reads of either is on its way when level 2 synchronizes (RFC 4165 s.4.1.4): it is sent again."""
    net = lab(links=1, l3="t1 = 20000;", node=",co-t1=20s")
    run = net.start(duration=6 * SLOW)
    carries(net)
    for _ in range(10):
        run.proc.send_signal(signal.SIGSTOP)
        net.daemon.run("enable", "link stp-0 processor-outage", "link stp-0 processor-outage clear")
        run.proc.send_signal(signal.SIGCONT)
        wait_for(lambda: link(net)["available"] and link(net)["level-2"] == "in service", what="it is back")
    node = net.passes(run)
    assert node["links"][0]["in_service"] == 1 and link(net)["level-2-counters"]["local-outages"] == 10, node


@pytest.mark.sanitized
def test_a_long_outage_of_our_own_under_load_goes_round_it(lab):
    net = lab()
    run = net.start(duration=6 * SLOW)
    carries(net)
    outage(net, 1, True)
    wait_for(lambda: link(net, 0)["buckets"] == 16, 20, "the other link carries all")
    carries(net)
    outage(net, 1, False)
    wait_for(lambda: link(net, 1)["buckets"] == 8, 20, "the link carries its share again")
    _, verdict, text = net.judged(run)
    only_the_flight_is_lost(net, verdict, text)
    assert all(link["in_service"] == 1 for link in verdict["nodes"][0]["links"]), text


@pytest.mark.parametrize("away,back", FAULTS)
def test_both_links_are_lost_and_come_back_at_once(lab, away, back):
    """No order of the one life of a link reaches it in the next: each is no oftener in service than it was brought
    there. What was not acknowledged when the linkset was cut off is lost (Q.704 s.5.3.3), nothing comes twice or out of
    order."""
    net = lab(l3="t18 = 300; t20 = 300; t21 = 300;", node=",t21=300ms")
    times = [f"{300 + 2500 * n + later}ms:stp:{event}" for n in range(3) for later, event in ((0, away), (50, back))]
    run = net.start(events=times, duration=9 * SLOW)
    _, verdict, text = net.judged(run)
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    assert all(link["state"] == "in-service" and link["in_service"] <= 4 for link in verdict["nodes"][0]["links"]), text
    assert all(f["received"] > 2 * RATE for f in verdict["flows"]), text
