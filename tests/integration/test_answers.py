# SPDX-License-Identifier: GPL-2.0-or-later
"""What a peer has read is so: the message that it provokes elsewhere goes by what it was told."""
import pytest

from intruders import PC_EV, PC_EV2, intruder_ports, intruders_config, sctp_peer, simulate, tcp_peer, unharmed
from m3ua_peer import ASPAC, ASPAC_ACK, ASPIA, ASPIA_ACK, DATA, P_RC, data, message, u32

ROUNDS = 300


@pytest.mark.sanitized
@pytest.mark.parametrize("workers", [1, 2])
def test_who_has_read_the_ack_gets_what_is_sent_then(start_daemon, start_sim, workers):
    """Over two associations, so that nothing but the gateway puts the one behind the other. Not in RFC 4666, but what
    whoever watches both ends expects."""
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
