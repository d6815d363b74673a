# SPDX-License-Identifier: GPL-2.0-or-later
"""What management does at the console, as ASPs see it (RFC 4666 s.4.3.4.1, 4.3.4.3, 4.7), message by message; and what
is shown of what they report."""
import subprocess

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TOP, Ports, wait_for
from test_scenarios import SCENARIOS, TRANSPORTS, fill_in

BEGIN = f"include {SCENARIOS}/configs/two-as.inc\n"


class Peers:
    """Scripts played against a daemon with two-as.conf."""

    def __init__(self, start_daemon, tmp_path, transport):
        self.ports, self.dir, self.transport = Ports(), tmp_path, transport
        text = fill_in((SCENARIOS / "configs" / "two-as.conf").read_text(), self.ports, transport)
        self.daemon = start_daemon(text, self.ports.console)
        wait_for(lambda: ": listening" in self.daemon.log(), 15, "it listens")

    def begin(self, script):
        """Those that are followed by another from the same ports end with an abort, for TCP's sake: TIME-WAIT."""
        path = self.dir / "script.scn"
        path.write_text(BEGIN + script)
        p = self.ports
        return subprocess.Popen(
            [str(BUILD / "ss7sim"), "--script", str(path), "--quiet", "--patience", str(SCRIPT_PATIENCE), "--transport",
             self.transport, "--gateway", "127.0.0.1", "--port", str(p.gateway), "--udp-port", str(p.udp),
             "--local-udp-port", str(p.local_udp), "--set", f"peer={p.peer}"],
            cwd=TOP, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)

    def play(self, script, meanwhile=lambda: None):
        run = self.begin(script)
        try:
            meanwhile()
            _, text = run.communicate(timeout=60 * PATIENCE)
            assert run.returncode == 0, f"{text}\n{self.daemon.log()}"
        finally:
            run.kill()
            run.wait()

    def wait_state(self, name, state):
        wait_for(lambda: self.daemon.show(f"show asp {name}")["asp"]["state"] == state, 20, f"{name} is {state}")

    def operate(self, command):
        self.daemon.run(f"enable\n{command}")


@pytest.fixture(params=TRANSPORTS)
def peers(request, start_daemon, tmp_path):
    return Peers(start_daemon, tmp_path, request.param)


@pytest.mark.sanitized
def test_a_blocked_asp_is_told_and_refused_until_it_is_unblocked(peers):
    def block():
        peers.wait_state("hlr1", "ASP-ACTIVE")
        peers.operate("asp hlr1 block")

    peers.play("""
        use active hlr1 10
        hlr1 expect ASPIA_ACK rc=10 within 20s
        hlr1 expect NTFY status=AS_PENDING rc=10
        hlr1 expect NTFY status=AS_INACTIVE rc=10
        hlr1 send ASPAC rc=10
        hlr1 expect ERR err=REFUSED rc=10
        hlr1 send ASPDN
        hlr1 expect ASPDN_ACK
        hlr1 abort
        hlr1 expect down
        """, block)
    peers.operate("asp hlr1 unblock")
    peers.wait_state("hlr1", "ASP-DOWN")
    peers.play("use active hlr1 10\n")


@pytest.mark.sanitized
def test_a_locked_asp_goes_down_in_order_and_is_refused_until_it_is_unlocked(peers):
    def lock():
        peers.wait_state("hlr1", "ASP-ACTIVE")
        peers.operate("asp hlr1 lock")

    peers.play("""
        use active hlr1 10
        hlr1 expect ASPIA_ACK rc=10 within 20s
        hlr1 expect NTFY status=AS_PENDING rc=10
        hlr1 expect ASPDN_ACK
        hlr1 send ASPUP
        hlr1 expect ERR err=REFUSED
        hlr1 send ASPDN
        hlr1 expect ASPDN_ACK
        hlr1 abort
        hlr1 expect down
        """, lock)
    peers.operate("asp hlr1 unlock")
    peers.play("use up hlr1\nhlr1 expect NTFY status=* rc=10\nhlr1 ignore NTFY\n")


def test_errors_that_asps_report_are_shown_by_code(peers):
    peers.play("""
        use inactive hlr1 10
        hlr1 send ERR err=PROTOCOL diag=01
        hlr1 send ERR err=INVALID_RC rc=10 diag=01
        hlr1 send ERR err=INVALID_RC rc=10 diag=01
        hlr1 send BEAT
        hlr1 expect BEAT_ACK
        """)
    errors = peers.daemon.show("show asp hlr1")["asp"]["errors"]
    assert {e["code"]: (e["received"], e["sent"]) for e in errors} == {7: (1, 0), 25: (2, 0)}, errors


@pytest.mark.sanitized
@pytest.mark.parametrize("peers", TRANSPORTS[:1], indirect=True)
def test_a_peer_that_is_killed_and_starts_again_begins_anew(peers):
    """With SCTP in the process nothing tells the gateway of its death: it learns of it by the restart (RFC 9260 s.5.2),
    which puts the ASP down (RFC 4666 s.4.3.1, SCTP RI). A kernel closes what a process leaves behind; where that is TCP
    the port is not free at once."""
    first = peers.begin("use active hlr1 10\nwait 60s\n")
    try:
        peers.wait_state("hlr1", "ASP-ACTIVE")
    finally:
        first.kill()
        first.wait()
    peers.play("""
        hlr1 connect
        hlr1 expect up within 20s
        hlr1 ignore DUNA DAVA
        hlr1 send ASPAC rc=10
        hlr1 expect ERR err=UNEXPECTED rc=10    # nothing is left of what it was
        hlr1 send ASPUP
        hlr1 expect ASPUP_ACK
        any-of {
          hlr1 expect NTFY status=AS_PENDING rc=10
          hlr1 expect NTFY status=AS_INACTIVE rc=10
        }
        hlr1 ignore NTFY
        """)
    if peers.transport == "embedded":
        assert "restart" in peers.daemon.log(), peers.daemon.log()
