# SPDX-License-Identifier: GPL-2.0-or-later
"""The SS7 side: two gateways joined by a linkset of M2PA links, an Application Server behind each. Traffic between the
two is judged by ss7sim's ASPs, one process per gateway."""
import pytest

from conftest import PATIENCE, TRANSPORT, Ports, free_port, wait_for

RATE = 500 if PATIENCE < 2 else 100


class Side:
    """One of the two gateways: its AS, its point codes, its links."""

    def __init__(self, name, own, other, served, beyond, links):
        self.name, self.own, self.other, self.served, self.beyond = name, own, other, served, beyond
        self.ports = Ports()
        self.links = [f"{name}-{n}" for n in range(links)]
        self.gateway = None

    def config(self, link_rows, more="", l3=""):
        p = self.ports
        names = ", ".join(f'"{n}"' for n in self.links)
        return f"""
node = {{ name = "{self.name}"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {p.console}; }};
mtp3 = {{ t18 = 500; {l3} }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "{self.own}" ); }} );
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {p.gateway};
  udp-port = {p.udp}; }} );
asps = ( {{ name = "asp"; remote-addresses = ( "127.0.0.1" ); remote-port = {p.peer}; }} );
application-servers = ( {{ name = "as"; network = "national"; recovery-time = 300; asps = ( "asp" );
  routing-keys = ( {{ dpc = "{self.served}"; }} ); }} );
links = ( {link_rows} );
linksets = ( {{ name = "over"; network = "national"; adjacent = "{self.other}"; links = ( {names} ); }} );
routes = ( {{ network = "national"; destination = "{self.beyond}"; via = "over"; }} );
{more}"""

    def show(self, command):
        return self.gateway.show(command)

    def operate(self, command):
        return self.gateway.run("enable", command)[1]

    def linkset(self):
        return self.show("show linkset over")["linkset"]

    def link(self, n=0):
        return self.show(f"show link {self.links[n]}")["link"]

    def failures(self, n=0):
        return self.link(n)["level-3-counters"]["failures"]

    def is_up(self):
        s = self.linkset()
        return s["state"] == "up" and s["available"] == len(self.links)

    def destination(self, pc):
        return next(d["status"] for d in self.show("show destination")["destinations"] if d["point-code"] == pc)


@pytest.fixture
def pair(start_daemon):
    """pair(links): both gateways, with all links in service; `l3`: more of level 3's configuration."""

    def start(links=2, l3=""):
        a = Side("a", "1-1-1", "2-2-2", "1-2-3", "1-2-4", links)
        b = Side("b", "2-2-2", "1-1-1", "1-2-4", "1-2-3", links)
        base = free_port(links)
        at_a = ", ".join(f'{{ name = "{n}"; slc = {i}; remote-addresses = ( "127.0.0.1" ); remote-port = {base + i}; '
                         f't4-normal = 500; }}' for i, n in enumerate(a.links))
        at_b = ", ".join(f'{{ name = "{n}"; slc = {i}; side = "client"; transport = "{TRANSPORT}"; '
                         f'remote-addresses = ( "127.0.0.1" ); remote-port = {a.ports.gateway}; '
                         f'remote-udp-port = {a.ports.udp}; local-addresses = ( "127.0.0.1" ); local-port = {base + i}; '
                         f'local-udp-port = {b.ports.local_udp}; reconnect-min = 200; t4-normal = 500; }}'
                         for i, n in enumerate(b.links))
        for side, rows in ((a, at_a), (b, at_b)):
            side.gateway = start_daemon(side.config(rows, l3=l3), side.ports.console, name=side.name)
        wait_for(lambda: a.is_up() and b.is_up(), 20, what="the linkset is up at both ends")
        return a, b

    return start


def simulate(start_sim, side, seconds, *more, prefix=()):
    """The ASP of one side. Both processes know both flows."""
    p = side.ports
    mine, port = ("hlr", f",local-port={p.peer}") if side.name == "a" else ("msc", f",local-port={p.peer}")
    ass = []
    for name, pc in (("hlr", "1-2-3"), ("msc", "1-2-4")):
        ass += ["--as", f"name={name},pc={pc}" + (f",asps=1{port}" if name == mine else ",asps=0")]
    udp = free_port()
    return start_sim(["--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port", p.gateway, "--udp-port", p.udp,
                      "--local-udp-port", udp, *ass, "--run", 7, "--settle", "2s", "--drain", "3s",
                      "--flow", f"from=hlr,to=msc,rate={RATE},sls=0-15", "--flow",
                      f"from=msc,to=hlr,rate={RATE},sls=0-15", "--duration", f"{seconds}s", *more],
                     prefix=prefix)


def both(start_sim, pair_of, seconds):
    return [simulate(start_sim, side, seconds) for side in pair_of]


def lossless(runs):
    """Each direction arrived whole and in order: what one process sent, the other got."""
    flows = []
    for run in runs:
        status, verdict, text = run.finish()
        assert status == 0 and verdict["verdict"] == "pass", text
        flows.append({f["name"]: f for f in verdict["flows"]})
        assert all(f["repeated"] == f["reordered"] == f["corrupted"] == 0 for f in verdict["flows"]), text
        rx = sum(a["rx_data"] for a in verdict["asps"])
        flows[-1]["rx"] = rx
    assert flows[1]["rx"] == flows[0]["hlr>msc"]["sent"] > RATE
    assert flows[0]["rx"] == flows[1]["msc>hlr"]["sent"] > RATE


def test_traffic_crosses_a_linkset_both_ways(pair, start_sim):
    a, b = pair()
    runs = both(start_sim, (a, b), 3)
    lossless(runs)
    assert [a.link(n)["buckets"] for n in (0, 1)] == [8, 8]


def forwarded(side):
    return sum(w["forwarded"] for w in side.show("show workers")["workers"])


def served(sides):
    """Both ASs are active at both ends, and traffic runs."""
    wait_for(lambda: all(s.destination(s.served) == "available" for s in sides), 20, what="both ASs are active")
    wait_for(lambda: all(forwarded(s) > RATE // 4 for s in sides), 20, what="traffic both ways")


@pytest.mark.parametrize("end", [0, 1])
def test_a_link_that_fails_under_load_loses_nothing(pair, start_sim, end):
    """Changeover, and changeback when it is back: zero lost, repeated, reordered."""
    sides = pair()
    runs = both(start_sim, sides, 8)
    served(sides)
    sides[end].operate(f"link {sides[end].links[0]} restart")
    wait_for(lambda: all(s.link(1)["buckets"] == 16 for s in sides), what="the other link carries all")
    wait_for(lambda: all(s.link(0)["buckets"] == 8 for s in sides), 20, what="the link carries its share again")
    lossless(runs)
    assert all(s.failures(0) == 1 for s in sides)


def test_a_link_is_inhibited_and_uninhibited_under_load(pair, start_sim):
    a, b = pair()
    runs = both(start_sim, (a, b), 6)
    served((a, b))
    assert "being inhibited" in a.operate("link a-0 inhibit")
    wait_for(lambda: a.link(1)["buckets"] == 16 and b.link(1)["buckets"] == 16, what="the other link carries all")
    assert a.link()["inhibited-local"] and b.link()["inhibited-remote"] and a.link()["state"] == "active"
    a.operate("link a-0 uninhibit")
    wait_for(lambda: a.link(0)["buckets"] == 8 and b.link(0)["buckets"] == 8, what="both carry their share again")
    lossless(runs)


def shares(side):
    """Two links are there, and each carries half."""
    return side.is_up() and [side.link(n)["buckets"] for n in (0, 1)] == [8, 8]


@pytest.mark.parametrize("end", [0, 1])
def test_the_last_link_that_fails_uninhibits_the_other(pair, start_sim, end):
    """LUN from who has inhibited the link, LFU from the other end (Q.704 s.10.3.2); nothing is lost meanwhile."""
    sides = a, b = pair()
    runs = both(start_sim, sides, 8)
    served(sides)
    a.operate("link a-0 inhibit")
    wait_for(lambda: all(s.link(1)["buckets"] == 16 for s in sides), what="the other link carries all")
    sides[end].operate(f"link {sides[end].links[1]} restart")
    wait_for(lambda: not a.link()["inhibited-local"] and not b.link()["inhibited-remote"], what="it is uninhibited")
    wait_for(lambda: all(shares(s) for s in sides), 20, what="all is as before")
    lossless(runs)
    assert all(s.failures(0) == 0 for s in sides), (a.gateway.log(), b.gateway.log())


def test_the_last_link_is_not_inhibited(pair):
    """Denied here, or by the neighbour (LID), for whom it is the last one."""
    a, b = pair()
    b.operate("link b-1 processor-outage")
    wait_for(lambda: a.link(1)["remote-outage"], what="one link is out")
    assert "denied" in a.operate("link a-0 inhibit")
    b.operate("link b-1 processor-outage clear")
    wait_for(lambda: a.is_up() and b.is_up(), what="both links are available")
    assert "being inhibited" in a.operate("link a-0 inhibit")
    wait_for(lambda: b.link()["inhibited-remote"], what="it is inhibited")
    assert "denied" in b.operate("link b-1 inhibit")
    assert "destination needs" in b.link(1)["inhibit-reason"]


def test_inhibition_that_only_one_end_remembers_is_mended(pair):
    """The neighbour is started anew. The periodic tests find that it knows of no inhibition (s.10.6): LLT, LFU, LUN."""
    a, b = pair(2, "t22 = 300; t23 = 300;")
    a.operate("link a-0 inhibit")
    wait_for(lambda: a.link()["inhibited-local"] and b.link()["inhibited-remote"], what="it is inhibited")
    b.gateway.proc.kill()
    b.gateway.proc.wait()
    b.gateway.start()
    wait_for(lambda: a.is_up() and b.is_up(), 20, what="both links are available at both ends")
    assert not a.link()["inhibited-local"] and not b.link()["inhibited-remote"]


def test_a_link_that_flaps_under_load_loses_nothing(pair, start_sim):
    """Ten times, from either end, the links in turn: each changeover and each changeback keeps every message."""
    sides = pair()
    runs = both(start_sim, sides, 18)
    served(sides)
    for n in range(10):
        side, k = sides[n % 2], n // 2 % 2
        before = [s.failures(k) for s in sides]
        side.operate(f"link {side.links[k]} restart")
        wait_for(lambda k=k, before=before: all(s.failures(k) > b for s, b in zip(sides, before)), what="it has failed")
        wait_for(lambda: all(shares(s) for s in sides), 20, what="it carries its share again")
    lossless(runs)


def told(side, kind):
    return side.show("show statistics")["gateway"][kind]


def test_an_as_that_goes_is_prohibited_beyond_the_linkset(pair, start_sim):
    """AS down: TFP; the neighbour's ASPs hear DUNA. AS up: TFA, DAVA."""
    a, b = pair(1)
    wait_for(lambda: b.destination("1-2-3") == "unavailable", what="TFP for the AS that is down")
    simulate(start_sim, b, 20)
    wait_for(lambda: b.destination("1-2-4") == "available", 20, what="the ASP that listens is active")
    simulate(start_sim, a, 20, "--at", "1s:hlr-1:aspdn")
    wait_for(lambda: b.destination("1-2-3") == "available", 20, what="TFA when it is up")
    wait_for(lambda: told(b, "dava") == 1, what="DAVA")
    before = told(b, "duna")
    wait_for(lambda: b.destination("1-2-3") == "unavailable", 20, what="TFP when it has gone")
    wait_for(lambda: told(b, "duna") > before, what="DUNA")


def test_without_its_linkset_a_destination_is_unavailable(pair):
    a, b = pair(1)
    assert a.destination("2-2-2") == "available"
    a.operate("linkset over deactivate")
    wait_for(lambda: all(s.destination(s.other) == "unavailable" for s in (a, b)), what="the neighbour is unavailable")
    assert a.link()["state"] == "inactive"
    a.operate("linkset over activate")
    wait_for(lambda: a.is_up() and b.is_up(), 20, what="the linkset is up again")
    assert a.destination("2-2-2") == "available"


def test_a_reload_leaves_links_alone_that_did_not_change(pair):
    a, b = pair()
    text = a.gateway.config.read_text()
    a.gateway.reload(text.replace("t4-normal = 500; }", "t4-normal = 600; }"))
    wait_for(lambda: "reload: link a-1: updated in place" in a.gateway.log(), what="the reload")
    assert a.is_up() and b.is_up() and a.failures() == 0
    a.gateway.reload(text.replace(', "a-1"', "").replace("{ name = \"a-1\"", "{ name = \"spare\""))
    wait_for(lambda: a.linkset()["configured"] == 1, what="the second link is gone")
    wait_for(lambda: b.link(1)["state"] != "active" and b.linkset()["state"] == "up", what="the first one carries all")
    a.gateway.reload(text)
    wait_for(lambda: a.is_up() and b.is_up(), 20, what="it is back")


def test_links_are_taken_out_of_service_at_the_end(pair):
    a, b = pair()
    assert a.gateway.stop() == 0
    wait_for(lambda: b.link()["level-2"] in ("out of service", "no association"), what="out of service")
    assert "in service -> out of service (the peer is out of service)" in b.gateway.log()
