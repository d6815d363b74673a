# SPDX-License-Identifier: GPL-2.0-or-later
"""Combined linksets: which SLS goes by which linkset and link, in shares that are even, and with the SLS rotated in ANSI
networks (Q.704 s.2.3.2, T1.111.4 s.7)."""
import subprocess

import pytest

from conftest import PATIENCE, TRANSPORT, free_port, wait_for
from intruders import drops
from test_emitted import capture, tshark_check_pcap  # noqa: F401
from test_mated import at, gateway_config, link, linkset, route, verdict_of, via

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")

RATE = 400 if PATIENCE < 2 else 100
LINKS = 4
HOLD = 2000  # ms of T6, for what must not wait to be much more than what must
# by network: the SLSs that go to the east, those to the west; bits that are rotated on the way
NETWORKS = {
    'variant = "itu";': (range(8), range(8, 16), 0),
    'variant = "itu"; linkset-bit = 1;': (range(0, 16, 2), range(1, 16, 2), 0),
    'variant = "ansi"; sls-bits = 5;': (range(0, 32, 2), range(1, 32, 2), 5),
    'variant = "ansi";': (range(0, 256, 2), range(1, 256, 2), 8),
}


class Stp:
    """1-1-1 between src and the pair east and west, which both reach 3-3-3."""

    def __init__(self, start_daemon, network, timers="", bound=10000):
        self.east, self.west, rotation = NETWORKS[network]
        self.port, self.udp, self.console, self.local_udp, self.peers = *(free_port() for _ in range(4)), free_port(12)
        variant = "ansi" if "ansi" in network else "itu"
        links, linksets, self.nodes = [], [], ["--variant", variant]
        for i, (name, pc) in enumerate((("src", "2-2-1"), ("east", "2-2-2"), ("west", "2-2-3"))):
            names = [f"{name}-{k}" for k in range(LINKS)]
            links += [link(n, k, self.peers + LINKS * i + k) for k, n in enumerate(names)]
            linksets.append(linkset(name, pc, *names).replace("links =", f"pending-limit = {bound}; links ="))
            behind = ",behind=3-3-3" if name != "src" else ""
            self.nodes += ["--node", f"name={name},pc={pc},adjacent=1-1-1,links={LINKS},gateway-port={self.port},"
                           f"local-port={self.peers + LINKS * i},sls-rotation={rotation}{behind}"]
        config = gateway_config(
            self.console, "127.0.0.1", self.port, self.udp, "1-1-1", links, linksets,
            (route("3-3-3", "east"), route("3-3-3", "west")),
            networks=f'{{ name = "national"; {network} indicator = 2; point-codes = ( "1-1-1" ); }}')
        self.daemon = start_daemon(config.replace("mtp3 = {", f"mtp3 = {{ {timers}"), self.console)

    def run(self, start_sim, *more, duration=3, west_rate=RATE):
        flows = [word for to, slss, rate in (("east", self.east, RATE), ("west", self.west, west_rate)) for word in (
            "--flow", f"from=src,to={to},rate={rate},dpc=3-3-3,sls={'/'.join(str(s) for s in slss)}")]
        return start_sim(["--transport", TRANSPORT, "--gateway", "127.0.0.1", "--udp-port", self.udp, "--local-udp-port",
                          self.local_udp, "--connect-timeout", f"{int(20 * PATIENCE)}s", "--settle", "1s", "--drain", "2s",
                          *self.nodes, *flows, "--duration", duration, *more])

    def lookup(self, sls):
        return self.daemon.show(f"show route lookup national 2-2-1 3-3-3 3 {sls}")["lookup"]


def received(verdict, *names):
    """By link: MSUs that came in to these nodes."""
    return [link["rx_msu"] for node in verdict["nodes"] if node["name"] in names for link in node["links"]]


@pytest.mark.parametrize("network", NETWORKS)
def test_a_combined_linkset_shares_evenly(start_daemon, start_sim, network):
    """Each message goes by the linkset of its SLS, in order, and each link carries as much as any other."""
    stp = Stp(start_daemon, network)
    run = stp.run(start_sim)
    wait_for(lambda: via(stp.daemon, "3-3-3") == ["east", "west"], 20, "both linksets carry it")
    assert [stp.lookup(slss[-1])["via"] for slss in (stp.east, stp.west)] == ["east", "west"]
    status, verdict, text = verdict_of(run)
    assert status == 0, text
    shares = received(verdict, "east", "west")
    assert len(shares) == 2 * LINKS and max(shares) - min(shares) <= 16 + verdict["totals"]["sent"] // 40, shares


@pytest.mark.parametrize("network", ['variant = "itu";', 'variant = "ansi";'])
def test_only_what_a_lost_linkset_carried_moves(start_daemon, start_sim, network):
    """West goes: its share goes to all links of the east, and is back when the west is. The east's stays all the time."""
    stp = Stp(start_daemon, network)
    run = stp.run(start_sim, *at("1s:west:deactivate", "3s:west:activate"), duration=6)
    for there in (["east", "west"], ["east"], ["east", "west"]):
        wait_for(lambda: via(stp.daemon, "3-3-3") == there, 20, there)
    _, verdict, text = verdict_of(run)
    kept, moved = verdict["flows"]
    assert kept["received"] == kept["sent"] and kept["lost"] == 0, text
    assert verdict["totals"]["repeated"] == verdict["totals"]["reordered"] == 0, text
    assert moved["lost"] < RATE, text  # it was away for two seconds
    shares = received(verdict, "east")
    assert max(shares) - min(shares) <= 16 + sum(shares) // 40, shares


@pytest.mark.sanitized
@pytest.mark.parametrize("worse", ["tfp", "tfr"])
def test_what_stays_does_not_wait(start_daemon, start_sim, worse):
    """West says TFP (or TFR) and TFA for 3-3-3, and its share goes, and comes back after T6 (which waits before TFR is
    obeyed, too). Far more of the east's comes meanwhile than may wait, and none of it is discarded."""
    stp = Stp(start_daemon, 'variant = "itu";', f"restricted = true; t6 = {HOLD};", RATE * HOLD // 2000)
    run = stp.run(start_sim, *at(f"1s:west:{worse}=3-3-3", "5s:west:tfa=3-3-3"), duration=9, west_rate=RATE // 20)
    for there in (["east", "west"], ["east"], ["east", "west"]):
        wait_for(lambda: via(stp.daemon, "3-3-3") == there, 20 * PATIENCE, there)
    status, verdict, text = verdict_of(run, 120)
    assert status == 0 and verdict["verdict"] == "pass", text
    assert drops(stp.daemon).keys() <= {"association-down"}  # level 3's own, as the nodes leave
    held = sum(worker["held"] for worker in stp.daemon.show("show workers")["workers"])
    kept, moved = verdict["flows"]
    assert sum(received(verdict, "east")) > kept["sent"] and 0 < held < moved["sent"], (held, text)


def slss(path, udp_port, which):
    """Those of SCCP's messages, in packets that are such, as tshark decodes them."""
    run = subprocess.run(["tshark", "-r", str(path), "-Y", which, "-d", f"udp.port=={udp_port},sctp", "-o", "mtp3.standard:ANSI",
                          "-o", "m2pa.version:RFC4165", "--disable-protocol", "sccp", "-T", "fields",
                          "-e", "mtp3.service_indicator", "-e", "mtp3.sls"], capture_output=True, text=True, timeout=120, check=True)
    rows = [zip(*(field.split(",") for field in line.split("\t"))) for line in run.stdout.splitlines() if line.strip()]
    return {int(sls) for row in rows for si, sls in row if int(si, 0) == 3}


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
def test_an_sls_leaves_rotated(start_daemon, start_sim, capture):  # noqa: F811
    """On the wire to east: 2, 4, 6 have become 1, 2, 3, as tshark reads them."""
    stp = Stp(start_daemon, 'variant = "ansi";')
    stop = capture(f"udp port {stp.udp}")
    stp.east, stp.west = (2, 4, 6), (1,)
    status, _, text = verdict_of(stp.run(start_sim, duration=1))
    assert status == 0 and stp.daemon.stop() == 0, text
    path = stop()
    assert tshark_check_pcap(path, udp_port=stp.udp) == []
    assert slss(path, stp.udp, f"sctp.dstport == {stp.port}") == {1, 2, 4, 6}
    assert slss(path, stp.udp, f"sctp.dstport in {{{stp.peers + LINKS}..{stp.peers + 3 * LINKS - 1}}}") == {128, 1, 2, 3}
