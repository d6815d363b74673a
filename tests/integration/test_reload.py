# SPDX-License-Identifier: GPL-2.0-or-later
"""Every kind of change by SIGHUP, under load: who is not concerned loses nothing, who is concerned is told."""
import re
import time

import pytest

from conftest import wait_for
from intruders import (PC_EV, PC_EV2, intruder_ports, intruders_config, log_lines, sctp_peer, simulate, tcp_peer, unharmed)
from m3ua_peer import (ASPAC, ASPAC_ACK, ASPIA_ACK, ASPUP, ASPUP_ACK, DATA, DUNA, NTFY, P_AFFECTED, P_RC, P_STATUS, SCON,
                       data, message, u32)

AS_INACTIVE, AS_ACTIVE = 0x10002, 0x10003
EV, EV2 = 'name = "ev"; network = "national"; routing-context = 30;', '{ name = "ev2"'


def without(config, start, end):
    """CONFIG without what begins with START and ends with END."""
    at = config.index(start)
    return config[:at] + config[config.index(end, at) + len(end):]


@pytest.fixture
def lab(start_daemon, start_sim):
    ports = intruder_ports()
    base = intruders_config(ports)
    daemon = start_daemon(base, ports.console)
    run = simulate(start_sim, daemon, ports, rate=1000, seconds=3)
    yield daemon, ports, base
    unharmed(run)


def reload(daemon, config):
    """Returns the log's lines about it, once it is done."""
    before = log_lines(daemon)

    def said():
        lines = daemon.log().splitlines()[before:]
        return lines if re.search(r"reload: \S+: \d+ change|DCONF ERROR", "\n".join(lines)) else None

    daemon.reload(config)
    return "\n".join(wait_for(said, what="the reload is logged"))


def told(peer):
    """What it was told: (type, Routing Contexts, status)."""
    return [(m.type, m.numbers(P_RC), (m.numbers(P_STATUS) or [None])[0]) for m in peer.sync() if m.type not in (DUNA, SCON)
            and not P_AFFECTED in m.p]


@pytest.mark.sanitized
def test_an_as_is_changed_removed_and_added(lab):
    daemon, ports, base = lab
    a, b = tcp_peer(ports, 0).activate(30, 31), sctp_peer(ports, 3).activate(30)
    told(a)
    told(b)
    told(a)
    assert "as ev: updated in place" in reload(daemon, base.replace("routing-context = 30; recovery-time = 500",
                                                                    "routing-context = 30; recovery-time = 900"))
    assert told(a) == told(b) == []
    assert "as ev: replaced" in reload(daemon, base.replace(EV, EV.replace("30", "33")))
    for p in (a, b):  # the old one is taken from it, the new one waits for its ASPAC
        assert told(p) == [(ASPIA_ACK, [30], None), (NTFY, [33], AS_INACTIVE)]
    b.ask(message(ASPAC, u32(P_RC, 33)), ASPAC_ACK)
    assert told(b) == told(a) == [(NTFY, [33], AS_ACTIVE)]
    assert "as ev: replaced" in reload(daemon, base.replace(EV, EV + ' traffic-mode = "broadcast";'))
    assert told(b) == [(ASPIA_ACK, [33], None), (NTFY, [30], AS_INACTIVE)]
    assert told(a) == [(NTFY, [30], AS_INACTIVE)]
    for p in (a, b):
        p.ask(message(ASPAC, u32(P_RC, 30)), ASPAC_ACK)
    a.send(data(PC_EV2, PC_EV, rc=31))
    assert [p.expect(DATA).numbers(P_RC) for p in (a, b)] == [[30], [30]]
    assert "as ev2: removed" in reload(daemon, without(base, EV2, "); },"))
    assert (ASPIA_ACK, [31], None) in told(a)
    assert "as ev2: added" in reload(daemon, base)
    assert (NTFY, [31], AS_INACTIVE) in told(a)


@pytest.mark.sanitized
def test_an_asp_moves_leaves_and_returns(lab):
    daemon, ports, base = lab
    a, b = tcp_peer(ports, 0).activate(30, 31), sctp_peer(ports, 3).activate(30)
    told(b)
    told(a)
    less = base.replace('500; asps = ( "evil-0", "evil-1", "evil-2", "evil-3"', '500; asps = ( "evil-1", "evil-2", "evil-3"', 1)
    assert less != base
    reload(daemon, less)
    assert told(a) == [(ASPIA_ACK, [30], None)] and told(b) == []
    reload(daemon, base)
    assert told(a) == [(NTFY, [30], AS_ACTIVE)] and told(b) == []
    gone = without(base, '{ name = "evil-0"', "},").replace('"evil-0", ', "")
    assert "asp evil-0: removed" in reload(daemon, gone)
    wait_for(lambda: a.receive(.05) or a.closed, what="its association ends")
    assert not b.closed
    assert "asp evil-0: added" in reload(daemon, base)
    tcp_peer(ports, 0).activate(30, 31).sync()


@pytest.mark.sanitized
def test_two_asps_swap_their_addresses(lab):
    daemon, ports, base = lab
    first, second = ports.peer + 4, ports.peer + 5
    swapped = base.replace(f"remote-port = {first};", "remote-port = @;").replace(
        f"remote-port = {second};", f"remote-port = {first};").replace("remote-port = @;", f"remote-port = {second};")
    peers = [tcp_peer(ports, i).activate(30) for i in (0, 1)]
    reload(daemon, swapped)
    for p in peers:
        wait_for(lambda p=p: not p.receive(.05) and p.closed, what="its association ends")
        p.close()
    peers = [tcp_peer(ports, i).activate(30 + i) for i in (0, 1)]
    states = {(a["name"], s["name"]): s["state"] for i in (0, 1)
              for a in [daemon.show(f"show asp evil-{i}")["asp"]] for s in a["application-servers"]}
    assert states[("evil-1", "ev")] == states[("evil-0", "ev2")] == "ASP-ACTIVE"
    assert states[("evil-0", "ev")] == states[("evil-1", "ev2")] == "ASP-INACTIVE"


@pytest.mark.sanitized
def test_listeners_networks_and_nonsense(lab):
    daemon, ports, base = lab
    b = sctp_peer(ports, 3).activate(30)
    told(b)
    assert "listener tcp: replaced" in reload(daemon, base.replace(f"port = {ports.gateway}; }},\n", "").replace(
        f'"127.0.0.1" ); port = {ports.gateway};', f'"127.0.0.1" ); port = {ports.peer};', 1))
    reload(daemon, base)
    wait_for(lambda: daemon.log().count("listener tcp: listening") == 3, what="it listens again")
    two = base.replace("networks = (", 'networks = ( { name = "two"; variant = "ansi"; network-appearance = 7; },')
    assert "network two: added" in reload(daemon, two)
    assert told(b) == []
    reload(daemon, two.replace(EV, EV.replace("national", "two")))
    assert told(b) == [(ASPIA_ACK, [30], None), (NTFY, [30], AS_INACTIVE)]
    assert "ERROR" in reload(daemon, base.replace('"national"', '"nationaal"', 1))
    assert told(b) == []
    reload(daemon, base)
    assert told(b) == [(NTFY, [30], AS_INACTIVE)]
    tcp_peer(ports, 0).ask(message(ASPUP), ASPUP_ACK)


def test_reloads_one_after_the_other(lab):
    daemon, _, base = lab
    deadline = time.monotonic() + 1.5
    while time.monotonic() < deadline:
        for ms in (500, 600):
            daemon.reload(base.replace("recovery-time = 500", f"recovery-time = {ms}"))
            time.sleep(.004)  # not a wait for anything: signals that come too fast are one
    daemon.console_answers()
