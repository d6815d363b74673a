# SPDX-License-Identifier: GPL-2.0-or-later
"""The console of a real daemon with real peers: transcripts, JSON against text, and the transcript player itself.

Regenerate the transcripts with `VTY_UPDATE=1 python3 -m pytest tests/integration/test_vty.py`, and look at the diff."""
import os
import pathlib
import re
import socket
import sys
import threading

import pytest

from conftest import TOP, TRANSPORT, Ports, sim_args, two_as_config, wait_for

sys.path.insert(0, str(TOP / "tests" / "tools"))
import vty_transcript  # noqa: E402

HERE = pathlib.Path(__file__).parent / "vty"
UPDATE = os.environ.get("VTY_UPDATE") == "1"

pytestmark = pytest.mark.sanitized


# ---- the player: it must be able to fail ----

class FakeConsole:
    """Answers commands from a table, the way a VTY does: echo, answer, prompt."""

    def __init__(self, answers):
        self.answers = answers
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer, peer.makefile("rb") as lines:
                peer.sendall(b"\xff\xfb\x01\xff\xfb\x03Welcome\r\ngw1> ")
                for line in lines:
                    command = line.decode().strip()
                    answer = "".join(text + "\r\n" for text in self.answers[command])
                    peer.sendall(f"{command}\r\n{answer}gw1> ".encode())

    def close(self):
        self.listener.close()


@pytest.fixture
def fake():
    console = FakeConsole({"show x": ["a      12", "since  3.5 s", "why    whatever"], "show none": []})
    yield console
    console.close()


def transcript(tmp_path, *lines):
    path = tmp_path / "t.vty"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_transcript_with_placeholders_matches(fake, tmp_path):
    path = transcript(tmp_path, "# what it is about", "gw1> show x", "a {n}", "since {time}", "why {any}",
                      "gw1> show none", "gw1> show x", "...", "why    whatever", "gw1> show x", "a 12", "...")
    assert vty_transcript.play(fake.port, path) == []


@pytest.mark.parametrize("lines", [
    ("a      13", "since  3.5 s", "why    whatever"),
    ("a      12", "since  3.5 s"),
    ("a      12", "since  3.5 s", "why    whatever", "more"),
    ("a      {time}", "since  3.5 s", "why    whatever"),
    ("...", "a 12"),
    (),
])
def test_a_transcript_that_differs_is_reported(fake, tmp_path, lines):
    path = transcript(tmp_path, "gw1> show x", *lines)
    before = path.read_text()
    assert len(vty_transcript.play(fake.port, path)) == 1
    assert path.read_text() == before


def test_another_prompt_is_a_difference(fake, tmp_path):
    assert vty_transcript.play(fake.port, transcript(tmp_path, "gw1# show none"))


def test_update_keeps_comments_and_placeholders_and_then_matches(fake, tmp_path):
    path = transcript(tmp_path, "# kept", "gw1> show x", "a {n}", "gone")
    vty_transcript.play(fake.port, path, update=True)
    assert path.read_text() == "# kept\ngw1> show x\na {n}\nsince  {time}\nwhy    whatever\n"
    assert vty_transcript.play(fake.port, path) == []
