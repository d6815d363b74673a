# SPDX-License-Identifier: GPL-2.0-or-later
"""More than the gateway can pass on: what passes keeps its order, what does not is counted, memory stays as it was."""
import struct

import pytest

from conftest import PATIENCE, Ports, sim_args, two_as_config, wait_for
from intruders import PC_EV, PC_EV2, drops, intruder_ports, intruders_config, resident_kib, tcp_peer
from m3ua_peer import ASPAC, ASPAC_ACK, ASPUP, ASPUP_ACK, DATA, P_RC, data, message, u32


@pytest.mark.sanitized
@pytest.mark.parametrize("workers", (1, 2, 4))
@pytest.mark.parametrize("transport", ("embedded", "tcp"))
def test_as_fast_as_possible_with_too_few_buffers(start_daemon, start_sim, transport, workers):
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, transport=transport, workers=workers, node="buffers = 256;"),
                          ports.console)
    run = start_sim(sim_args(ports, transport=transport) + ["--flow", "from=hlr,to=msc,rate=max,window=2000", "--flow",
                                                            "from=msc,to=hlr,rate=max,window=2000", "--duration", 1.5])
    wait_for(lambda: daemon.show("show statistics")["totals"]["counters"]["rx-data"] > 1000, 15, "traffic")
    before = resident_kib(daemon)
    _, verdict, text = run.finish()
    if PATIENCE == 1:  # AddressSanitizer keeps what was freed
        assert resident_kib(daemon) < before + 20000
    for flow in verdict["flows"]:
        assert flow["reordered"] == flow["repeated"] == flow["corrupted"] == 0, text
    missing = sum(f["sent"] - f["received"] for f in verdict["flows"])
    assert missing == sum(drops(daemon).values()), (drops(daemon), text)
    assert set(drops(daemon)) <= {"no-buffer", "transmit-queue-full"}
    in_use = [w["in-use"] for w in daemon.show("show workers")["workers"]]
    assert len(in_use) == workers


@pytest.mark.sanitized
def test_what_is_discarded_with_an_association_or_a_pending_as_is_counted(start_daemon):
    ports = intruder_ports()
    config = intruders_config(ports, sctp="send-buffer = 65536;").replace("recovery-time = 500;", "recovery-time = 3000;")
    daemon = start_daemon(config, ports.console)
    victim, sender = tcp_peer(ports, 0, receive_buffer=4096).activate(31), tcp_peer(ports, 4)
    sender.ask(message(ASPUP), ASPUP_ACK)
    sender.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    sent = 0

    def send(n):
        nonlocal sent
        sender.send(b"".join(data(PC_EV, PC_EV2, sls=i % 16, rc=30, payload=struct.pack("!I", sent + i) + bytes(200))
                             for i in range(n)))
        sent += n

    while not drops(daemon):
        send(500)
        assert sent < 100000
    sender.sync(20)
    passed = daemon.show("show association evil-0")["association"]["counters"]["tx-messages"]
    victim.abort()
    wait_for(lambda: "association-down" in drops(daemon), what="the queue is discarded")
    wait_for(lambda: daemon.show("show as ev2")["application-server"]["state"] != "AS-ACTIVE", what="the AS is pending")
    send(100)
    wait_for(lambda: drops(daemon).get("pending-expired", 0) == 100, what="T(r) is over, what was held is discarded")
    passed -= 4  # ASPUP ACK, ASPAC ACK, two NTFY; what the transport took and the peer never read is not ours to know
    assert abs(sent - passed - sum(drops(daemon).values())) <= 4, (sent, passed, drops(daemon))
    again = tcp_peer(ports, 0).activate(31)
    send(10)
    for _ in range(10):
        again.expect(DATA)
