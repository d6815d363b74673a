# SPDX-License-Identifier: GPL-2.0-or-later
"""ss7sim's SS7 nodes judged: two of them joined by a linkset, with nothing of the gateway in between.

What one end does wrong to order, the other has to survive as Q.704 says; the checker sees to the rest."""
import contextlib
import signal
import socket
import subprocess
import sys

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TOP, TRANSPORT, free_port, wait_for

sys.path.insert(0, str(TOP / "tests" / "tools"))
from tshark_oracle import tshark_check_pcap, write_pcap  # noqa: E402

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")


class Pair:
    """Node a (1-1-1) listens, node b (2-2-2) connects; `links` links between them."""

    def __init__(self, links=2, a="", b="", variant="itu"):
        self.udp = free_port()
        pa, pb = free_port(16), free_port(16)
        pcs = ("1-1-1", "2-2-2")
        self.common = ["--transport", TRANSPORT, "--gateway", "127.0.0.1", "--udp-port", self.udp, "--local-udp-port",
                       self.udp, "--connect-timeout", f"{int(10 * PATIENCE)}s", "--variant", variant,
                       "--settle", "20ms", "--drain", "2s"]
        self.a = ["--node", f"name=a,pc={pcs[0]},adjacent={pcs[1]},links={links},side=server,local-port={pa},"
                  f"gateway-port={pb}{a}"]
        self.b = ["--node", f"name=b,pc={pcs[1]},adjacent={pcs[0]},links={links},local-port={pb},gateway-port={pa}{b}"]

    def args(self):
        return self.common + self.a + self.b


def both(more="rate=500"):
    return ["--flow", f"from=a,to=b,{more}", "--flow", f"from=b,to=a,{more}"]


def at(*events):
    return [word for event in events for word in ("--at", event)]


def passes(run):
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass", text
    return {n["name"]: n for n in verdict["nodes"]}


@pytest.mark.sanitized
@pytest.mark.parametrize("variant,sls", [("itu", "0-15"), ("ansi", "0-255"), ("china", "0-15"), ("japan", "0-15")])
@pytest.mark.parametrize("links", [1, 4])
def test_messages_pass_in_every_variant(start_sim, variant, sls, links):
    pair = Pair(links=links, variant=variant)
    nodes = passes(start_sim(pair.args() + both(f"rate=1000,count=400,size=ss7,sls={sls}")))
    for node in nodes.values():
        assert all(link["state"] == "in-service" and link["rx_msu"] > 20 for link in node["links"])
        assert node["rx_slt"] >= 2 * links and node["malformed"] == node["stray"] == 0


@pytest.mark.sanitized
@pytest.mark.parametrize("events", [
    ("300ms:a.0:drop", "900ms:a.0:connect"), ("300ms:b.1:drop", "900ms:b.1:connect"),
    ("300ms:a.0:abort", "900ms:a.0:connect"), ("300ms:b.0:abort", "900ms:b.0:connect"),
    ("300ms:a.0:deactivate", "900ms:a.0:activate"), ("300ms:b.0:deactivate", "900ms:b.0:activate"),
    ("300ms:a.0:drop", "350ms:a.1:drop", "900ms:a:connect")], ids=lambda e: e[0])
def test_changeover_and_changeback_keep_every_message(start_sim, events):
    nodes = passes(start_sim(Pair(links=3).args() + both("rate=1000") + at(*events) + ["--duration", "3"]))
    assert nodes["a"]["changeovers"] and nodes["b"]["changeovers"]
    assert nodes["a"]["changebacks"] and nodes["a"]["changeover_unanswered"] == 0
    assert all(link["state"] == "in-service" for n in nodes.values() for link in n["links"])


@pytest.mark.sanitized
@pytest.mark.parametrize("event,counter", [("stop-ack", "t7_expired"), ("wrong-fsn", "t7_expired")])
def test_what_is_not_acknowledged_goes_over_another_link(start_sim, event, counter):
    run = start_sim(Pair(a=",t7=300ms", b=",t7=300ms").args() + both() + at(f"300ms:a.0:{event}") + ["--duration", "2"])
    nodes = passes(run)
    assert sum(link[counter] for n in nodes.values() for link in n["links"]) >= 1
    # what was accepted and not acknowledged is not sent again; what was refused is
    assert event == "stop-ack" or sum(link["retrieved"] for n in nodes.values() for link in n["links"]) >= 1


@pytest.mark.sanitized
@pytest.mark.parametrize("by", "ab")
def test_an_inhibited_link_rests_and_comes_back(start_sim, by):
    """LIN and LIA, then LUN and LUA: nothing is lost, and no link fails."""
    run = start_sim(Pair(a=",co-t1=200ms", b=",co-t1=200ms").args() + both("rate=1000") +
                    at(f"300ms:{by}.0:inhibit", f"1s:{by}.0:uninhibit") + ["--duration", "2"])
    nodes = passes(run)
    assert nodes[by]["inhibited"] == 1 and nodes[by]["inhibit_unanswered"] == 0
    assert all(link["failures"] == 0 and link["in_service"] == 1 for n in nodes.values() for link in n["links"])
    assert all(n["changebacks"] >= 1 for n in nodes.values())


def test_the_last_link_is_not_inhibited(start_sim):
    nodes = passes(start_sim(Pair(links=1).args() + both("rate=200") + at("200ms:a.0:inhibit") + ["--duration", "0.5"]))
    assert nodes["a"]["inhibit_denied"] == 1 and nodes["b"]["inhibited"] == 0


def test_a_missing_user_part_is_told(start_sim):
    nodes = passes(start_sim(Pair().args() + both("rate=200") + at("200ms:a:upu=2-2-2/5") + ["--duration", "0.5"]))
    assert nodes["b"]["upu"] == 1


@pytest.mark.parametrize("event", ["busy", "po"])
def test_a_short_pause_loses_nothing(start_sim, event):
    run = start_sim(Pair().args() + both() + at(f"300ms:a.0:{event}", f"600ms:a.0:{event}-end") + ["--duration", "1.5"])
    nodes = passes(run)
    assert all(link["failures"] == 0 for n in nodes.values() for link in n["links"])


def test_a_busy_peer_is_given_up_after_t6(start_sim):
    run = start_sim(Pair(a=",t6=300ms", b=",t6=300ms").args() + both("rate=2000") +
                    at("300ms:a.0:stop-ack", "301ms:a.0:busy") + ["--duration", "2"])
    nodes = passes(run)
    assert nodes["b"]["links"][0]["t6_expired"] == 1


def test_a_long_outage_moves_the_traffic(start_sim):
    run = start_sim(Pair(a=",co-t1=200ms", b=",co-t1=200ms").args() + both() +
                    at("300ms:a.0:po", "1s:a.0:po-end") + ["--duration", "1.5"])
    status, verdict, text = run.finish()
    assert status in (0, 1), text
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text  # what was on its way when it began
    assert verdict["totals"]["lost"] < 200 and verdict["totals"]["unsent"] == 0, text
    assert all(link["state"] == "in-service" for n in verdict["nodes"] for link in n["links"])


def test_a_prohibited_destination_gets_nothing(start_sim):
    run = start_sim(Pair(b=",behind=3-3-3/3-3-4").args() + [
        "--flow", "from=a,to=b,rate=200,dpc=3-3-3", "--flow", "from=a,to=b,rate=200,dpc=3-3-4"] +
        at("300ms:b:tfp=3-3-3", "900ms:b:tfa=3-3-3", "1s:b:tfr=3-3-4", "1s:b:tfc=3-3-3/1") + ["--duration", "1.4"])
    status, verdict, text = run.finish()
    assert status == 0, text
    sent = [f["sent"] for f in verdict["flows"]]
    assert sent[1] == 280 and 80 <= sent[0] <= 220, sent  # 140, if both come on time
    assert verdict["nodes"][0]["tfc"] == 1


def test_a_node_restarts(start_sim):
    status, verdict, text = start_sim(
        Pair().args() + both("rate=200") + at("300ms:b:restart") + ["--duration", "3"]).finish()
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"}, text
    assert verdict["totals"]["lost"] < 200 and verdict["totals"]["unsent"] == 0, text
    assert all(link["in_service"] == 2 for n in verdict["nodes"] for link in n["links"]), text
    assert status in (0, 1)


def test_links_over_ipv6(start_sim):
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).bind(("::1", 0))
    except OSError:
        pytest.skip("no IPv6 here")
    args = ["::1" if arg == "127.0.0.1" else arg for arg in Pair(a=",local=::1", b=",local=::1").args()]
    nodes = passes(start_sim(args + both("rate=500") + at("300ms:a.0:drop", "600ms:a.0:connect") + ["--duration", "1"]))
    assert nodes["a"]["changeovers"] == 1


def test_networks_of_two_variants(start_sim):
    """Two pairs in one process: ITU, and ANSI with its own notation."""
    itu, ansi = Pair(links=1), Pair(links=1)
    ports = [free_port() for _ in range(2)]
    more = ["--node", f"name=x,pc=4.5.6,adjacent=7.8.9,variant=ansi,side=server,local-port={ports[0]},gateway-port={ports[1]}",
            "--node", f"name=y,pc=7.8.9,adjacent=4.5.6,variant=ansi,local-port={ports[1]},gateway-port={ports[0]}",
            "--flow", "from=x,to=y,rate=200,sls=0-255,opc=4.5.6"]
    nodes = passes(start_sim(itu.args() + both("rate=200,count=50") + more + ["--duration", "0.5"]))
    assert nodes["y"]["malformed"] == 0 and nodes["y"]["links"][0]["rx_msu"] > 60 and ansi


def test_any_node_that_serves_a_point_code_may_receive(start_sim):
    """3-3-3 is behind b and behind d: what comes to either is not misrouted."""
    ab, cd = Pair(links=1, b=",behind=3-3-3"), free_port()
    port = free_port()
    more = ["--node", f"name=c,pc=4-4-4,adjacent=5-5-5,side=server,local-port={cd},gateway-port={port}",
            "--node", f"name=d,pc=5-5-5,adjacent=4-4-4,behind=3-3-3,local-port={port},gateway-port={cd}"]
    # c's messages are for b, and come to d
    passes(start_sim(ab.args() + more + ["--flow", "from=c,to=b,dpc=3-3-3,rate=200", "--duration", "0.5"]))


class Combined(Pair):
    """Signalling point b has a second linkset, b2, to node c (3-3-3). 4-4-4 is behind a and behind c."""

    def __init__(self):
        super().__init__(a=",behind=4-4-4")
        pc, pb = free_port(16), free_port(16)
        self.c = ["--node", f"name=b2,with=b,adjacent=3-3-3,links=2,local-port={pb},gateway-port={pc}",
                  "--node", f"name=c,pc=3-3-3,adjacent=2-2-2,links=2,behind=4-4-4,side=server,local-port={pc},"
                            f"gateway-port={pb}"]
        self.flow = ["--flow", "from=b,to=a,dpc=4-4-4,rate=1000", "--flow", "from=c,to=b,rate=200"]

    def args(self):
        return super().args() + self.c + self.flow


@pytest.mark.sanitized
def test_two_linksets_share_the_traffic(start_sim):
    nodes = passes(start_sim(Combined().args() + ["--duration", "0.6"]))
    assert all(sum(link["rx_msu"] for link in nodes[name]["links"]) > 250 for name in "ac")


@pytest.mark.sanitized
def test_a_linkset_that_prohibits_is_left_and_taken_again(start_sim):
    """TFP from c: all goes by a, in order; TFA: c has its share again. Both prohibit: the flow rests."""
    run = start_sim(Combined().args() + at("300ms:c:tfp=4-4-4", "900ms:a:tfp=4-4-4", "1200ms:c:tfa=4-4-4",
                                           "1500ms:a:tfa=4-4-4") + ["--duration", "2"])
    nodes = passes(run)
    assert nodes["c"]["to_prohibited"] <= 50  # on their way
    assert all(sum(link["rx_msu"] for link in nodes[name]["links"]) > 500 for name in "ac")


@pytest.mark.sanitized
def test_a_linkset_that_fails_is_replaced(start_sim):
    """Its neighbour is gone at once: what it had not received is lost, all else is there and in order."""
    run = start_sim(Combined().args() + at("300ms:a:abort", "1s:a:connect") + ["--duration", "2"])
    status, verdict, text = run.finish()
    assert {r["reason"] for r in verdict["reasons"]} <= {"lost"} and status in (0, 1), text
    assert verdict["totals"]["lost"] < 50, text
    assert all(link["in_service"] == 2 for n in verdict["nodes"] if n["name"] == "a" for link in n["links"]), text


@pytest.mark.sanitized
def test_two_processes(start_sim):
    pair = Pair(links=2)
    other = free_port()
    flows = both("rate=500,count=500,window=0")
    a = start_sim(pair.common[:4] + ["--local-udp-port", pair.udp, "--udp-port", other] + pair.common[8:] + pair.a +
                  ["--node", "name=b,pc=2-2-2,links=0"] + flows + ["--duration", "2.5"])
    b = start_sim(pair.common[:4] + ["--local-udp-port", other, "--udp-port", pair.udp] + pair.common[8:] + pair.b +
                  ["--node", "name=a,pc=1-1-1,links=0"] + flows + ["--duration", "2.5"])
    for run in (a, b):
        status, verdict, text = run.finish()
        assert status == 0, text
        assert [f["received"] for f in verdict["flows"]].count(500) == 1


@pytest.mark.sanitized
@pytest.mark.parametrize("payload,si", [("isup", 5), ("sccp", 3)])
def test_payloads_that_look_real(start_sim, payload, si):
    flows = both(f"rate=1000,count=300,size=ss7,payload={payload}") + ["--flow", "from=a,to=b,count=100,si=4"]
    passes(start_sim(Pair().args() + flows))


def test_a_capture_is_replayed(start_sim, tmp_path):
    head = bytes.fromhex("01000101 00000028 02100020 00000001 00000002 03020004")
    messages = [head + b"replay %08d\0" % n for n in range(40)]
    write_pcap(tmp_path / "some.pcap", messages)
    run = start_sim(Pair().args() + ["--replay", f"{tmp_path}/some.pcap,from=a,to=b,rate=1000,count=500,sls=0-14"])
    nodes = passes(run)
    assert sum(link["rx_msu"] for link in nodes["b"]["links"]) >= 500


@contextlib.contextmanager
def captured(pair, pcap):
    """What goes over the links meanwhile is in PCAP."""
    dump = subprocess.Popen(["dumpcap", "-q", "-P", "-i", "lo", "-f", f"udp port {pair.udp}", "-w", str(pcap)],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: pcap.exists() and pcap.stat().st_size > 0, 10, "dumpcap writes")
    try:
        yield
    finally:
        dump.send_signal(signal.SIGINT)
        dump.wait(10)


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
def test_what_they_send_decodes(start_sim, tmp_path):
    pair, pcap = Pair(), tmp_path / "wire.pcap"
    with captured(pair, pcap):
        passes(start_sim(pair.args() + both("rate=200") + at(
            "100ms:a.1:inhibit", "150ms:a.1:uninhibit", "160ms:a:upu=2-2-2/9", "170ms:a:tfp=5-9-1", "180ms:a:tfa=5-9-1",
            "200ms:a.0:drop", "600ms:a.0:connect", "1s:a.1:po", "1.1s:a.1:po-end", "1.2s:a.1:busy",
            "1.3s:a.1:busy-end", "1.4s:b:tfc=2-2-2/1") + ["--duration", "2"]))
    assert tshark_check_pcap(pcap, udp_port=pair.udp) == []


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
def test_payloads_decode_to_the_last_octet(start_sim, tmp_path):
    """Calls by ISUP, and TCAP dialogues in unitdata, of all sizes: every message is one that Wireshark knows, whole."""
    pair, pcap = Pair(), tmp_path / "wire.pcap"
    with captured(pair, pcap):
        passes(start_sim(pair.args() + both("rate=400,size=ss7,payload=isup") + both("rate=400,size=ss7,payload=sccp") +
                         ["--duration", "1"]))

    def found(what):
        run = subprocess.run(["tshark", "-r", str(pcap), "-d", f"udp.port=={pair.udp},sctp", "-o", "tcap.ssn:250-251", "-Y", what],
                             capture_output=True, text=True, timeout=60, check=True)
        return run.stdout

    # warnings and worse; not of SCTP, which a late acknowledgement makes repeat itself
    assert found("_ws.malformed or (_ws.expert.severity >= 0x00600000 and not sctp.retransmission)") == ""
    for kind in [f"isup.message_type == {n}" for n in (1, 6, 9, 12, 16)] + [
            f"tcap.{n}_element" for n in ("begin", "continue", "end")]:
        assert len(found(kind).splitlines()) > 10, kind


# a node has no console; of level 3's, those that need no other neighbour
CONFORMANCE = [path for path in sorted((TOP / "tests/scenarios/m2pa").glob("*.scn")) if "\nconsole " not in path.read_text()]
CONFORMANCE += [TOP / f"tests/scenarios/mtp3/slt-{name}.scn" for name in (
    "periodic", "unanswered", "wrong-originator", "wrong-pattern", "wrong-slc")]


@pytest.mark.parametrize("scenario", CONFORMANCE, ids=lambda p: p.stem)
def test_a_node_conforms(start_sim, scenario):
    """The scenarios written for the gateway's links, with ss7sim's own node in its place."""
    udp, local_udp, port, peer = (free_port() for _ in range(4))
    # waits until it is there: listening comes first
    node = start_sim(["--transport", TRANSPORT, "--udp-port", local_udp, "--local-udp-port", udp, "--gateway", "127.0.0.1",
                      "--node", f"name=g,pc=1-1-1,adjacent=2-2-2,side=server,local-port={port},t4n=150ms,slt-t1=3s,slt-t2=1s"])
    done = subprocess.run([str(BUILD / "ss7sim"), "--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port", str(port),
                           "--udp-port", str(udp), "--local-udp-port", str(local_udp), "--script", str(scenario),
                           "--set", f"peer={peer}", "--patience", str(SCRIPT_PATIENCE)],
                          capture_output=True, text=True, timeout=40 * PATIENCE, stdin=subprocess.DEVNULL)
    node.proc.terminate()
    node.finish()
    assert done.returncode == 0, done.stderr


def test_a_neighbour_that_is_not_there(start_sim):
    pair = Pair(links=1)
    status, verdict, text = start_sim(pair.common[:9] + ["1s"] + pair.common[10:] + pair.b).finish()
    assert status == 2 and verdict is None
    assert "b.0 is" in text


@pytest.mark.parametrize("node,flow,why", [
    ("name=a,pc=1-1-1", "", "needs adjacent="),
    ("name=a,adjacent=1-1-1", "", "needs pc="),
    ("name=a,pc=1-1-1,adjacent=2-2-2,links=17", "", "not a number up to 16"),
    ("name=a,pc=1-1-1,adjacent=2-2-2,links=2,slc=15", "", "SLCs up to 15"),
    ("name=a,pc=1-1-1,adjacent=2-2-2,behind=9-9-9-9", "", "behind="),
    ("name=a,pc=1-1-1,adjacent=2-2-2", "from=a,to=a,dpc=3-3-3", "does not serve"),
    ("name=a,pc=1-1-1,adjacent=2-2-2", "from=a,to=a,sls=0-31", "SLS 16 is too large"),
    ("name=a,pc=1-1-1,adjacent=2-2-2", "from=a,to=a,size=40-269", "from 24 (what the check needs) to 268"),
    ("name=a,pc=1-300-1,adjacent=2-2-2,variant=ansi", "", "needs pc="),
    ("name=a,with=b,adjacent=2-2-2", "", "with= is not the first linkset"),
    ("name=a,pc=1.1.1,adjacent=2.2.2,variant=ansi", "from=a,to=a,size=266", "to 265 (the node's max-sif"),
    ("name=a,pc=1-1-1,adjacent=2-2-2", "from=a,to=x", "no --as and no --node"),
])
def test_what_makes_no_sense_is_refused(start_sim, node, flow, why):
    args = ["--gateway", "127.0.0.1", "--node", node] + (["--flow", flow] if flow else [])
    status, _, text = start_sim(args).finish()
    assert status == 2 and why in text, text
