# SPDX-License-Identifier: GPL-2.0-or-later
"""ss7sim's scripted mode against a peer that is made here: what it finds wrong, and how it says so."""
import signal
import socket
import struct
import subprocess
import threading
import time

import pytest

from conftest import BUILD, PATIENCE, free_port, wait_for

ACK = bytes.fromhex("0100030400000008")
NTFY_INACTIVE = bytes.fromhex("0100000100000010000d000800010002")
BEAT = bytes.fromhex("0100030300000008")
FAILED = (1, 3)  # 3: on a machine that let ss7sim wait


class Peer(threading.Thread):
    """Accepts one TCP connection; sends `answers`, one for each message received; keeps what it was sent."""

    def __init__(self, answers):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.listener.settimeout(10 * PATIENCE)
        self.port = self.listener.getsockname()[1]
        self.answers, self.received = list(answers), []
        self.start()

    def run(self):
        try:
            sock, _ = self.listener.accept()
            sock.settimeout(10 * PATIENCE)
            self.serve(sock)
        except OSError:
            pass
        finally:
            self.listener.close()

    def serve(self, sock):
        data = b""
        with sock:
            while part := sock.recv(65536):
                data += part
                while len(data) >= 8 and len(data) >= (length := struct.unpack(">I", data[4:8])[0]):
                    self.received.append(data[:length])
                    data = data[length:]
                    if self.answers:
                        sock.sendall(self.answers.pop(0))


def command(tmp_path, script, *args):
    path = tmp_path / "test.scn"
    path.write_text(script)
    return [str(BUILD / "ss7sim"), "--transport", "tcp", "--script", str(path), *args]


def play(tmp_path, script, *args):
    done = subprocess.run(command(tmp_path, script, *args), capture_output=True, text=True, timeout=30 * PATIENCE,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def towards(peer):
    return "--gateway", "127.0.0.1", "--port", str(peer.port)


UP = "purpose: to see\nclause: of this test\nendpoint a\na connect\na expect up\n"


@pytest.mark.sanitized
def test_what_was_expected_passes(tmp_path):
    peer = Peer([ACK + NTFY_INACTIVE])
    status, out, err = play(tmp_path, UP + "a send ASPUP asp_id=7\na expect ASPUP_ACK\na expect NTFY status=AS_INACTIVE\n",
                            *towards(peer))
    assert (status, err) == (0, "")
    assert out == "passed: to see\n"
    assert peer.received == [bytes.fromhex("01000301000000100011000800000007")]


@pytest.mark.sanitized
@pytest.mark.parametrize("answers, steps, line, came", [
    ([NTFY_INACTIVE], "a send ASPUP\na expect ASPUP_ACK\n", 7, "it is NTFY, not ASPUP_ACK"),
    ([NTFY_INACTIVE], "a send ASPUP\na expect NTFY status=AS_ACTIVE\n", 7, "status is AS_INACTIVE instead of AS_ACTIVE"),
    ([], "a send ASPUP\na expect ASPUP_ACK within 50ms\n", 7, "nothing, within 50 ms"),
    ([ACK], "a send ASPUP\na expect nothing for 2s\n", 7, "a: ASPUP_ACK"),
    ([ACK], "a expect down within 50ms\n", 6, "nothing"),
    ([ACK[:7] + b"\x0c" + b"\0\x11\0\x08"], "a send ASPUP\na expect ASPUP_ACK\n", 7, "malformed"),
    ([NTFY_INACTIVE + ACK], "a send ASPUP\nunordered {\na expect ASPUP_ACK\na expect ERR\n}\n", 7, "it is none of them"),
    ([ACK], "a send ASPUP\nunordered {\na expect ASPUP_ACK\na expect ERR within 1s\n}\n", 7, "missing:  a expect ERR"),
    ([], "a send ASPUP\na connect\n", 7, "there is an association already"),
    ([], "a close\na expect down\na send ASPUP\n", 8, "there is no association"),
    ([], "repeat 2 {\na send ASPUP\na expect ASPUP_ACK within 10ms\n}\n", 8, "nothing"),
])
def test_what_was_not_expected_fails_and_is_told(tmp_path, answers, steps, line, came):
    status, out, err = play(tmp_path, UP + steps, *towards(Peer(answers)))
    assert status in FAILED and out == ""
    assert f"test.scn:{line}: FAILED\n" in err, err
    assert came in err, err
    assert "purpose:  to see" in err and "clause:   of this test" in err
    assert "a   association up" in err  # the trace


def test_what_nobody_took_fails_at_the_end(tmp_path):
    status, _, err = play(tmp_path, UP + "a send ASPUP\na expect ASPUP_ACK\n", *towards(Peer([ACK + NTFY_INACTIVE])))
    assert status in FAILED
    assert "at the end: FAILED" in err and "NTFY" in err


@pytest.mark.sanitized
def test_any_of_takes_one(tmp_path):
    steps = "a send ASPUP\nany-of {\na expect ERR\na expect ASPUP_ACK\n}\n"
    assert play(tmp_path, UP + steps, *towards(Peer([ACK])))[0] == 0


def test_ignored_messages_are_not_seen(tmp_path):
    steps = "a ignore NTFY\na send ASPUP\na expect ASPUP_ACK\na expect nothing for 50ms\n"
    assert play(tmp_path, UP + steps, *towards(Peer([NTFY_INACTIVE + ACK + NTFY_INACTIVE])))[0] == 0


def test_beat_is_answered_only_if_asked(tmp_path):
    peer = Peer([BEAT + ACK])
    assert play(tmp_path, UP + "a auto beat\na send ASPUP\na expect ASPUP_ACK\nwait 20ms\n", *towards(peer))[0] == 0
    peer.join(10 * PATIENCE)
    assert [m[2:4] for m in peer.received] == [b"\x03\x01", b"\x03\x06"]
    assert play(tmp_path, UP + "a send ASPUP\na expect BEAT\na expect ASPUP_ACK\n", *towards(Peer([BEAT + ACK])))[0] == 0


def test_patience_stretches_what_is_waited_for(tmp_path):
    status, _, err = play(tmp_path, UP + "a expect down within 10ms\n", "--patience", "3", *towards(Peer([])))
    assert status in FAILED and "within 30 ms" in err


def test_a_failure_is_inconclusive_if_ss7sim_was_kept_from_running(tmp_path):
    peer = Peer([])
    script = UP + "a send ASPUP\na expect ASPUP_ACK within 1s\n"
    with subprocess.Popen(command(tmp_path, script, *towards(peer)), stderr=subprocess.PIPE, text=True) as run:
        wait_for(lambda: peer.received, what="ASP Up")
        run.send_signal(signal.SIGSTOP)
        let_go = time.monotonic() + 0.4
        wait_for(lambda: time.monotonic() > let_go)
        run.send_signal(signal.SIGCONT)
        _, err = run.communicate(timeout=30 * PATIENCE)
    assert run.returncode == 3 and "kept from running for " in err, err


@pytest.mark.sanitized
def test_two_endpoints_one_of_which_listens(tmp_path):
    port = free_port()
    script = (f"endpoint sgp listen port={port}\nendpoint asp\nsgp listen\nasp connect\nsgp,asp expect up\n"
              "asp send ASPUP\nsgp expect ASPUP\nsgp send ASPUP_ACK\nasp expect ASPUP_ACK\n"
              "asp close\nsgp,asp expect down\nasp connect\nsgp,asp expect up\nsgp abort\nasp expect down\nsgp expect down\n")
    status, _, err = play(tmp_path, script, "--gateway", "127.0.0.1", "--port", str(port))
    assert status == 0, err


@pytest.mark.parametrize("script, args, said", [
    ("a connect\n", (), "no such step or endpoint"),
    ("endpoint a port=$p\na connect\n", (), "$p never gets a value"),
    ("endpoint a\na connect\n", ("--set", "x"), "NAME=NUMBER"),
    ("endpoint a\na connect\n", ("--patience", "0"), "a factor"),
])
def test_wrong_scripts_and_options_are_status_2(tmp_path, script, args, said):
    status, _, err = play(tmp_path, script, *args)
    assert status == 2 and said in err, err
