# SPDX-License-Identifier: GPL-2.0-or-later
"""What a peer has read is so: the message that it provokes elsewhere goes by what it was told.

Over two associations, so that nothing but the gateway puts the one behind the other. Not all of it is in RFC 4666, but
what whoever watches both ends expects."""
import struct

import pytest

from intruders import PC_EV, PC_EV2, intruder_ports, intruders_config, sctp_peer, simulate, tcp_peer, unharmed
from m3ua_peer import (ASPAC, ASPAC_ACK, ASPDN, ASPDN_ACK, ASPIA, ASPIA_ACK, ASPUP, ASPUP_ACK, DATA, DAUD, DAVA, DUNA, ERR,
                       NTFY, P_AFFECTED, P_RC, P_STATUS, SctpPeer, data, message, parameter, point_code, u32)

ROUNDS, ROUNDS_EACH = 300, 50
AS_ACTIVE, AS_PENDING, ALTERNATE = 1 << 16 | 3, 1 << 16 | 4, 2 << 16 | 2
REG_REQ, REG_RSP, DEREG_REQ, DEREG_RSP = 0x0901, 0x0902, 0x0903, 0x0904
P_ROUTING_KEY, P_REG_RESULT, P_LOCAL_ID, P_DPC = 0x0207, 0x0208, 0x020A, 0x020B
PC_REGISTERED = point_code("1-2-7")
ACKNOWLEDGEMENT = {ASPAC: ASPAC_ACK, ASPIA: ASPIA_ACK}
KINDS = {"tcp": tcp_peer, "sctp": sctp_peer}


@pytest.mark.sanitized
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_who_has_read_the_ack_gets_what_is_sent_then(start_daemon, start_sim, workers):
    ports = intruder_ports()
    config = intruders_config(ports, workers=workers)
    daemon = start_daemon(config.replace("routing-context = 30;", 'routing-context = 30; traffic-mode = "broadcast";'),
                          ports.console)
    run = simulate(start_sim, daemon, ports, rate=1000, seconds=3)
    a, b = tcp_peer(ports, 0).activate(30, 31), sctp_peer(ports, 3).activate(30)
    for i in range(ROUNDS):
        b.ask(message(ASPIA, u32(P_RC, 30)), ASPIA_ACK)
        b.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
        a.send(data(PC_EV2, PC_EV, rc=31, payload=i.to_bytes(4, "big")))
        for p in (a, b):
            assert p.expect(DATA).payload() == i.to_bytes(4, "big")
    unharmed(run)


class Stage:
    """`sender` is active in RC 31. `b` and `c` are up, and serve RC 30, whose traffic they have alone, and registered
    keys."""

    def __init__(self, start_daemon, mode, workers, sender, others, recovery=20000):
        ports = intruder_ports()
        config = intruders_config(ports, workers=workers)
        config = config.replace("routing-context = 30; recovery-time = 500;",
                                f'routing-context = 30; recovery-time = {recovery}; traffic-mode = "{mode}";')
        for i in (3, 4):
            config = config.replace(f"remote-port = {ports.peer + 4 + i};", f"remote-port = {ports.peer + 4 + i}; "
                                    'rkm = "dynamic"; rkm-as = { recovery-time = 0; };')
        start_daemon(config, ports.console)
        self.mode = mode
        self.sender = KINDS[sender](ports, 0).activate(31)
        self.b, self.c = KINDS[others](ports, 3), KINDS[others](ports, 4)
        for p in (self.b, self.c):
            p.ask(message(ASPUP), ASPUP_ACK)
        self.sent = 0

    def send(self, dpc=PC_EV):
        self.sent += 1
        self.sender.send(data(PC_EV2, dpc, rc=31, payload=struct.pack("!I", self.sent)), stream=1)

    def arrives_at(self, peer, n=1):
        """The last N messages sent, in order, and nothing at anybody who is not to get them."""
        for i in range(self.sent - n + 1, self.sent + 1):
            assert peer.expect(DATA).payload() == struct.pack("!I", i)
        for p in (self.b, self.c, self.sender):
            assert not [m for m in p.sync() if m.type in (DATA, ERR)], "somebody got what is not for him"


def ask(peer, kind, rc=30):
    peer.ask(message(kind, u32(P_RC, rc)), ACKNOWLEDGEMENT[kind])
    assert DATA not in [m.type for m in peer.passed], "DATA before the acknowledgement"
    return peer


def told(peer, status):
    while peer.expect(NTFY).numbers(P_STATUS) != [status]:
        pass


def acknowledged_alone(s):
    ask(s.b, ASPAC)
    s.send()
    s.arrives_at(s.b)


def as_active_is_told(s):
    s.b.send(message(ASPAC, u32(P_RC, 30)))
    told(s.c, AS_ACTIVE)
    s.send()
    s.arrives_at(s.b)


def inactive_is_acknowledged(s):
    """What is sent then waits, and comes behind the acknowledgement of who returns."""
    ask(ask(s.b, ASPAC), ASPIA)
    s.send()
    ask(s.c, ASPAC)
    s.arrives_at(s.c)


def as_pending_is_told(s):
    ask(s.b, ASPAC)
    s.c.sync()
    s.b.send(message(ASPIA, u32(P_RC, 30)))
    told(s.c, AS_PENDING)
    s.send()
    s.send()
    ask(s.c, ASPAC)
    s.arrives_at(s.c, 2)


def down_is_acknowledged(s):
    ask(s.b, ASPAC).ask(message(ASPDN), ASPDN_ACK)
    s.send()
    ask(s.c, ASPAC)
    s.arrives_at(s.c)
    s.b.ask(message(ASPUP), ASPUP_ACK)


def error_about_aspup_is_told(s):
    ask(s.b, ASPAC).ask(message(ASPUP), ERR)
    s.send()
    ask(s.c, ASPAC)
    s.arrives_at(s.c)


def alternate_is_told(s):
    if s.mode != "override":
        return
    ask(s.b, ASPAC)
    s.c.send(message(ASPAC, u32(P_RC, 30)))
    told(s.b, ALTERNATE)
    s.send()
    s.arrives_at(s.c)


def association_is_restarted(s):
    """ASP-DOWN (s.4.3.1): what the peer has forgotten it is active for waits, too."""
    if not isinstance(s.b, SctpPeer):
        return
    ask(s.b, ASPAC).restart()
    s.send()
    s.b.ask(message(ASPUP), ASPUP_ACK)
    assert not s.b.passed, "told before its ASPUP"
    ask(s.b, ASPAC)
    s.arrives_at(s.b)


def a_key_is_registered(s):
    answer = s.b.ask(message(REG_REQ, parameter(P_ROUTING_KEY, u32(P_LOCAL_ID, 1) + u32(P_DPC, PC_REGISTERED))), REG_RSP)
    rc = struct.unpack_from("!I", answer.p[P_REG_RESULT], 20)[0]
    ask(s.b, ASPAC, rc)
    s.send(PC_REGISTERED)
    s.arrives_at(s.b)
    ask(s.b, ASPIA, rc).ask(message(DEREG_REQ, u32(P_RC, rc)), DEREG_RSP)


MOMENTS = (acknowledged_alone, as_active_is_told, inactive_is_acknowledged, as_pending_is_told, down_is_acknowledged,
           error_about_aspup_is_told, alternate_is_told, association_is_restarted, a_key_is_registered)


@pytest.mark.sanitized
@pytest.mark.parametrize("mode", ["override", "loadshare", "broadcast"])
@pytest.mark.parametrize("workers,sender,others", [(1, "sctp", "sctp"), (2, "tcp", "sctp"), (4, "sctp", "tcp")])
def test_what_is_sent_at_the_moment_goes_where_it_is_to(start_daemon, mode, workers, sender, others):
    s = Stage(start_daemon, mode, workers, sender, others)
    for _ in range(ROUNDS_EACH):
        for moment in MOMENTS:
            ask(s.b, ASPIA)
            ask(s.c, ASPIA)
            moment(s)


@pytest.mark.sanitized
@pytest.mark.parametrize("workers,sender", [(1, "sctp"), (2, "tcp")])
def test_who_has_restarted_hears_nothing_before_its_aspup(start_daemon, workers, sender):
    s = Stage(start_daemon, "broadcast", workers, sender, "sctp")
    for _ in range(ROUNDS):
        association_is_restarted(s)
        ask(s.b, ASPIA)


@pytest.mark.sanitized
@pytest.mark.parametrize("workers,sender,others", [(1, "tcp", "tcp"), (4, "sctp", "tcp")])
def test_who_reads_of_a_destination_finds_it_so(start_daemon, workers, sender, others):
    """Without a recovery time: DUNA and DAVA, unsolicited and as the answer to DAUD."""
    s = Stage(start_daemon, "loadshare", workers, sender, others, recovery=0)
    for _ in range(ROUNDS_EACH):
        s.b.send(message(ASPAC, u32(P_RC, 30)))
        s.sender.expect(DAVA)
        s.send()
        s.arrives_at(s.b)
        s.b.send(message(ASPIA, u32(P_RC, 30)))
        s.sender.expect(DUNA)
        s.send()  # to nobody
        s.sender.sync()
        ask(s.b, ASPAC)
        s.sender.send(message(DAUD, u32(P_RC, 31), u32(P_AFFECTED, PC_EV)))
        assert DUNA not in [m.type for m in s.sender.sync()]
        s.send()
        s.arrives_at(s.b)
        ask(s.b, ASPIA)
        s.sender.sync()
