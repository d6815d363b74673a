# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that fail, pause or flap under load: what ss7sim's node does to them, and what an operator does."""
import subprocess

import pytest

from conftest import BUILD, PATIENCE, TRANSPORT, Ports, free_port, wait_for
from test_ss7 import RATE, SLOW, Lab

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")


@pytest.fixture
def lab(start_daemon, start_sim):
    return lambda **kind: Lab(start_daemon, start_sim, **kind)


def link(net, n=0):
    return net.daemon.show(f"show link stp-{n}")["link"]


@pytest.mark.sanitized
def test_a_link_whose_test_fails_is_changed_over(lab):
    """The node reads nothing on one link for a while. The link test finds that before T7 does, and what the node had not
    read goes over the other link: the order says what was accepted (Q.707 s.2.2, Q.704 s.5.4)."""
    net = lab(l3="slt-t1 = 150; slt-t2 = 200;")
    node = net.passes(net.start(events=("300ms:stp.0:stall", "1300ms:stp.0:resume"), duration=3 * SLOW))
    assert "stp-0: active -> waiting (link test failed)" in net.daemon.log()
    assert (node["links"][0]["in_service"], node["links"][1]["in_service"]) == (2, 1), node
    assert node["changeovers"] and node["changeover_unanswered"] == 0


def test_a_neighbour_that_is_away_is_logged_once(start_daemon):
    """Its link is tried for ever, by both sides' timers: told once, then counted."""
    port, console = free_port(2), free_port()
    rows = "".join(f'{{ name = "{side}"; slc = {n}; side = "{side}"; {more} remote-addresses = ( "127.0.0.1" ); remote-port = '
                   f'{port + n}; }}{comma}' for n, (side, more, comma) in enumerate((
                       ("client", f'transport = "{TRANSPORT}"; reconnect-min = 10; reconnect-max = 20;', ","),
                       ("server", "", ""))))
    daemon = start_daemon(f"""
console = {{ address = "127.0.0.1"; port = {console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
mtp3 = {{ t17 = 20; }};
sctp = {{ init-attempts = 1; init-timeout = 100; }};
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {free_port()};
  udp-port = {free_port()}; }} );
links = ( {rows} );
linksets = ( {{ name = "over"; network = "national"; adjacent = "2-2-2"; links = ( "client", "server" ); }} );
""", console)
    for name in ("client", "server"):
        wait_for(lambda name=name: daemon.show(f"show link {name}")["link"]["failed-alignments"] > 9, 20, "it is tried")
        assert daemon.log().count(f"link {name}: aligning -> waiting (no association)") == 1, daemon.log()
        assert daemon.log().count(f"link {name}: waiting -> aligning") == 0, daemon.log()
    wait_for(lambda: "link client: association down" in daemon.log(), what="an attempt to connect fails")
    assert daemon.log().count("link client: association down") == 1, daemon.log()


# Where the priority is M2PA's PRI (RFC 4165 s.2.3.1), and where it is in the SIO.
@pytest.mark.parametrize("variant,field", [("japan", "pri=3"), ("ansi", "mp=3"), ("itu", "pri=0 mp=0")])
def test_management_has_the_highest_priority(start_daemon, tmp_path, variant, field):
    ports = Ports()
    start_daemon(f"""
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "{variant}"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "all"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
mtp3 = {{ slt-t1 = 4000; }};
links = ( {{ name = "a"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer}; t4-emergency = 100; }} );
linksets = ( {{ name = "over"; network = "national"; adjacent = "2-2-2"; links = ( "a" ); }} );
""", ports.console)
    script = tmp_path / "priority.scn"
    script.write_text(f"""
purpose: management messages have the highest priority where there are priorities
clause: Q.704 s.2.3.5.1, RFC 4165 s.2.3.1
config: inline
variant: {variant}
endpoint a port=$peer
a ignore M2PA:ack M2PA:proving_normal M2PA:proving_emergency M2PA:out_of_service
a connect
a expect up within 5s
a expect M2PA link_status=alignment within 10s
a send M2PA link_status=alignment
a send M2PA link_status=proving_emergency
a expect M2PA link_status=ready within 5s
a send M2PA link_status=ready
a expect M2PA SLTM opc=1-1-1 dpc=2-2-2 {field} within 5s
""")
    done = subprocess.run(
        [str(BUILD / "ss7sim"), "--script", str(script), "--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port",
         str(ports.gateway), "--udp-port", str(ports.udp), "--local-udp-port", str(ports.local_udp), "--set",
         f"peer={ports.peer}", "--patience", str(3 * PATIENCE)],
        capture_output=True, text=True, timeout=60 * PATIENCE, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stderr
