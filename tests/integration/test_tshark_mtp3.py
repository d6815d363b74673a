# SPDX-License-Identifier: GPL-2.0-or-later
"""Every message of level 3 that the codec writes, inside M2PA user data (RFC 4165 s.2), as Wireshark's dissector sees it:
no complaint, and the values that went in."""
import pathlib
import struct
import subprocess
import sys
import xml.etree.ElementTree

import pytest

from conftest import BUILD, TOP

sys.path.insert(0, str(TOP / "tests" / "tools"))
from tshark_oracle import LINKTYPE_SCTP, sctp_packet  # noqa: E402

PPID_M2PA = 5
STANDARD = {"itu": "ITU", "ansi": "ANSI", "china": "Chinese ITU", "japan": "Japan"}
MESSAGES = {"itu": 33, "ansi": 39, "china": 33, "japan": 33}
# In Japan the dissector knows no more than these: CHM, ECM, FCM, TFP, TFA, RST by their headings
KNOWN_IN_JAPAN = {0x11, 0x21, 0x31, 0x41, 0x51, 0x61, 0x12, 0x22, 0x13, 0x23, 0x14, 0x54, 0x15}


def m2pa(msu, fsn):
    """Version 1, spare, class 11, type 1, length; unused, BSN, unused, FSN; priority."""
    return struct.pack(">BBBBIII", 1, 0, 11, 1, 17 + len(msu), 0xFFFFFF, fsn) + b"\0" + msu


def emitted(variant, tmp_path):
    path = tmp_path / variant
    subprocess.run([str(BUILD / "emit_mtp3"), variant, str(path)], check=True, timeout=30)
    data, messages = path.read_bytes(), []
    while data:
        messages.append(data[1:1 + data[0]])
        data = data[1 + data[0]:]
    return messages


def dissect(messages, variant, tmp_path):
    path = pathlib.Path(tmp_path) / "mtp3.pcap"
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, LINKTYPE_SCTP))
        for n, message in enumerate(messages):
            packet = sctp_packet(m2pa(message, n), n + 1, stream=1, ppid=PPID_M2PA)
            out.write(struct.pack("<IIII", n, 0, len(packet), len(packet)) + packet)
    run = subprocess.run(["tshark", "-r", str(path), "-T", "pdml", "-o", f"mtp3.standard:{STANDARD[variant]}",
                          "-o", "m2pa.version:RFC 4165"], capture_output=True, timeout=120, check=True)
    return list(xml.etree.ElementTree.fromstring(run.stdout).iter("packet"))


def complaints(packet):
    found = []
    if packet.find("./proto[@name='mtp3mg']") is None:
        found.append("not dissected as management")
    for field in packet.iter():
        name = field.get("name", "")
        if name == "_ws.expert.message":
            found.append(field.get("show", ""))
        if name.startswith(("_ws.malformed", "_ws.short", "mtp3mg.unknown")):
            found.append(name)
    return found


def values(packets, name):
    return [int(f.get("show"), 0) for p in packets for f in p.iter("field") if f.get("name") == name]


@pytest.mark.parametrize("variant", ["itu", "ansi", "china", "japan"])
def test_every_level_3_message_pleases_tshark(variant, tmp_path):
    messages = emitted(variant, tmp_path)
    assert len(messages) == MESSAGES[variant]
    if variant == "japan":
        messages = [m for m in messages if m[0] & 15 == 0 and m[7] in KNOWN_IN_JAPAN]
        assert len(messages) == len(KNOWN_IN_JAPAN)
    packets = dissect(messages, variant, tmp_path)
    assert len(packets) == len(messages)
    found = [f"{m.hex()}: {c}" for m, p in zip(messages, packets) for c in complaints(p)]
    assert found == []


def test_tshark_reads_the_values_of_itu(tmp_path):
    packets = dissect(emitted("itu", tmp_path), "itu", tmp_path)
    assert set(values(packets, "mtp3.sls")) == {0, 9}
    assert set(values(packets, "mtp3.dpc")) == {0x0304}
    assert set(values(packets, "mtp3.opc")) == {0x0A0B}
    assert set(values(packets, "mtp3mg.apc")) == {0x1357}
    assert sorted(values(packets, "mtp3mg.cause")) == [0, 1, 2]


def test_tshark_reads_the_values_of_ansi(tmp_path):
    packets = dissect(emitted("ansi", tmp_path), "ansi", tmp_path)
    assert set(values(packets, "mtp3mg.slc")) == {9}
    assert set(values(packets, "mtp3mg.apc.cluster")) == {0x13}
    assert set(values(packets, "mtp3mg.apc.member")) == {0x57}


def test_the_mtp3_oracle_notices(tmp_path):
    cut = bytes.fromhex("8009880202 14 34".replace(" ", ""))
    assert complaints(dissect([cut], "itu", tmp_path)[0])
