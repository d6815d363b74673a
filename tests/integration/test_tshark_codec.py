# SPDX-License-Identifier: GPL-2.0-or-later
"""Every message that the codec writes decodes in Wireshark's dissector without a complaint."""
import pathlib
import struct
import subprocess
import sys

import pytest

from conftest import BUILD, TOP

sys.path.insert(0, str(TOP / "tests" / "tools"))
from tshark_oracle import split_messages, tshark_check, tshark_check_pcap, write_pcap  # noqa: E402

KINDS = 23  # messages that RFC 4666 s.3.1.2 defines


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    path = tmp_path_factory.mktemp("emit") / "messages"
    subprocess.run([str(BUILD / "emit_m3ua"), str(path)], check=True, timeout=30)
    return split_messages(pathlib.Path(path).read_bytes())


def test_every_message_is_emitted(emitted):
    assert len({message[2:4] for message in emitted}) == KINDS


def test_every_emitted_message_pleases_tshark(emitted):
    assert tshark_check(emitted) == []


def test_a_capture_is_checked_as_well(emitted, tmp_path):
    write_pcap(tmp_path / "good.pcap", emitted[:5])
    assert tshark_check_pcap(tmp_path / "good.pcap") == []
    write_pcap(tmp_path / "bad.pcap", emitted[:5] + [b"\x01\x00\x03\x01" + struct.pack(">IHH", 12, 0x0004, 200)])
    assert tshark_check_pcap(tmp_path / "bad.pcap")


@pytest.mark.parametrize("what, message", [
    ("a parameter beyond the end", bytes.fromhex("01000301 0000000c 000400c8")),
    ("no such parameter", bytes.fromhex("01000301 00000010 02220008 00000000")),
    ("no such error code", bytes.fromhex("01000000 00000010 000c0008 00000055")),
    ("no such message", bytes.fromhex("01000307 00000008")),
    ("cut short", bytes.fromhex("01000301 0000")),
])
def test_the_oracle_notices(what, message):
    assert tshark_check([message]), what
