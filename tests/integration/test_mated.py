# SPDX-License-Identifier: GPL-2.0-or-later
"""STPs: alternative routes by priority, and a mated pair that loses either gateway."""
import pytest

from conftest import PATIENCE, TRANSPORT, free_port, wait_for
from intruders import drops

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")

RATE = 500 if PATIENCE < 2 else 100
QUICK_L2 = "t1 = 3000; t2 = 3000; t3 = 1000; t4-normal = 200; t4-emergency = 100; proving-interval = 20; "
# With these, level 2 and the associations notice in half a second, or a little more, that a peer is gone without a word. Who
# is late by so much is gone, too: only for tests that need it. NOTICE: by when they have noticed at the latest, in seconds.
HASTY_L2 = "t7 = 500;"
HASTY_SCTP = "sctp = { rto-initial = 100; rto-min = 50; rto-max = 200; association-retransmissions = 3; "\
             "path-retransmissions = 3; heartbeat = 500; };"
HASTY_SIM = ("--rto-initial", 100, "--rto-min", 50, "--rto-max", 200, "--assoc-max-retrans", 3, "--path-max-retrans", 3,
             "--heartbeat", 500)
NOTICE = 2
QUICK_L3 = "mtp3 = { t17 = 100; t18 = 500; t20 = 500; t21 = 1000; };"


def link(name, slc, port, address="127.0.0.1", more=""):
    return (f'{{ name = "{name}"; slc = {slc}; remote-addresses = ( "{address}" ); remote-port = {port}; {QUICK_L2} '
            f'{more} }}')


def linkset(name, adjacent, *links, network="national"):
    names = ", ".join(f'"{n}"' for n in links)
    return f'{{ name = "{name}"; network = "{network}"; adjacent = "{adjacent}"; links = ( {names} ); }}'


def route(destination, via, priority=1):
    return f'{{ network = "national"; destination = "{destination}"; via = "{via}"; priority = {priority}; }}'


def gateway_config(console, address, port, udp, pc, links, linksets, routes=(), asps=(), ass=(), networks=None, sctp=""):
    networks = networks or f'{{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "{pc}" ); }}'
    return f"""
node = {{ name = "gw"; workers = 2; shutdown-time = 3000; }};
console = {{ address = "127.0.0.1"; port = {console}; }};
{sctp} {QUICK_L3}
networks = ( {networks} );
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "{address}" ); port = {port};
  udp-port = {udp}; }} );
links = ( {", ".join(links)} );
linksets = ( {", ".join(linksets)} );
routes = ( {", ".join(routes)} );
asps = ( {", ".join(asps)} );
application-servers = ( {", ".join(ass)} );
"""


def via(daemon, destination):
    rows = daemon.show("show destination")["destinations"]
    return next((row["via"] for row in rows if row["point-code"] == destination), None)


def verdict_of(run, seconds=60):
    status, verdict, text = run.finish(seconds)
    assert verdict is not None, text
    return status, verdict, text


def at(*events):
    return [word for event in events for word in ("--at", event)]


# ---- an STP ----

class Stp:
    """1-1-1 between four nodes: src, near and far (both reach 3-3-3), and other; near is preferred for 3-3-3."""

    def __init__(self, near=1, far=2):
        self.port, self.udp, self.console, self.local_udp = (free_port() for _ in range(4))
        self.peers = free_port(8)
        nodes = (("src", "2-2-1"), ("near", "2-2-2"), ("far", "2-2-3"), ("other", "2-2-4"))
        links, linksets, self.nodes = [], [], []
        for i, (name, pc) in enumerate(nodes):
            links += [link(f"{name}-{k}", k, self.peers + 2 * i + k) for k in (0, 1)]
            linksets.append(linkset(name, pc, f"{name}-0", f"{name}-1"))
            behind = ",behind=3-3-3" if name in ("near", "far") else ""
            self.nodes += ["--node", f"name={name},pc={pc},adjacent=1-1-1,links=2,gateway-port={self.port},"
                           f"local-port={self.peers + 2 * i}{behind}"]
        self.config = gateway_config(self.console, "127.0.0.1", self.port, self.udp, "1-1-1", links, linksets,
                                     (route("3-3-3", "near", near), route("3-3-3", "far", far)))

    def args(self):
        return ["--transport", TRANSPORT, "--gateway", "127.0.0.1", "--udp-port", self.udp, "--local-udp-port",
                self.local_udp, "--connect-timeout", f"{int(20 * PATIENCE)}s", "--settle", "1s", "--drain", "2s"] + self.nodes


def msus(verdict):
    return {n["name"]: sum(link["rx_msu"] for link in n["links"]) for n in verdict["nodes"]}


def test_messages_between_nodes_take_the_preferred_linkset(start_daemon, start_sim):
    stp = Stp()
    gateway = start_daemon(stp.config, stp.console)
    run = start_sim(stp.args() + ["--flow", f"from=src,to=near,rate={RATE},dpc=3-3-3",
                                  "--flow", f"from=other,to=src,rate={RATE}",
                                  "--flow", f"from=far,to=other,rate={RATE}", "--duration", 2])
    status, verdict, text = verdict_of(run)
    assert status == 0, text
    assert set(drops(gateway)) <= {"association-down"}  # level 3's own, as the nodes leave


@pytest.mark.parametrize("fault,mended", [("drop", "connect"), ("abort", "connect"), ("deactivate", "activate")])
def test_an_alternative_linkset_takes_over_and_gives_back(start_daemon, start_sim, fault, mended):
    """Both links of the preferred linkset fail at once, and return. No changeover is possible with a neighbour that
    cannot be reached: what it had not acknowledged by then is lost (Q.704 s.5.7.2), nothing else is."""
    stp = Stp()
    gateway = start_daemon(stp.config, stp.console)
    run = start_sim(stp.args() + ["--flow", f"from=src,to=near,rate={RATE},dpc=3-3-3"] +
                    at(f"1s:near:{fault}", f"3s:near:{mended}") + ["--duration", 6])
    wait_for(lambda: via(gateway, "3-3-3") == ["near"], 20, "the preferred linkset")
    wait_for(lambda: via(gateway, "3-3-3") == ["far"], 20, "the alternative")
    wait_for(lambda: via(gateway, "3-3-3") == ["near"], 20, "the preferred linkset again")
    _, verdict, text = verdict_of(run)
    assert verdict["totals"]["lost"] <= RATE // 2 and not verdict["totals"]["misrouted"], text
    assert msus(verdict)["far"] > RATE and verdict["totals"]["received"] > 2 * RATE, text
    assert verdict["totals"]["repeated"] == verdict["totals"]["reordered"] == verdict["totals"]["unsent"] == 0, text
    assert set(drops(gateway)) <= {"association-down"}


# ---- a mated pair ----

class Pair:
    """Gateways a and b, joined by a C linkset; n, an STP too, with a linkset to each. AS hlr has an ASP at a and one at
    b, AS msc is behind n. All of M3UA is one ss7sim, which so judges what any way has done. n shares what is for hlr
    between the two, or (B_PRIORITY 2) prefers a. HERE: hlr has an ASP at n, too, which is the second choice. HASTY: who does
    not answer is soon given up."""

    def __init__(self, start_daemon, b_priority=1, names="abn", here=False, hasty=False):
        self.port, self.udp, self.local_udp, base = free_port(), free_port(), free_port(), free_port(12)
        self.base = base
        self.asp = free_port(4)
        self.hlr = 3 if here else 2  # ASPs
        self.hasty = HASTY_SIM if hasty else ()
        self.consoles = [free_port() for _ in range(3)]
        client = (f'side = "client"; transport = "{TRANSPORT}"; remote-udp-port = {self.udp}; '
                  f'local-udp-port = {self.udp}; local-addresses = ( "127.0.0.%s" ); local-port = %s;')

        def links(name, first, address, mine=None):
            return [link(f"{name}-{k}", k, self.port if mine else first + k, address, (HASTY_L2 if hasty else "") +
                         (client % (mine, first + k) if mine else "")) for k in (0, 1)]

        def asp(name, port):
            return f'{{ name = "{name}"; remote-addresses = ( "127.0.0.9" ); remote-port = {port}; }}'

        def server(name, rc, pc, asp_name):
            return (f'{{ name = "{name}"; network = "national"; routing-context = {rc}; recovery-time = 500; '
                    f'asps = ( "{asp_name}" ); routing-keys = ( {{ dpc = "{pc}"; }} ); }}')

        configs = {
            "a": (links("n", base, "127.0.0.3") + links("mate", base + 2, "127.0.0.2"),
                  [linkset("n", "2-2-2", "n-0", "n-1"), linkset("mate", "1-1-2", "mate-0", "mate-1")],
                  [route("1-2-3", "mate"), route("1-2-4", "n"), route("1-2-4", "mate", 2), route("2-2-2", "mate")],
                  [asp("hlr-1", self.asp)], [server("hlr", 10, "1-2-3", "hlr-1")]),
            "b": (links("n", base + 4, "127.0.0.3") + links("mate", base + 2, "127.0.0.1", 2),
                  [linkset("n", "2-2-2", "n-0", "n-1"), linkset("mate", "1-1-1", "mate-0", "mate-1")],
                  [route("1-2-3", "mate"), route("1-2-4", "n"), route("1-2-4", "mate", 2), route("2-2-2", "mate")],
                  [asp("hlr-2", self.asp + 1)], [server("hlr", 10, "1-2-3", "hlr-2")]),
            "n": (links("a", base, "127.0.0.1", 3) + links("b", base + 4, "127.0.0.2", 3),
                  [linkset("a", "1-1-1", "a-0", "a-1"), linkset("b", "1-1-2", "b-0", "b-1")],
                  [route("1-2-3", "a"), route("1-2-3", "b", b_priority), route("1-1-1", "b"), route("1-1-2", "a")],
                  [asp("msc-1", self.asp + 3)], [server("msc", 20, "1-2-4", "msc-1")]),
        }
        if here:  # its key has another point code: routing keys come before all other routes
            _, _, routes, asps, ass = configs["n"]
            routes.append(route("1-2-3", "hlr", 2))
            asps.append(asp("hlr-3", self.asp + 2))
            ass.append(server("hlr", 10, "1-2-5", "hlr-3"))
        self.daemons = {}
        for i, (name, parts) in enumerate((name, configs[name]) for name in names):
            pc = ("1-1-1", "1-1-2", "2-2-2")[i]
            text = gateway_config(self.consoles[i], f"127.0.0.{i + 1}", self.port, self.udp, pc, *parts,
                                  sctp=HASTY_SCTP if hasty else "")
            self.daemons[name] = start_daemon(text, self.consoles[i], name=name)
        if "n" in names:
            self.settled()

    def settled(self):
        """Every gateway reaches all there is, over every way there is."""
        n, a, b = (self.daemons[k] for k in "nab")
        wait_for(lambda: via(n, "1-1-1") == ["a"] and via(n, "1-1-2") == ["b"], 20, "n reaches both")
        wait_for(lambda: via(a, "1-1-2") == ["mate"] and via(b, "1-1-1") == ["mate"], 20, "the pair is joined")
        wait_for(lambda: via(a, "2-2-2") == ["n"] and via(b, "2-2-2") == ["n"], 20, "both reach n")

    def run(self, start_sim, *more, duration=6):
        return start_sim([
            "--transport", TRANSPORT, "--gateway", "127.0.0.3", "--port", self.port, "--udp-port", self.udp,
            "--local-udp-port", self.local_udp, "--connect-timeout", f"{int(20 * PATIENCE)}s", "--settle", "2s",
            "--drain", "2s", *self.hasty,
            "--as", f"name=hlr,rc=10,pc=1-2-3,asps={self.hlr},local-port={self.asp},local=127.0.0.9,gateways=" +
            "/".join(f"127.0.0.{i + 1}" for i in range(self.hlr)),
            "--as", f"name=msc,rc=20,pc=1-2-4,asps=1,local-port={self.asp + 3},local=127.0.0.9",
            "--flow", f"from=hlr,to=msc,rate={RATE}", "--flow", f"from=msc,to=hlr,rate={RATE}",
            "--duration", duration, *more])

    def forwarded(self, names="abn"):
        return {n: sum(w["forwarded"] for w in self.daemons[n].show("show workers")["workers"]) for n in names}

    def carries(self, more):
        """Waits until n has forwarded so many more."""
        enough = self.forwarded("n")["n"] + more
        wait_for(lambda: self.forwarded("n")["n"] >= enough, 30, f"{more} more messages")


def test_a_pair_shares_the_traffic(start_daemon, start_sim):
    pair = Pair(start_daemon)
    status, verdict, text = verdict_of(pair.run(start_sim, duration=3))
    assert status == 0, text
    assert all(a["rx_data"] > RATE for a in verdict["asps"]), text
    assert all(drops(d) == {} for d in pair.daemons.values())
    # Two hops each: nothing takes the C linkset.
    assert sum(pair.forwarded().values()) == 2 * verdict["totals"]["sent"]


def test_a_signalling_point_uses_both_gateways(start_daemon, start_sim):
    """ss7sim's own node instead of n, with a linkset to each. That to a is out of service for a while: what its last link
    held is lost, nothing else, and all arrives in order."""
    pair = Pair(start_daemon, names="ab")
    way = f"links=2,local=127.0.0.3,gateway-port={pair.port}"
    status, verdict, text = verdict_of(start_sim([
        "--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port", pair.port, "--udp-port", pair.udp,
        "--local-udp-port", pair.local_udp, "--connect-timeout", f"{int(20 * PATIENCE)}s", "--settle", "2s", "--drain", "2s",
        "--as", f"name=hlr,rc=10,pc=1-2-3,asps=2,local-port={pair.asp},local=127.0.0.9,gateways=127.0.0.1/127.0.0.2",
        "--node", f"name=s,pc=2-2-2,behind=1-2-4,adjacent=1-1-1,local-port={pair.base},{way}",
        "--node", f"name=s2,with=s,adjacent=1-1-2,gateway=127.0.0.2,local-port={pair.base + 4},{way}",
        "--flow", f"from=hlr,to=s,dpc=1-2-4,rate={RATE}", "--flow", f"from=s,to=hlr,opc=1-2-4,rate={RATE}",
        "--duration", 6, *at("1s:s:deactivate", "3s:s:activate")]))
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"} and status in (0, 1), text
    assert verdict["totals"]["lost"] <= RATE // 2, text
    assert all(count > RATE for count in msus(verdict).values()), text
    assert all(asp["rx_data"] > RATE for asp in verdict["asps"]), text


def never_circled(pair, verdict, names):
    """Three hops are the longest way there is (n, the one, its mate), and no gateway has seen its own OPC again. What
    crossed the TFP of a mate that loses its ASP at the same time is discarded rather than sent back (loop)."""
    hops = pair.forwarded(names)
    assert sum(hops.values()) <= 3 * verdict["totals"]["sent"], hops
    for name in names:
        assert "own-opc" not in drops(pair.daemons[name])


@pytest.mark.parametrize("victim", ["a", "b"])
def test_traffic_survives_the_death_of_either_gateway(start_daemon, start_sim, victim):
    pair = Pair(start_daemon, hasty=True)
    run = pair.run(start_sim)
    wait_for(lambda: pair.forwarded("n")["n"] > 2 * RATE, 30, "traffic")
    pair.daemons[victim].proc.kill()
    pair.daemons[victim].proc.wait()
    _, verdict, text = verdict_of(run)
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    # What the victim takes with it: its half of both flows, for as long as nobody has noticed.
    assert verdict["totals"]["lost"] <= RATE * NOTICE, text
    survivor = verdict["asps"]["ab".index("b" if victim == "a" else "a")]
    assert survivor["tx_data"] > 2 * RATE and survivor["rx_data"] > 2 * RATE, text
    assert survivor["state"] == "active"
    never_circled(pair, verdict, "n" + "ab".replace(victim, ""))


def test_a_gateway_that_ends_in_order_loses_nothing(start_daemon, start_sim):
    pair = Pair(start_daemon)
    run = pair.run(start_sim)
    wait_for(lambda: pair.forwarded("n")["n"] > 2 * RATE, 30, "traffic")
    assert pair.daemons["a"].stop() == 0
    status, verdict, text = verdict_of(run)
    assert status == 0, text
    # What n has not acknowledged may change over by the mate, who is left last.
    stopped = [pair.daemons["a"].log().index(f"link {name}: in service -> out of service (stopped)")
               for name in ("n-0", "n-1", "mate-0", "mate-1")]
    assert max(stopped[:2]) < min(stopped[2:]), pair.daemons["a"].log()
    assert verdict["asps"][1]["tx_data"] > 2 * RATE, text
    never_circled(pair, verdict, "nb")


def test_what_nobody_serves_does_not_circulate(start_daemon, start_sim):
    """Both ASPs leave: each gateway's other way is its mate. Then they come back."""
    pair = Pair(start_daemon)
    run = pair.run(start_sim, *at("1s:hlr:aspia", "3s:hlr:aspac"))
    there = {n: lambda n=n: via(pair.daemons[n], "1-2-3") for n in "abn"}
    wait_for(lambda: there["a"]() == there["b"]() == ["hlr"] and there["n"]() == ["a", "b"], 20, "all is well")
    wait_for(lambda: [there[n]() for n in "abn"] == [[], [], []], 20, "everybody knows that nobody serves it")
    wait_for(lambda: there["a"]() == there["b"]() == ["hlr"] and there["n"]() == ["a", "b"], 20, "all is well again")
    _, verdict, text = verdict_of(run)
    assert {r["reason"] for r in verdict["reasons"]} == {"lost"}, text
    assert verdict["flows"][0]["lost"] == 0 and verdict["flows"][1]["received"] > 2 * RATE, text
    never_circled(pair, verdict, "abn")


def test_networks_of_one_gateway_are_never_mixed(start_daemon, start_sim):
    """An ITU and an ANSI network with a linkset and an AS each, of the same point codes: each node and AS gets its own
    network's messages only."""
    port, udp, console = (free_port() for _ in range(3))
    peers, networks = free_port(8), [(variant, variant, 2057, 4114, 2067) for variant in ("itu", "ansi")]
    gateway = start_daemon(gateway_config(
        console, "127.0.0.1", port, udp, None,
        [link(f"l-{n}", 0, peers + 2 * i) for i, (n, *_) in enumerate(networks)],
        [linkset(f"ls-{n}", node, f"l-{n}", network=n) for n, _, _, node, _ in networks], (),
        [f'{{ name = "asp-{n}"; remote-addresses = ( "127.0.0.1" ); remote-port = {peers + 2 * i + 1}; }}'
         for i, (n, *_) in enumerate(networks)],
        [f'{{ name = "as-{n}"; network = "{n}"; routing-context = {10 + i}; asps = ( "asp-{n}" ); '
         f'routing-keys = ( {{ dpc = "{pc}"; }} ); }}' for i, (n, _, _, _, pc) in enumerate(networks)],
        ", ".join(f'{{ name = "{n}"; variant = "{v}"; indicator = 2; point-codes = ( "{own}" ); }}'
                  for n, v, own, _, _ in networks)), console)
    runs = []
    for i, (n, variant, own, node, pc) in enumerate(networks):
        runs.append(start_sim([
            "--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port", port, "--udp-port", udp, "--variant", variant,
            "--local-udp-port", free_port(), "--connect-timeout", f"{int(20 * PATIENCE)}s",
            "--settle", "1s", "--drain", "1s", "--duration", 2,
            "--node", f"name=node,pc={node},adjacent={own},links=1,local-port={peers + 2 * i},gateway-port={port},"
            f"sls-rotation={8 if variant == 'ansi' else 0}",
            "--as", f"name=server,rc={10 + i},pc={pc},local-port={peers + 2 * i + 1}",
            "--flow", f"from=node,to=server,rate={RATE}", "--flow", f"from=server,to=node,rate={RATE}"]))
    for run in runs:
        status, verdict, text = verdict_of(run)
        assert status == 0 and verdict["totals"]["foreign"] == 0, text
    assert set(drops(gateway)) <= {"association-down"}  # level 3's own, as the nodes leave
