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
LINK_STATES = 9  # that RFC 4165 s.2.3.2 defines


def emit(program, directory):
    path = directory / "messages"
    subprocess.run([str(BUILD / program), str(path)], check=True, timeout=30)
    return split_messages(pathlib.Path(path).read_bytes())


@pytest.fixture(scope="module")
def emitted(tmp_path_factory):
    return emit("emit_m3ua", tmp_path_factory.mktemp("emit"))


@pytest.fixture(scope="module")
def emitted_m2pa(tmp_path_factory):
    return emit("emit_m2pa", tmp_path_factory.mktemp("emit"))


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


def test_every_m2pa_message_is_emitted(emitted_m2pa):
    assert {message[16:20] for message in emitted_m2pa if message[3] == 2} == \
        {struct.pack(">I", state) for state in range(1, LINK_STATES + 1)}
    assert {len(message) > 16 for message in emitted_m2pa if message[3] == 1} == {True, False}


def test_every_emitted_m2pa_message_pleases_tshark(emitted_m2pa):
    assert tshark_check(emitted_m2pa, "m2pa") == []


@pytest.mark.parametrize("what, message", [
    ("no such link status", bytes.fromhex("01000b02 00000014 00000000 00000000 0000000a")),
    ("no such message", bytes.fromhex("01000b03 00000010 00000000 00000000")),
    ("no such class", bytes.fromhex("01000c01 00000010 00000000 00000000")),
])
def test_the_oracle_notices_m2pa(what, message):
    assert tshark_check([message], "m2pa"), what
