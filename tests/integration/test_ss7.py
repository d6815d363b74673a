# SPDX-License-Identifier: GPL-2.0-or-later
"""The SS7 side: a node with two M2PA links, the gateway, and two Application Servers, all of ss7sim's judged together."""
import pytest

from conftest import PATIENCE, TRANSPORT, Ports, sim_args, two_as_config

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")

SLOW = 1 if PATIENCE < 2 else 2
RATE = 500 if PATIENCE < 2 else 150
# SIF, label included, of at most 272 octets: Q.703 s.2.3.8
# bits of the SLS, of them rotated on the way to the node; SLSs
VARIANTS = {"itu": (4, 0, "0-15"), "ansi": (8, 8, "0-255"), "china": (4, 0, "0-15"), "japan": (4, 0, "0-15")}
# both ends prove each other in a third of a second
QUICK = "t1 = 2000; t2 = 2000; t3 = 1000; t4-normal = 300; t4-emergency = 100; proving-interval = 20;"
NODE_QUICK = "t1=2s,t2=2s,t3=1s,t4n=300ms,t4e=100ms"
# Where all is slow, acknowledgements may be late by more than a link forgives otherwise: the gateway's, the node's T7.
L2_PATIENCE, NODE_PATIENCE = ("", "") if PATIENCE < 2 else ("t7 = 4000;", ",t7=4s")


class Lab:
    """Node stp (2-2-2), which serves 3-3-3 and 3-3-4, is the neighbour of the gateway (1-1-1) that hlr (1-2-3) and
    msc (1-2-4) are behind."""

    def __init__(self, start_daemon, start_sim, variant="itu", links=2, extra_as="", linkset="", node=NODE_PATIENCE, client=False,
                 l3="", l2=L2_PATIENCE):
        self.start_sim, self.variant = start_sim, variant
        self.ports = ports = Ports(peers=20)
        sls_bits, rotation, self.sls = VARIANTS[variant]
        names = [f"stp-{slc}" for slc in range(links)]

        def way_of(slc):
            """How the gateway's link finds the node."""
            if not client:
                return f'side = "server"; remote-port = {ports.peer + 4 + slc};'
            return (f'side = "client"; transport = "{TRANSPORT}"; remote-port = {ports.peer + 4}; local-port = '
                    f'{ports.peer + 16 + slc}; remote-udp-port = {ports.local_udp}; local-udp-port = {ports.udp}; '
                    f'reconnect-min = 50; reconnect-max = 200;')

        rows = ", ".join(f'{{ name = "{name}"; slc = {slc}; remote-addresses = ( "127.0.0.1" ); {way_of(slc)} {QUICK} {l2} }}'
                         for slc, name in enumerate(names))
        text = two_as_config(ports, extra_as=extra_as).replace('variant = "itu"', f'variant = "{variant}"')
        self.daemon = start_daemon(text + f"""
links = ( {rows} );
linksets = ( {{ name = "ls-stp"; network = "national"; adjacent = "2-2-2"; sls-bits = {sls_bits}; {linkset}
  links = ( {", ".join(f'"{name}"' for name in names)} ); }} );
routes = ( {{ network = "national"; destination = "3-3-3"; via = "ls-stp"; }},
           {{ network = "national"; destination = "3-3-4"; via = "ls-stp"; }} );
mtp3 = {{ restricted = true; t17 = 100; {l3} }};
""", ports.console)
        way = f"side=server,gateway-port={ports.peer + 16}" if client else f"gateway-port={ports.gateway}"
        self.node = ["--variant", variant, "--node", f"name=stp,pc=2-2-2,adjacent=1-1-1,behind=3-3-3/3-3-4,links={links},"
                     f"local-port={ports.peer + 4},{way},{NODE_QUICK},"
                     f"sls-rotation={rotation}{node}"]

    def start(self, *more, flows=None, events=(), duration=1):
        args = sim_args(self.ports) + self.node
        for flow in self.both_ways() if flows is None else flows:
            args += ["--flow", flow]
        for event in events:
            args += ["--at", event]
        return self.start_sim(args + ["--settle", "300ms", "--drain", f"{int(max(2000, 500 * PATIENCE))}ms", "--duration", duration] + list(more))

    def both_ways(self, rate=None):
        rate = rate or RATE
        return [f"from={a},to={b},rate={rate},size=30-265,sls={self.sls}{more}" for a, b, more in (
            ("stp", "hlr", ""), ("hlr", "stp", ""), ("stp", "msc", ",opc=3-3-3"), ("msc", "stp", ",dpc=3-3-3"))]

    def judged(self, run):
        status, verdict, text = run.finish()
        assert verdict is not None, text + self.daemon.log()
        return status, verdict, text + self.daemon.log()

    def passes(self, run):
        """The node's part of a verdict without loss, repetition or reordering."""
        status, verdict, text = self.judged(run)
        assert status == 0 and verdict["verdict"] == "pass", text
        return verdict["nodes"][0]


@pytest.fixture
def lab(start_daemon, start_sim):
    return lambda **kind: Lab(start_daemon, start_sim, **kind)


@pytest.mark.sanitized
@pytest.mark.parametrize("variant", VARIANTS)
def test_traffic_passes_both_ways_in_every_variant(lab, variant):
    net = lab(variant=variant)
    node = net.passes(net.start())
    assert all(link["state"] == "in-service" and link["rx_msu"] > 20 and link["tx_msu"] > 20 for link in node["links"]), node
    assert node["rx_slt"] >= 4 and node["slt_failed"] == node["malformed"] == node["stray"] == node["nowhere"] == 0
    assert not [(link["name"], bad, link[bad]) for link in node["links"]
                for bad in ("failures", "bad_fsn", "bad_bsn", "malformed", "bad_stream") if link[bad]]


@pytest.mark.sanitized
def test_the_gateway_may_be_the_client(lab):
    net = lab(client=True)
    node = net.passes(net.start())
    assert all(link["state"] == "in-service" for link in node["links"])


@pytest.mark.sanitized
@pytest.mark.parametrize("variant,away,back", [
    ("itu", "drop", "connect"), ("ansi", "drop", "connect"), ("china", "abort", "connect"),
    ("itu", "deactivate", "activate")])
def test_changeover_and_changeback_under_load_keep_every_message(lab, variant, away, back):
    net = lab(variant=variant)
    node = net.passes(net.start(events=(f"300ms:stp.0:{away}", f"1s:stp.0:{back}"), duration=2.5 * SLOW))
    assert node["changeovers"] and node["changebacks"], node
    assert node["changeover_unanswered"] == node["changeback_unanswered"] == 0
    assert [(link["state"], link["in_service"]) for link in node["links"]] == [("in-service", 2), ("in-service", 1)], node


@pytest.mark.sanitized
@pytest.mark.parametrize("event", ["stop-ack", "wrong-fsn"])
def test_a_link_whose_sequence_is_wrong_is_changed_over(lab, event):
    net = lab(node=",t7=1s")
    node = net.passes(net.start(events=(f"300ms:stp.1:{event}",), duration=4 * SLOW))
    assert node["links"][1]["in_service"] == 2 and node["links"][0]["in_service"] == 1, node


@pytest.mark.sanitized
def test_busy_holds_traffic_and_loses_nothing(lab):
    net = lab()
    node = net.passes(net.start(events=("200ms:stp.0:busy", "600ms:stp.0:busy-end"), duration=1))
    assert [(link["failures"], link["in_service"]) for link in node["links"]] == [(0, 1), (0, 1)], node


def test_long_messages_pass_where_the_linkset_allows_them(lab):
    net = lab(linkset="max-sif = 1000;", node=",max-sif=1000")
    net.passes(net.start(flows=[f"from={a},to={b},rate=200,size=280-996" for a, b in (("hlr", "stp"), ("stp", "hlr"))]))


@pytest.mark.sanitized
def test_what_narrow_links_do_not_carry_is_dropped_by_its_own_name(lab):
    """A SIF of 272 octets passes, label included; one of 273 does not, and says so."""
    net = lab(node=",max-sif=273")
    status, verdict, text = net.judged(net.start(flows=["from=hlr,to=stp,rate=100,size=268", "from=msc,to=stp,rate=100,size=269"]))
    fits, too_long = verdict["flows"]
    drops = {drop["reason"]: drop["total"] for drop in net.daemon.show("show statistics drops")["drops"]}
    assert fits["received"] == fits["sent"] > 50 and too_long["received"] == 0, text
    assert drops["long-sif"] == too_long["sent"] > 50 and drops["too-long"] == 0, drops
    assert net.daemon.show("show linkset ls-stp")["linkset"]["max-sif"] == 272


@pytest.mark.sanitized
def test_a_prohibited_destination_is_told_to_the_asps(lab):
    """TFP for 3-3-3 becomes DUNA, TFA DAVA: msc, which obeys, stops and goes on. 3-3-4 goes on all the time."""
    net = lab()
    flows = [f"from=msc,to=stp,rate=200,dpc={pc}" for pc in ("3-3-3", "3-3-4")]
    status, verdict, text = net.judged(net.start(
        "--obey-ssnm", flows=flows, events=("500ms:stp:tfp=3-3-3", "1500ms:stp:tfa=3-3-3"), duration=2))
    sent = [flow["sent"] for flow in verdict["flows"]]
    assert sent[1] >= 398 and 100 <= sent[0] <= 300, text  # 200, if both come on time
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text  # what was on its way
    assert verdict["totals"]["lost"] <= 100, text
    assert all(asp["ssnm"] >= 2 for asp in verdict["asps"] if asp["as"] == "msc"), text
    assert status in (0, 1)
    told = {route["destination"]: route["told"] for route in net.daemon.show("show route")["routes"]}
    assert told["3-3-3"] is not None and told["3-3-4"] is None, told
    changed = {dest["point-code"]: dest["transitions"] for dest in net.daemon.show("show destination")["destinations"]}
    assert changed["3-3-3"] >= changed["3-3-4"] + 2, changed


@pytest.mark.sanitized
def test_an_as_that_goes_is_prohibited_to_the_node(lab):
    """Its last ASP leaves: TFP, the node stops; an ASP is back: TFA, the node goes on. hlr has its traffic all the time."""
    net = lab(extra_as="recovery-time = 200;")
    flows = [f"from=stp,to={name},rate=200" for name in ("msc", "hlr")]
    status, verdict, text = net.judged(net.start(
        flows=flows, events=("500ms:msc:aspia", "1500ms:msc:aspac"), duration=2))
    sent = [flow["sent"] for flow in verdict["flows"]]
    assert sent[1] >= 398 and 100 <= sent[0] <= 350, text  # 240, if both come on time
    assert verdict["flows"][1]["lost"] == 0, text
    assert verdict["totals"]["lost"] <= 150, text  # what was held until T(r) expired
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    assert status in (0, 1)
