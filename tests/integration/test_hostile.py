# SPDX-License-Identifier: GPL-2.0-or-later
"""Peers that mean ill, or have lost their wits, beside well-behaved ones: each gets the answer that RFC 4666 has for
it, costs a bounded part of everything, and the others do not notice."""
import random
import re
import socket
import struct
import time

import pytest

from conftest import PATIENCE, wait_for
from intruders import (EVIL, PC_EV, PC_EV2, drops, intruder_ports, intruders_config, log_lines, resident_kib, sctp_peer,
                       simulate, tcp_peer, unharmed)
from m3ua_peer import (ASPAC, ASPAC_ACK, ASPDN, ASPDN_ACK, ASPIA, ASPIA_ACK, ASPUP, ASPUP_ACK, BEAT, BEAT_ACK, DATA,
                       DAUD, DAVA, DUNA, ERR, NTFY, P_AFFECTED, P_ASP_ID, P_CONGESTION, P_DATA, P_ERROR, P_HEARTBEAT,
                       P_MODE, P_NA, P_RC, P_STATUS, SACK, SCON, SctpPeer, TcpPeer, data, message, parameter, u32)
from tshark_oracle import tshark_check

pytestmark = pytest.mark.sanitized
PEERS = pytest.mark.parametrize("peer", (tcp_peer, sctp_peer), ids=("tcp", "sctp"))


@pytest.fixture
def lab(start_daemon):
    ports = intruder_ports()
    return start_daemon(intruders_config(ports), ports.console), ports


# ---- each request and its answers: (types or error codes); DATA and SSNM go on stream 1 ----

VERSION, CLASS, TYPE, MODE, UNEXPECTED, STREAM, FIELD, NA, MISSING, RC, NO_AS = (
    1, 3, 4, 5, 6, 9, 0x12, 0x15, 0x16, 0x19, 0x1A)
GARBAGE = bytes(range(40))
DIALOGUE = (
    (message(ASPAC, u32(P_RC, 30)), [UNEXPECTED]),
    (message(ASPIA, u32(P_RC, 30)), [UNEXPECTED]),
    (message(DAUD, u32(P_AFFECTED, 5)), [UNEXPECTED]),
    (data(1, 2, rc=30), [UNEXPECTED]),
    (message(BEAT, parameter(P_HEARTBEAT, GARBAGE)), [BEAT_ACK]),
    (message(ASPDN), [ASPDN_ACK]),
    (message(ASPUP_ACK), [UNEXPECTED]),
    (message(NTFY, u32(P_STATUS, 0x10002)), [UNEXPECTED]),
    (message(NTFY), [MISSING]),
    (b"\2" + message(ASPUP)[1:], [VERSION]),
    (message(0x0701), [CLASS]),
    (message(0x0363), [TYPE]),
    (message(ERR), []),
    (message(ERR, u32(P_ERROR, 99)), []),
    (message(ASPUP), [ASPUP_ACK, NTFY, NTFY]),
    (message(ASPUP, u32(P_ASP_ID, 5)), [ASPUP_ACK]),
    (data(1, 2, rc=30), [UNEXPECTED]),
    (message(DAUD, u32(P_AFFECTED, 5)), [UNEXPECTED]),
    (message(ASPAC, u32(P_RC, 99)), [NO_AS]),
    (message(ASPAC, u32(P_MODE, 7), u32(P_RC, 30)), [MODE]),
    (message(ASPAC, u32(P_MODE, 1), u32(P_RC, 30)), [MODE]),
    (message(ASPAC, parameter(P_RC, b"")), [FIELD]),
    (message(ASPAC, parameter(P_RC, b"abc")), [FIELD]),
    (message(ASPAC, u32(P_RC, 30, 99)), [NO_AS, ASPAC_ACK, NTFY]),
    (message(ASPAC, u32(P_RC, 30, 30)), [ASPAC_ACK]),
    (message(ASPIA, u32(P_RC, 99)), [RC]),
    (message(ASPIA), [ASPIA_ACK, NTFY]),
    (message(ASPIA, u32(P_RC, 30)), [ASPIA_ACK]),
    (message(ASPAC, u32(P_RC, 30)), [ASPAC_ACK, NTFY]),
    (data(1, 77), [MISSING]),
    (data(1, 77, rc=30), [DUNA]),
    (data(1, 77, rc=30), []),  # T8
    (data(1, 78, rc=99), [RC]),
    (data(1, 78, rc=30, na=4), [NA]),
    (message(DATA, u32(P_RC, 30)), [MISSING]),
    (message(DATA, u32(P_RC, 30), parameter(P_DATA, bytes(11))), [FIELD]),
    (message(DATA, u32(P_RC, 30), struct.pack("!HH", P_DATA, 400) + bytes(20)), [FIELD]),
    (data(1, 78, rc=30, payload=b""), [DUNA]),
    (data(1, 79, rc=30, payload=bytes(9000)), []),
    (message(DATA, u32(P_RC, 30), parameter(0x8123, b"xx"), data(1, 80)[8:]), [DUNA]),
    (message(DAUD, u32(P_RC, 30), u32(P_AFFECTED, 255 << 24 | 5, 24 << 24 | 5, 77)), [DUNA, DAVA]),
    (message(DAUD, u32(P_RC, 30)), [MISSING]),
    (message(DAUD, u32(P_RC, 30), parameter(P_AFFECTED, b"")), [FIELD]),
    (message(DUNA, u32(P_AFFECTED, 5)), [UNEXPECTED]),
    (message(BEAT), [BEAT_ACK]),
    (message(BEAT, parameter(P_HEARTBEAT, bytes(5000))), [BEAT_ACK]),
    (message(ASPUP), [ASPUP_ACK, UNEXPECTED, NTFY]),
    (message(ASPAC, u32(P_RC, 30)), [ASPAC_ACK, NTFY]),
    (message(ASPDN), [ASPDN_ACK]),
    (message(ASPDN), [ASPDN_ACK]),
)


@PEERS
def test_everything_is_answered_as_the_rfc_says(start_daemon, peer):
    """T(r) and T8 are longer than the dialogue, however slowly it goes: what they bring about is not in it."""
    ports = intruder_ports()
    config = intruders_config(ports).replace("recovery-time = 500;", "recovery-time = 600000;")
    start_daemon(config.replace('variant = "itu";', 'variant = "itu"; t8 = 60000;'), ports.console)
    other = peer(ports, 4)  # keeps the ASs from AS-DOWN and AS-PENDING
    other.ask(message(ASPUP), ASPUP_ACK)
    p = peer(ports, 0)
    heard = []
    for request, expected in DIALOGUE:
        p.send(request, stream=1 if request[2] in (1, 2) else 0)
        told = p.sync()
        heard += [m.raw for m in told]
        got = [m.error() if m.type == ERR else m.type for m in told]
        if expected == [ASPUP_ACK, NTFY, NTFY]:  # ev2 comes to life with its first ASP
            assert got[0] == ASPUP_ACK and set(got[1:]) == {NTFY}, request.hex()
        else:
            assert got == expected, request.hex()
    assert tshark_check(heard) == []


def test_data_on_stream_0_or_of_another_protocol_is_refused(lab):
    daemon, ports = lab
    p = sctp_peer(ports, 3).activate(30)
    p.sync()
    p.send(data(1, 77, rc=30), stream=0)
    assert [m.error() for m in p.sync()] == [STREAM]
    for ppid in (0, 5, 3 << 24):
        p.send(data(1, 77, rc=30), stream=1, ppid=ppid)
    assert p.sync() == []
    assert drops(daemon) == {"stream-0": 1, "bad-ppid": 3}
    assert "asp evil-3: discarded a message of SCTP payload protocol identifier 0; M3UA's is 3" in daemon.log()


# ---- nonsense ----

TAGS = (0x4, 0x6, 0x7, 0x9, 0xB, 0xC, 0xD, 0x11, 0x12, 0x200, 0x204, 0x205, 0x206, 0x207, 0x210, 0x213, 0x0, 0x8123)
USUAL = {DATA: (P_RC, P_DATA), DAUD: (P_RC, P_AFFECTED), SCON: (P_RC, P_AFFECTED, P_CONGESTION), ASPUP: (P_ASP_ID,),
         ASPAC: (P_MODE, P_RC), ASPIA: (P_RC,), BEAT: (P_HEARTBEAT,), ERR: (P_ERROR,), NTFY: (P_STATUS,),
         0x0901: (0x207,), ASPDN: (), 0x0304: (), 0x0206: (), 0x7F01: (), 0x0300: ()}
POINT_CODES = (PC_EV, PC_EV2, 0x3FFF, 0, 77, 0xFFFFFF)


def nonsense_value(rng, tag):
    if rng.random() > .6:
        return rng.randbytes(rng.choice((0, 1, 3, 4, 5, 12, 40, 300)))
    if tag == P_RC:
        return b"".join(struct.pack("!I", rng.choice((30, 30, 31, 10, 99))) for _ in range(rng.choice((1, 1, 2, 300))))
    if tag == P_AFFECTED:
        return b"".join(struct.pack("!I", rng.choice((0, 0, 3, 24, 255)) << 24 | rng.choice(POINT_CODES))
                        for _ in range(rng.choice((1, 2, 400))))
    if tag == P_DATA:
        return struct.pack("!IIBBBB", rng.choice(POINT_CODES), rng.choice(POINT_CODES), rng.randrange(16), 2, 0,
                           rng.choice((0, 15, 255))) + rng.randbytes(rng.choice((0, 1, 272, 4000)))
    return struct.pack("!I", rng.choice((0, 1, 2, 3, 0x10003, 1 << 31)))


def nonsense(rng):
    """A message that is right, nearly right, or not at all."""
    kind = rng.choice(list(USUAL))
    tags = list(USUAL[kind]) + [rng.choice(TAGS) for _ in range(rng.choice((0, 0, 0, 1, 3)))]
    parts = []
    for tag in tags:
        part = bytearray(parameter(tag, nonsense_value(rng, tag)))
        if rng.random() < .06:
            struct.pack_into("!H", part, 2, rng.choice((0, 1, 3, 5, 65535, rng.randrange(65536))))
        parts.append(bytes(part))
    m = bytearray(message(kind, *parts))
    how = rng.random()
    if how < .05:
        m[rng.randrange(len(m))] ^= 1 << rng.randrange(8)
    elif how < .07:
        m = m[:rng.randrange(1, len(m) + 1)]
    elif how < .1:
        struct.pack_into("!I", m, 4, rng.choice((0, 7, 9, len(m) + 1, len(m) - 1, 0xFFFFFFFF, 8193)))
    return bytes(m)


@pytest.mark.parametrize("seed", (1, 2))
def test_nonsense_in_every_state_harms_nobody(lab, start_sim, seed):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    rng = random.Random(seed)
    peers, heard, sent = [None] * 6, [], 0
    while sent < 3000:
        i = rng.randrange(6)
        try:
            if peers[i] is None or peers[i].closed:
                # what is in TIME-WAIT is left for another time
                peers[i] = tcp_peer(ports, i, seconds=0) if i < 3 else sctp_peer(ports, i)
                for m in (message(ASPUP), message(ASPAC, u32(P_RC, 30)))[:rng.randrange(3)]:
                    peers[i].send(m)
            for _ in range(rng.choice((1, 1, 5, 30))):
                peers[i].send(nonsense(rng), stream=rng.choice((0, 0, 1, 15)))
                sent += 1
            # what is echoed is as the peer wrote it
            heard += [m.raw for m in peers[i].collect(.002) if m.type not in (BEAT_ACK, DATA)]
        except OSError:
            peers[i] = None
            continue
        if rng.random() < .05:
            (peers[i].abort if rng.random() < .5 else peers[i].close)()
            peers[i] = None
    assert heard
    unharmed(run)
    for p in filter(None, peers):
        p.close()
    tcp_peer(ports, 0).activate(30).sync()
    sctp_peer(ports, 5).activate(30).sync()
    assert tshark_check(heard[:2000]) == []


# ---- peers that are slow, many, or gone ----

def test_messages_may_come_byte_by_byte_and_a_lost_frame_ends_the_connection(lab, start_sim):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    slow = [tcp_peer(ports, i) for i in range(3)]
    for byte in message(ASPUP) + message(ASPAC, u32(P_RC, 30)) + message(BEAT, parameter(P_HEARTBEAT, b"abc")):
        for p in slow:
            p.sock.sendall(bytes([byte]))
    for p in slow:
        assert p.expect(BEAT_ACK).p[P_HEARTBEAT] == b"abc"
        assert {m.type for m in p.passed} == {ASPUP_ACK, ASPAC_ACK, NTFY}
    slow[0].sock.sendall(message(DATA, bytes(20000))[:10000])  # and not the rest: waits, costs nothing
    for p, length in ((slow[1], 0xFFFFFFFF), (slow[2], 3)):
        p.sock.sendall(struct.pack("!BBHI", 1, 0, DATA, length))
        wait_for(lambda p=p: p.receive(.1) or p.closed, what="the connection is closed")
        while not p.closed:
            p.receive(.1)
    unharmed(run)


def test_half_open_and_flooding_connects_cost_nothing(lab, start_sim):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    sockets = []
    for _ in range(300):
        s = socket.socket()
        s.setblocking(False)
        s.bind((EVIL, 0))
        s.connect_ex(("127.0.0.1", ports.gateway))
        sockets.append(s)
    before = resident_kib(daemon)
    init = SctpPeer(ports.udp, ports.gateway, 1, local=EVIL, connect=False)
    for i in range(5000):  # INIT without COOKIE ECHO: from anywhere, and from one that is expected
        init.local_port, init.tag = (1 + i, i + 1) if i % 2 else (ports.peer + 7, i + 1)
        init.packet(init.init(), tag=0)
    unharmed(run)
    for s in sockets:
        s.close()
    assert resident_kib(daemon) < before + 100000
    sctp_peer(ports, 3).activate(30).sync()


@PEERS
def test_a_peer_that_comes_and_goes_all_the_time_does_not_flood_the_log(lab, start_sim, peer):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    lines = log_lines(daemon)
    began = time.monotonic()
    for n in range(500):
        p = peer(ports, 0)
        p.send(message(ASPUP))
        if n % 2:
            p.expect(ASPUP_ACK)
        p.abort()
    unharmed(run)
    took = time.monotonic() - began
    # twenty lines a second about one ASP, the same about each AS, and the simulator's ASPs'
    assert log_lines(daemon) - lines < 60 * (took + 1) + 60


def test_a_peer_that_died_in_silence_is_served_again_at_once(lab):
    daemon, ports = lab
    for n in range(20):
        p = sctp_peer(ports, 3, local_udp_port=ports.peer + 7)
        p.activate(30)
        p.sock.close()
    assert daemon.show("show asp evil-3")["asp"]["state"] == "ASP-ACTIVE"


def test_descriptors_run_out_for_peers_but_not_for_the_console(start_daemon):
    ports = intruder_ports()
    crowd = [f"crowd-{i}" for i in range(60)]
    config = intruders_config(ports, f"""{{ name = "crowd"; network = "national"; routing-context = 50; asps = (
        {", ".join(f'"{name}"' for name in crowd)} ); routing-keys = ( {{ dpc = "1-3-1"; }} ); }},""")
    config = re.sub(r"\nasps = \(", "\nasps = ( " + "".join(f'{{ name = "{name}"; remote-addresses = ( "127.0.0.3" ); }},'
                                                          for name in crowd), config)
    daemon = start_daemon(config, ports.console, prefix=["prlimit", "--nofile=48:48"])
    wait_for(daemon.console_answers, what="the console answers")
    wait_for(lambda: "listener tcp: listening" in daemon.log(), what="the listener")
    lines = log_lines(daemon)
    peers = [TcpPeer(ports.gateway, local="127.0.0.3") for _ in crowd]
    assert daemon.show("show version")["program"] == "signalboxd"
    refused = [p for p in peers if p.receive(.05) is None and p.closed]
    assert 20 < len(refused) < 60
    assert log_lines(daemon) - lines < 100
    assert "listener tcp: no file descriptors left for more peers" in daemon.log() and "now 48" in daemon.log()
    assert {ls["name"]: ls["no-descriptor"] for ls in daemon.show("show listener")["listeners"]}["tcp"] == len(refused)
    for p in peers:
        p.close()

    def served():
        p = TcpPeer(ports.gateway, local="127.0.0.3")
        p.sock.sendall(message(ASPUP))
        return p.receive(1)

    wait_for(served, what="a peer is served again")


# ---- floods ----

def test_the_unroutable_is_told_once_per_point_code_and_t8(lab, start_sim):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    p = tcp_peer(ports, 0).activate()
    p.sync()
    flood = b"".join(data(1, 5000 + i, rc=30) for i in range(20)) * 20
    told, n, lines = [], 0, log_lines(daemon)
    began = time.monotonic()
    while n < 40000:
        p.send(flood)
        n += 400
        told += p.collect(.001)
    told = [m for m in told + p.sync(20) if m.type != DUNA or m.numbers(P_AFFECTED)[0] >= 5000]  # hlr's and msc's end
    seconds = time.monotonic() - began
    assert {m.type for m in told} == {DUNA}
    assert 20 <= len(told) <= 20 * (seconds / .8 + 1)  # T8: 800 ms at least
    assert log_lines(daemon) - lines < 20 * (seconds + 1) + 10
    assert drops(daemon) == {"no-route": n} or set(drops(daemon)) <= {"no-route", "control-busy"}
    unharmed(run)


def test_questions_without_end_are_answered_within_bounds(lab, start_sim):
    """Masks of everything, lists of thousands; one peer reads the answers, one does not."""
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=2)
    reads, sleeps = tcp_peer(ports, 0).activate(), tcp_peer(ports, 1, receive_buffer=4096).activate()
    flood = b"".join((message(BEAT, parameter(P_HEARTBEAT, bytes(1000))),
                      message(DAUD, u32(P_RC, 30), u32(P_AFFECTED, *[255 << 24 | i for i in range(1000)])),
                      message(ASPAC, u32(P_RC, *range(1000, 2900))), message(ASPIA, u32(P_RC, *range(1000, 2900)))))
    sleeps.sock.setblocking(False)
    answers = 0

    def asks():
        nonlocal answers
        try:
            sleeps.sock.send(flood)
        except BlockingIOError:
            pass
        reads.send(flood)
        answers += len(reads.collect(.005))
        return answers > 400

    wait_for(asks, 30, "answers", every=0)
    unharmed(run)
    assert daemon.show("show version")["program"] == "signalboxd"


@PEERS
def test_pipelined_requests_are_all_answered(lab, peer):
    """Requests that come faster than control answers wait, and are answered in order; none is lost."""
    daemon, ports = lab
    p = peer(ports, 3)
    p.ask(message(ASPUP), ASPUP_ACK)
    p.sync()
    requests = [(message(BEAT, parameter(P_HEARTBEAT, struct.pack("!I", i))), message(ASPAC, u32(P_RC, 30)),
                 message(ASPIA, u32(P_RC, 30)), message(0x0366), data(1, 2, rc=30))[i % 5] for i in range(1500)]
    answers = []
    for first in range(0, len(requests), 500):
        for request in requests[first:first + 500]:
            p.send(request, stream=1 if request[2:4] == b"\1\1" else 0)
        answers += p.collect(.001)
    answers += p.sync(30)
    beats = [m for m in answers if m.type == BEAT_ACK]
    assert [struct.unpack("!I", m.p[P_HEARTBEAT])[0] for m in beats] == list(range(0, 1500, 5))
    assert [m.type for m in answers if m.type in (ASPAC_ACK, ASPIA_ACK)] == [ASPAC_ACK, ASPIA_ACK] * 300
    assert sum(m.error() == TYPE for m in answers) == 300
    assert set(drops(daemon)) <= {"not-active", "no-route"}  # as control sees it and as the worker does


# ---- peers that do not read ----

def test_a_stalled_peer_congests_itself_and_what_passes_keeps_its_order(lab, start_sim):
    daemon, ports = lab
    run = simulate(start_sim, daemon, ports, seconds=4)
    victim, sender = tcp_peer(ports, 0, receive_buffer=4096).activate(31), tcp_peer(ports, 1)
    sender.ask(message(ASPUP), ASPUP_ACK)
    sender.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    sender.sync()
    levels, sent = [], 0

    def hear(messages):
        levels.extend(m.numbers(P_CONGESTION)[0] for m in messages
                      if m.type == SCON and m.numbers(P_AFFECTED) == [PC_EV2])

    while not drops(daemon):
        assert sent < 200000
        sender.send(b"".join(data(PC_EV, PC_EV2, sls=(sent + i) % 16, rc=30,
                                  payload=struct.pack("!I", sent + i) + bytes(200)) for i in range(500)))
        sent += 500
        hear(sender.collect(.01))
    hear(sender.sync(20))
    wait_for(lambda: hear(sender.collect(.05)) or 3 in levels, what="it is congested")
    rising = list(levels)  # without what was over when control looked
    assert rising == sorted(set(rising))
    got = []

    def all_came():
        got.extend(struct.unpack("!I", m.payload()[:4])[0] for m in victim.collect(.1) if m.type == DATA)
        return len(got) + sum(drops(daemon).values()) == sent

    wait_for(all_came, 20, "what was sent has come, or is counted")
    for sls in range(16):
        flow = [n for n in got if n % 16 == sls]
        assert flow == sorted(set(flow))
    wait_for(lambda: hear(sender.collect(.05)) or levels[-1] == 0, what="it is no longer congested")
    falling = levels[len(rising):]
    assert falling == sorted(set(falling), reverse=True), levels
    unharmed(run)


@pytest.mark.parametrize("answers_probes", (True, False), ids=("window-0", "silent"))
def test_several_stalled_peers_leave_buffers_for_the_others(start_daemon, start_sim, answers_probes):
    """Their queues' limits together are more than the worker's buffers: they share what there is."""
    ports = intruder_ports()
    extra = "".join(f'{{ name = "v{i}"; network = "national"; routing-context = {40 + i}; asps = ( "evil-{i}" ); '
                    f'routing-keys = ( {{ dpc = "1-3-{i}"; }} ); }},' for i in (2, 3, 4))
    daemon = start_daemon(intruders_config(ports, extra, workers=1, node="buffers = 2000;",
                                           sctp="send-buffer = 65536;"), ports.console)
    run = simulate(start_sim, daemon, ports, seconds=4)
    victims = [sctp_peer(ports, i).activate(40 + i) for i in (2, 3, 4)]
    sender = tcp_peer(ports, 1)
    sender.ask(message(ASPUP), ASPUP_ACK)
    sender.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    for v in victims:
        v.window = 0
        v.packet(v.chunk(SACK, struct.pack("!IIHH", v.cum, 0, 0, 0)))
    told, rounds = set(), 0

    def flood():
        nonlocal told, rounds
        rounds += 1
        sender.send(b"".join(data(PC_EV, (1 << 11) | (3 << 3) | i, sls=n % 16, rc=30, payload=bytes(200))
                             for n in range(30) for i in (2, 3, 4)))
        told |= {m.numbers(P_CONGESTION)[0] for m in sender.collect(.005) if m.type == SCON}
        if answers_probes:
            for v in victims:
                v.pump(.001)
                v.sack()
        return rounds > 250 and 3 in told

    wait_for(flood, 30, "all victims are congested", every=0)
    assert drops(daemon).get("transmit-queue-full", 0) + drops(daemon).get("pending-full", 0) > 0
    unharmed(run)
    assert "no-buffer" not in drops(daemon)


# ---- sizes and streams ----

@PEERS
@pytest.mark.parametrize("limit", (300, 8192, 65535))
def test_messages_pass_up_to_the_limit_and_not_beyond(start_daemon, peer, limit):
    ports = intruder_ports()
    daemon = start_daemon(intruders_config(ports, node=f"max-message = {limit};"), ports.console)
    receiver, sender = peer(ports, 0).activate(31), peer(ports, 1)
    sender.ask(message(ASPUP), ASPUP_ACK)
    sender.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    refused = 0
    for length in [limit + n for n in (-9, -5, -4, -3, -1, 0, 1, 3, 4, 5, 8)]:
        payload = random.randbytes(length - 32)  # headers, Routing Context, label
        whole = data(PC_EV, PC_EV2, rc=30, payload=payload)
        sender.send(whole, stream=1)
        if len(whole) <= limit:
            m = receiver.expect(DATA)
            assert m.payload() == payload and len(m.raw) == len(whole)
        else:
            refused += 1
    sender.sync()
    assert [m for m in receiver.sync() if m.type == DATA] == []
    assert drops(daemon) == {"too-long": refused}
    assert re.search(r"asp evil-1: discarded a message of \d+ octets, longer than max-message", daemon.log())
    assert daemon.log().count("longer than max-message") < refused + 1


@pytest.mark.parametrize("out_streams, in_streams", ((1, 1), (2, 2), (1, 65535), (65535, 1), (65535, 65535)))
def test_any_number_of_streams_is_used(start_daemon, out_streams, in_streams):
    ports = intruder_ports()
    config = intruders_config(ports, sctp="out-streams = 65535; max-in-streams = 65535;")
    daemon = start_daemon(config, ports.console)
    counts = {"out_streams": out_streams, "in_streams": in_streams}
    receiver, sender = sctp_peer(ports, 0, **counts).activate(31), sctp_peer(ports, 1, **counts)
    assert (receiver.peer_out, receiver.peer_in) == (in_streams, 65535)
    sender.ask(message(ASPUP), ASPUP_ACK)
    sender.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    for n in range(64):  # with one stream, DATA has but stream 0 (s.1.4.7)
        sender.send(data(PC_EV, PC_EV2, sls=n % 16, rc=30), stream=1 + n % (out_streams - 1) if out_streams > 1 else 0)
    got = [receiver.expect(DATA) for _ in range(64)]
    used = {m.stream for m in got}
    assert max(used) < in_streams
    assert used == {0} if in_streams == 1 else 0 not in used
    assert in_streams < 16 or len(used) > 8
    assert drops(daemon) == {}
    assert re.search(r"streams out: +%d" % in_streams, daemon.run("show association evil-0")[0])
