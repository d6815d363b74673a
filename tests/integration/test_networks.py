# SPDX-License-Identifier: GPL-2.0-or-later
"""Several networks in one gateway, with the same point codes, are never mixed."""
import pytest

from conftest import Ports, wait_for
from intruders import drops  # also finds tests/tools
from m3ua_peer import (ASPIA, ASPIA_ACK, DATA, DAUD, DAVA, DUNA, ERR, P_AFFECTED, P_NA, P_RC, TcpPeer, data, message,
                       point_code, u32)

NETWORKS = (("itu", "itu", 1), ("ansi", "ansi", 2), ("china", "china", 3), ("japan", "japan", 4))
A, B = 4660, 4661  # each network has both
INVALID_PARAMETER, INVALID_NA, MISSING = 0x11, 0x15, 0x16


@pytest.fixture
def lab(start_daemon):
    """The daemon, and two peers that are active in every network: RC n0 serves A, RC n1 serves B."""
    ports = Ports()
    networks = ", ".join(f'{{ name = "{n}"; variant = "{v}"; indicator = 2; network-appearance = {na}; '
                         f'{"point-codes = ( 2057 );" if na < 3 else ""} }}' for n, v, na in NETWORKS)
    servers = ", ".join(
        f'{{ name = "{n}-{k}"; network = "{n}"; routing-context = {10 * na + k}; recovery-time = 100; '
        f'asps = ( "p{k}" ); routing-keys = ( {{ dpc = {A + k}; }} ); }}' for n, _, na in NETWORKS for k in (0, 1))
    daemon = start_daemon(f"""
node = {{ name = "gw1"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {networks} );
listeners = ( {{ name = "asps"; transport = "tcp"; addresses = ( "127.0.0.1" ); port = {ports.gateway}; }} );
asps = ( {", ".join(f'{{ name = "p{k}"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer + k}; }}'
                    for k in (0, 1))} );
application-servers = ( {servers} );
""", ports.console)
    a, b = (TcpPeer(ports.gateway, ports.peer + k).activate(*[10 * na + k for _, _, na in NETWORKS]) for k in (0, 1))
    a.sync()
    b.sync()
    a.sync()
    yield daemon, a, b
    a.close()
    b.close()


def answers(peer, request):
    peer.send(request)
    return [m for m in peer.sync() if m.type != DATA]


@pytest.mark.sanitized
def test_data_keeps_to_its_network_and_carries_its_appearance(lab):
    _, a, b = lab
    for _, _, na in NETWORKS:
        for given in (na, None):
            a.send(data(A, B, rc=10 * na, na=given, payload=bytes([na]) * 8))
            m = b.expect(DATA)
            assert (m.numbers(P_RC), m.numbers(P_NA), m.payload()[0]) == ([10 * na + 1], [na], na)


def test_what_names_another_network_is_refused(lab):
    daemon, a, b = lab
    for request, error in ((data(A, B, rc=10, na=2), INVALID_NA), (data(A, B, rc=10, na=9), INVALID_NA),
                           (data(A, B, na=2), MISSING), (data(A, B), MISSING),
                           (message(DAUD, u32(P_RC, 10), u32(P_NA, 2), u32(P_AFFECTED, B)), INVALID_NA),
                           (message(DAUD, u32(P_AFFECTED, B)), MISSING)):
        assert [m.error() for m in answers(a, request)] == [error]
    assert not [m for m in b.sync() if m.type == DATA]
    assert drops(daemon) == {"bad-network-appearance": 2, "no-routing-context": 2}


def test_a_point_code_too_wide_for_its_network_is_not_cut(lab):
    _, a, b = lab
    for rc, dpc in ((10, B + (1 << 14)), (40, B + (1 << 16))):
        told = answers(a, data(A, dpc, rc=rc))
        assert [(m.type, m.numbers(P_AFFECTED)) for m in told] == [(DUNA, [dpc])]
    for request in (data(A, B + (1 << 24), rc=20), data(A + (1 << 24), B, rc=20)):
        assert [m.error() for m in answers(a, request)] == [INVALID_PARAMETER]
    assert not [m for m in b.sync() if m.type == DATA]


def test_our_own_point_code_is_ours_in_its_network_only(lab):
    daemon, a, b = lab
    own = point_code("1-1-1")
    a.send(data(own, B, rc=10))
    a.send(data(own, B, rc=30))
    assert b.expect(DATA).numbers(P_RC) == [31]
    assert drops(daemon) == {"own-opc": 1}


def test_a_destination_goes_in_its_network_only(lab):
    daemon, a, b = lab
    b.ask(message(ASPIA, u32(P_RC, 21)), ASPIA_ACK)
    duna = a.expect(DUNA)
    assert (duna.numbers(P_RC), duna.numbers(P_NA), duna.numbers(P_AFFECTED)) == ([20], [2], [B])
    states = {(d["network"], d["status"]) for d in daemon.show("show destination")["destinations"]}
    assert {n for n, s in states if s == "unavailable"} == {"ansi"}
    told = answers(a, message(DAUD, u32(P_NA, 2), u32(P_AFFECTED, A, B)))
    assert {(m.type, *m.numbers(P_AFFECTED)) for m in told} == {(DAVA, A), (DUNA, B)}
    told = answers(a, message(DAUD, u32(P_RC, 10), u32(P_AFFECTED, A, B)))
    assert [(m.type, m.numbers(P_NA), m.numbers(P_AFFECTED)) for m in told] == [(DAVA, [1], [A, B])]
    a.send(data(A, B, rc=10))
    assert b.expect(DATA).numbers(P_NA) == [1]
    assert ERR not in [m.type for m in a.passed]
    wait_for(lambda: drops(daemon) == {}, what="nothing was dropped")
