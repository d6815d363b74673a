# SPDX-License-Identifier: GPL-2.0-or-later
"""ASPs that register what they serve (RFC 4666 s.4.4): configured ones and guests, with traffic between them."""
import pathlib
import struct
import sys

import pytest

from conftest import PATIENCE, TRANSPORT, Ports, sim_args, wait_for
from test_relay import flows, passed

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from m3ua_peer import ASPDN, ASPDN_ACK, ASPUP, ASPUP_ACK, TcpPeer, message, parameter, u32  # noqa: E402

REG_REQ, REG_RSP, ROUTING_KEY, RESULT, LOCAL_ID, DPC = 0x0901, 0x0902, 0x0207, 0x0208, 0x020A, 0x020B

pytestmark = pytest.mark.sanitized

def config(ports, peers):
    return f"""
node = {{ name = "gw1"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "asps"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
{peers}
"""


def guests(**settings):
    more = " ".join(f'{key.replace("_", "-")} = {value};' for key, value in settings.items())
    return f'peer-templates = ( {{ name = "lab"; prefix = "127.0.0.0/8"; rkm = "dynamic"; {more} }} );'


def test_guests_register_and_relay(start_daemon, start_sim):
    """Nothing but a template is configured: two ASs of two ASPs each come to be, share the traffic, and go."""
    ports = Ports()
    daemon = start_daemon(config(ports, guests()), ports.console)
    run = start_sim(sim_args(ports) + flows(sls="0-15") + ["--register", "--duration", 3])

    def rows():
        return daemon.show("show as")["application-servers"]

    wait_for(lambda: [(a["state"], a["asps"]) for a in rows()] == [("AS-ACTIVE", 2)] * 2, 20,
             "both registered ASs are active, with both ASPs")
    assert all(row["registered"] and row["name"] == f'dyn-{row["routing-context"]}' for row in rows())
    assert daemon.show("show template")["templates"][0]["peers"] == 4
    passed(run)
    wait_for(lambda: not daemon.show("show asp")["asps"], 10, "the guests are gone")
    wait_for(lambda: not rows(), 10, "and what they registered")


def test_a_guest_that_stands_by_leaves_its_share_to_the_other(start_daemon, start_sim):
    ports = Ports()
    daemon = start_daemon(config(ports, guests(max_peers=4)), ports.console)
    run = start_sim(sim_args(ports) + flows(sls="0-15") + ["--register", "--at", "1s:msc-1:aspia", "--at",
                                                             "2s:msc-1:aspac", "--duration", 4])
    wait_for(lambda: len(daemon.show("show as")["application-servers"]) == 2, 20, "both are registered")
    passed(run)


def test_thousands_of_keys_are_registered_without_a_flood(start_daemon):
    """All at once, each in a message of its own: each is answered, in order; the log stays readable, and when they go
    together nobody has to wait for it."""
    keys = 4000
    ports = Ports()
    text = config(ports, guests(rkm_limit=4096))
    text = text.replace("listeners = (", f'listeners = ( {{ name = "tcp"; transport = "tcp"; '
                                         f'addresses = ( "127.0.0.1" ); port = {ports.peer}; }},')
    daemon = start_daemon(text, ports.console)
    other, p = TcpPeer(ports.peer), TcpPeer(ports.peer)
    p.ask(message(ASPUP), ASPUP_ACK)
    lines = daemon.log().count("\n")
    requests = [message(REG_REQ, parameter(ROUTING_KEY, u32(LOCAL_ID, i) + u32(DPC, 3000 + i))) for i in range(keys)]
    answers = []
    for first in range(0, keys, 1000):
        p.send(b"".join(requests[first:first + 1000]))
        answers += p.collect(.001)
    answers += p.sync(30 * PATIENCE)
    results = [struct.unpack("!4xI4xI", m.p[RESULT][:16]) for m in answers if m.type == REG_RSP]
    assert results == [(i, 0) for i in range(keys)]
    p.ask(message(ASPDN), ASPDN_ACK, 20 * PATIENCE)
    other.sync(20 * PATIENCE)
    wait_for(lambda: not daemon.show("show as")["application-servers"], 20, "all are deleted")
    assert daemon.log().count("\n") - lines < keys / 2
    assert daemon.show("show statistics")["totals"]["drops"]["control-busy"] == 0
