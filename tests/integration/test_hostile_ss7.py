# SPDX-License-Identifier: GPL-2.0-or-later
"""Neighbours that mean ill, or have lost their wits, on M2PA links beside a healthy linkset and healthy ASs: they harm
nobody but themselves, cost a bounded part of everything, and their links come back when they behave."""
import random
import re
import struct
import time

import pytest

from conftest import TRANSPORT, wait_for
from intruders import EVIL, log_lines, resident_kib
from m2pa_peer import (ALIGNMENT, BUSY, BUSY_ENDED, COO, ECO, LIN, LINK_STATUS, LUN, NO_FSN, OUT_OF_SERVICE, PROCESSOR_OUTAGE,
                       PROCESSOR_RECOVERED, PROVING_NORMAL, READY, SLTM, TEST, TFA, TFC, TFP, TFR, UPU, USER_DATA, XCO,
                       M2paPeer, dest, m2pa, msu, snm)
from m3ua_peer import DUPU, SCON, TcpPeer, data, point_code
from test_ss7 import QUICK, Lab

pytestmark = [pytest.mark.sanitized, pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")]

US, PC_EVIL, BEYOND, NEIGHBOUR = (point_code(pc) for pc in ("1-1-1", "5-5-5", "6-6-6", "2-2-2"))
PC_AS, RC_AS = point_code("1-2-5"), 30
EVIL_LINKS = (EVIL, "127.0.0.3")  # where the peers of links evil-0 and evil-1 are


class HostileLab(Lab):
    """Beside the linkset to stp, linkset `evil` to 5-5-5, behind which 6-6-6 is, and AS `ev` (1-2-5) for a TCP peer."""

    def __init__(self, start_daemon, start_sim):
        super().__init__(lambda config, port: start_daemon(self.more(config), port), start_sim,
                         l3="t18 = 300; t20 = 300; t21 = 300; t23 = 500;")
        self.run = None

    @staticmethod
    def more(config):
        port = re.search(r"\nlisteners = .*?port = (\d+)", config, re.S)[1]
        links = ", ".join(f'{{ name = "evil-{slc}"; slc = {slc}; remote-addresses = ( "{address}" ); '
                          f'transmit-queue = 500; {QUICK} }}'
                          for slc, address in enumerate(EVIL_LINKS))
        for begin, row in (
                ("node = {", "shutdown-time = 200;"),
                ("listeners = (", f'{{ name = "tcp"; transport = "tcp"; addresses = ( "127.0.0.1" ); port = {port}; }},'),
                ("asps = (", '{ name = "evil"; remote-addresses = ( "127.0.0.4" ); },'),
                ("application-servers = (", f'{{ name = "ev"; network = "national"; routing-context = {RC_AS}; '
                                            'asps = ( "evil" ); routing-keys = ( { dpc = "1-2-5"; } ); },'),
                ("links = (", links + ","),
                ("linksets = (", '{ name = "evil"; network = "national"; adjacent = "5-5-5"; '
                                 'links = ( "evil-0", "evil-1" ); },'),
                ("routes = (", '{ network = "national"; destination = "6-6-6"; via = "evil"; },')):
            config = config.replace(f"\n{begin}", f"\n{begin} {row}", 1)
        return config

    def peer(self, slc=0, **options):
        return M2paPeer(self.ports.gateway, PC_EVIL, US, slc, local=EVIL_LINKS[slc], **options)

    def peers_up(self):
        peers = [self.peer(slc) for slc in (0, 1)]
        both_up(peers)[0].until(self.linkset_is_up, 20, "the linkset is up", peers[1:])
        return peers

    def asp(self):
        return TcpPeer(self.ports.gateway, local="127.0.0.4").activate(RC_AS)

    def link(self, slc):
        return self.daemon.show(f"show link evil-{slc}")["link"]

    def linkset_is_up(self):
        linkset = self.daemon.show("show linkset evil")["linkset"]
        return linkset["state"] == "up" and linkset["available"] == 2

    def begin(self):
        """Traffic between stp and the ASs; what there was before the attack."""
        self.run = self.start(flows=self.both_ways(200), duration=3)
        wait_for(lambda: sum(a["state"] == "ASP-ACTIVE" for a in self.daemon.show("show asp")["asps"]) >= 4, 15,
                 "four ASPs active")
        self.lines, self.memory = log_lines(self.daemon), resident_kib(self.daemon)

    def unharmed(self, peers=(), lines=1000, kib=60000):
        """The others had all their traffic; log and memory are bounded; the attacked linkset is in order again when its
        peers are; the daemon ends in order."""
        status, verdict, text = self.judged(self.run)
        assert status == 0 and verdict["verdict"] == "pass", text
        assert all(link["in_service"] == 1 for link in verdict["nodes"][0]["links"]), text
        assert log_lines(self.daemon) - self.lines < lines
        assert resident_kib(self.daemon) - self.memory < kib
        for p in peers:
            p.close()
        good = [self.peer(0), self.peer(1)]
        good[0].until(self.linkset_is_up, 20, "the linkset is up", good[1:])
        assert self.daemon.stop() == 0


@pytest.fixture
def lab(start_daemon, start_sim):
    return HostileLab(start_daemon, start_sim)


def both_up(peers):
    peers[0].until(lambda: all(p.is_up() for p in peers), 20, "both links are in service", peers[1:])
    return peers


# ---- every message of level 3 ----

HEADINGS, LENGTHS = range(256), range(11)


def anything_of_level_3(rng):
    """Every heading code in every length, in an order that is always the same; some with point codes, a network or a
    service that are none of theirs. Of another neighbour's point code none is: whom a message claims to be from is
    believed (Q.704 s.2.3.4)."""
    found = []
    for heading in HEADINGS:
        for length in LENGTHS:
            opc, dpc = PC_EVIL, US
            if rng.random() < .2:
                opc = rng.choice((BEYOND, US, 0, 0x3FFF, rng.randrange(0x4000)))
                dpc = rng.choice((BEYOND, PC_EVIL, PC_AS, 0, 0x3FFF, rng.randrange(0x4000)))
            si = rng.choice((0, 0, 0, 0, 0, 1, 1, 2, 3, 15))
            fields = rng.randbytes(length)
            if length >= 2 and rng.random() < .5:
                fields = dest(rng.choice((US, PC_EVIL, BEYOND, PC_AS, 77))) + fields[2:]
            unit = msu(opc, dpc, rng.randrange(16), bytes([heading]) + fields, si, rng.choice((2, 2, 2, 2, 0, 3)))
            found.append(unit[:rng.choice((len(unit),) * 20 + (3, 5))])
    rng.shuffle(found)
    return [unit for unit in found if opc_of(unit) != NEIGHBOUR]


def opc_of(unit):
    return struct.unpack("<I", (unit[1:5] + bytes(4))[:4])[0] >> 14 & 0x3FFF


def in_outage(peers):
    peers[0].status(PROCESSOR_OUTAGE)
    peers[1].serve()


def after_outage(peers):
    peers[0].status(PROCESSOR_RECOVERED)


def busy(peers):
    peers[0].status(BUSY)


def not_busy(peers):
    peers[0].status(BUSY_ENDED)


def alone(peers):
    peers[1].aligns = False
    peers[1].status(OUT_OF_SERVICE)


def untested(peers):
    peers[0].tests = False
    peers[0].status(OUT_OF_SERVICE)


def nothing(peers):
    pass


# how it begins, how it ends, how many messages come in it
STATES = {"in-service": (nothing, nothing, 400), "remote-outage": (in_outage, after_outage, 400),
          "busy": (busy, not_busy, 400), "alone": (alone, nothing, 400), "untested": (untested, nothing, 1000)}


@pytest.mark.parametrize("state", STATES)
def test_every_management_message_of_every_length(lab, state):
    peers = lab.peers_up()
    lab.begin()
    rng = random.Random(state)
    units = anything_of_level_3(rng)
    enter, leave, at_once = STATES[state]
    for at in range(0, len(units), at_once):
        enter(peers)
        if state == "untested":
            peers[0].until(lambda: peers[0].in_service, 15, "the link is in service", peers[1:])
        peers[0].user_data(*units[at:at + at_once])
        for p in peers:
            p.serve(.02)
        leave(peers)
        peers[0].tests = peers[1].aligns = True
        peers[0].until(lambda: peers[0].in_service, 15, "the link is in service", peers[1:])
    lab.unharmed(peers)


# ---- every message of level 2 ----


def anything_of_level_2(rng, peer):
    """A message that is right, nearly right, or not at all; its length field is that of the frame, or not for long."""
    near = (peer.fsn, peer.bsn, peer.fsn + 1, peer.bsn - 1, peer.bsn + 1, 0, NO_FSN, NO_FSN - 1, 0xFFFFFFFF, 0x1000000,
            rng.randrange(NO_FSN))
    bsn, fsn = (rng.choice(near) & 0xFFFFFFFF for _ in range(2))
    if rng.random() < .5:
        bsn, fsn = peer.bsn, peer.fsn + 1 & NO_FSN
    how = rng.random()
    if how < .35:
        state = rng.choice((*range(1, 10), *range(1, 10), 0, 10, 0x100, 0xFFFFFFFF, rng.getrandbits(32)))
        body = struct.pack("!I", state) + rng.randbytes(rng.choice((0, 0, 0, 1, 4, 100, 2000)))
        return m2pa(LINK_STATUS, bsn, fsn, body[:rng.choice((len(body),) * 9 + (0, 1, 3))])
    if how < .7:
        unit = msu(PC_EVIL, rng.choice((US, BEYOND, PC_AS)), rng.randrange(16),
                   rng.randbytes(rng.choice((0, 1, 9, 272, 4000))), rng.choice((0, 1, 2, 3, 5)))
        body = bytes([rng.randrange(256)]) + unit
        if fsn == peer.fsn + 1 & NO_FSN:
            peer.fsn = fsn
        return m2pa(USER_DATA, bsn, fsn, body[:rng.choice((len(body),) * 9 + (0, 1, 2, 3, 4, 6))])
    return m2pa(rng.choice((0, 1, 2, 3, 255)), bsn, fsn, rng.randbytes(rng.choice((0, 1, 4, 40))),
                version=rng.choice((0, 1, 1, 2, 255)), spare=rng.randrange(256), group=rng.choice((0, 1, 11, 11, 12, 255)))


@pytest.mark.parametrize("seed", (1, 2))
def test_nonsense_of_level_2_in_every_state(lab, seed):
    peers = lab.peers_up()
    lab.begin()
    rng = random.Random(seed)
    sent, again = 0, 0
    while sent < 3000:
        slc = rng.randrange(2)
        try:
            p = peers[slc]
            p.aligns = rng.random() < .8
            for _ in range(rng.choice((1, 1, 5, 30))):
                p.send(anything_of_level_2(rng, p))
                sent += 1
            p.serve(rng.choice((0, .001, .001, .05)))
        except OSError:
            again += 1
            peers[slc] = lab.peer(slc)
    assert again < 100
    lab.unharmed(peers)


def test_messages_may_come_byte_by_byte_and_a_lost_frame_ends_the_association(lab):
    peers = [lab.peer(0), lab.peer(1)]
    whole = [p.send for p in peers]
    for p, send in zip(peers, whole):
        p.send = lambda raw, send=send: [send(bytes([octet])) for octet in raw]
    both_up(peers)
    lab.begin()
    for p, send, length in zip(peers, whole, (0xFFFFFFFF, 3)):
        send(m2pa(USER_DATA, 0, 0, length=length) + bytes(100))
        wait_for(lambda p=p: p.receive(.05) is None and p.closed, what="the association is ended")
    lab.unharmed(peers)


def test_a_second_association_replaces_the_first_every_time(lab):
    peers = lab.peers_up()
    lab.begin()
    for n in range(100):
        old, peers[0] = peers[0], lab.peer(0)
        peers[0].status((ALIGNMENT, PROVING_NORMAL, READY, OUT_OF_SERVICE)[n % 4])
        peers[1].serve()
        if n % 4 == 0:  # else it may be that its end is heard of first
            wait_for(lambda old=old: old.receive(.05) is None and old.closed, what="the first one is ended")
        old.close()
    assert lab.link(0)["level-2-counters"]["replaced"] >= 25
    lab.unharmed(peers)


def test_floods_of_link_status(lab):
    """Of each one alone, in service, and of all in turn."""
    peers = lab.peers_up()
    lab.begin()
    for state in (BUSY, BUSY_ENDED, PROCESSOR_OUTAGE, PROCESSOR_RECOVERED, READY, PROVING_NORMAL, ALIGNMENT, OUT_OF_SERVICE):
        both_up(peers)
        for _ in range(10):
            peers[0].send(m2pa(LINK_STATUS, peers[0].bsn, peers[0].fsn, struct.pack("!I", state)) * 200)
            peers[0].serve()
            peers[1].serve()
    for _ in range(50):
        peers[0].send(b"".join(m2pa(LINK_STATUS, NO_FSN, NO_FSN, struct.pack("!I", s)) for s in range(1, 10)) * 5)
        for p in peers:
            p.serve()
    lab.unharmed(peers)


# ---- a neighbour that never acknowledges ----

def test_what_is_never_acknowledged_is_bounded_and_t7_ends_it(lab):
    peers = lab.peers_up()
    lab.begin()
    asp = lab.asp()
    for p in peers:
        p.acknowledges = False
    was = [p.times_in_service for p in peers]
    for n in range(40):
        asp.send(b"".join(data(PC_AS, BEYOND, sls=i % 16, rc=RC_AS, payload=bytes(200)) for i in range(250)))
        asp.collect(.001)
        for slc, p in enumerate(peers):
            p.serve()
            link = lab.link(slc)
            assert link["unacknowledged"] + link["waiting"] < 600, link
    peers[0].until(lambda: all(p.times_in_service > n for p, n in zip(peers, was)), 20, "T7 expires", peers[1:])
    counters = [lab.link(slc)["level-2-counters"] for slc in (0, 1)]
    assert all(c["t7-expired"] >= 1 for c in counters), counters
    lab.unharmed(peers)


# ---- storms of level 3 ----

def storm(peers, units, each=100):
    """Sends UNITS by the first peer, as fast as they are acknowledged: what comes beyond a receiver that is busy is lost, and
    the link with it, for its FSN is."""
    for at in range(0, len(units), each):
        peers[0].user_data(*units[at:at + each])
        peers[0].until(lambda: peers[0].unacknowledged() < 3 * each, what="acknowledgements", others=peers[1:])
        for p in peers:
            p.serve()


def test_thousands_of_prohibited_destinations_are_forgotten(lab):
    """Of routes that exist, and of none, of ourselves, of the neighbour itself."""
    peers = lab.peers_up()
    lab.begin()
    asp = lab.asp()
    asp.collect(.05)
    for heading in (TFP, TFR, TFA, TFP, TFA):
        storm(peers, [snm(PC_EVIL, US, 0, heading, dest(pc)) for pc in (*range(0, 0x4000, 8), US, PC_EVIL, PC_AS, BEYOND)])
    peers[0].manage(SLTM, bytes([0x80]) + b"finished", si=TEST)
    peers[0].until(lambda: peers[0].headings.get((TEST, 0x21)), what="everything has been taken", others=peers[1:])
    status = {d["point-code"]: d["status"] for d in lab.daemon.show("show destination")["destinations"]}
    assert len(status) < 20 and status["6-6-6"] == status["5-5-5"] == status["1-2-5"] == "available", status
    assert len(asp.collect(.05)) < 40
    lab.unharmed(peers)


def test_orders_for_links_that_do_not_exist(lab):
    peers = lab.peers_up()
    lab.begin()
    was = [p.times_in_service for p in peers]
    storm(peers, [snm(PC_EVIL, US, slc, heading, bytes(4)) for heading in (COO, XCO, ECO, LIN, LUN, 0x51, 0x66, 0x76, 0x86)
                  for slc in range(2, 16) for _ in range(20)])
    peers[0].serve(.1)
    assert [p.times_in_service for p in peers] == was
    assert lab.linkset_is_up()
    lab.unharmed(peers)


def test_storms_of_inhibition_and_changeover(lab):
    """LIN and LUN for one link, orders to give up the other, thousands of times."""
    peers = lab.peers_up()
    lab.begin()
    storm(peers, [snm(PC_EVIL, US, 1, heading) for _ in range(1000) for heading in (LIN, LUN)])
    storm(peers, [snm(PC_EVIL, US, 1, heading, bytes(3)) for _ in range(700) for heading in (COO, XCO, ECO)])
    lab.unharmed(peers)


# DUPU once in T8, 800 ms at least; SCON once in Q.714's shortest attack timer, but for four at once
@pytest.mark.parametrize("heading,fields,told,every", [(UPU, b"\x03", DUPU, .8), (TFC, b"", SCON, .06)], ids=("upu", "tfc"))
def test_storms_about_users_and_congestion_reach_asps_within_bounds(lab, heading, fields, told, every):
    peers = lab.peers_up()
    lab.begin()
    asp = lab.asp()
    asp.collect(.05)
    began = time.monotonic()
    storm(peers, [snm(PC_EVIL, PC_AS, 0, heading, dest(BEYOND) + fields) for _ in range(4000)])
    storm(peers, [snm(PC_EVIL, US, 0, heading, dest(BEYOND) + fields) for _ in range(4000)])
    heard = [m.type for m in (asp.expect(told), *asp.collect(.1))]
    assert 1 <= heard.count(told) <= 2 * ((time.monotonic() - began) / every + 4)
    lab.unharmed(peers)
