#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Wireshark's dissector thinks of M3UA and M2PA messages.

    tshark_check([bytes, ...]) -> complaints about these messages, each as one M3UA (or PROTOCOL) message
    tshark_check_pcap(path)    -> complaints about every M3UA and M2PA message of a capture
    tshark_oracle.py FILE [m2pa] -> both for the command line: a .pcap, or messages one after the other

A complaint is an expert item, a malformed or undissected message, an unknown parameter or value. No complaint: []."""
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

LINKTYPE_SCTP = 248
PPID = {"m3ua": 3, "m2pa": 5}
PPID_M3UA = PPID["m3ua"]
PORT = {PPID["m3ua"]: 2905, PPID["m2pa"]: 3565}
# What is inside Protocol Data is nobody's business here, and the payloads of tests decode as nothing.
USERS = ("mtp3mg", "sccp", "tup", "isup", "bicc", "alcap", "h248")


def _crc32c_table():
    table = []
    for n in range(256):
        for _ in range(8):
            n = (n >> 1) ^ (0x82F63B78 if n & 1 else 0)
        table.append(n)
    return table


_TABLE = _crc32c_table()


def _crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = (crc >> 8) ^ _TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def sctp_packet(message, tsn, stream=0, ppid=PPID_M3UA):
    """One SCTP packet of one DATA chunk (RFC 4960 s.3.1, 3.3.1), begin and end bits set."""
    chunk = struct.pack(">BBHIHHI", 0, 3, 16 + len(message), tsn, stream, tsn & 0xFFFF, ppid) + message
    chunk += bytes(-len(chunk) % 4)
    header = struct.pack(">HHI", PORT[ppid], PORT[ppid], 1)
    checksum = struct.pack("<I", _crc32c(header + bytes(4) + chunk))
    return header + checksum + chunk


def write_pcap(path, messages, protocol="m3ua"):
    """A capture of link type SCTP, one message per packet."""
    with open(path, "wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 262144, LINKTYPE_SCTP))
        for n, message in enumerate(messages):
            packet = sctp_packet(message, n + 1, ppid=PPID[protocol])
            out.write(struct.pack("<IIII", n, 0, len(packet), len(packet)) + packet)


def split_messages(data):
    """Messages that lie one after the other, by their own length field (RFC 4666 s.3.1.4, RFC 4165 s.2.1.5)."""
    messages = []
    while data:
        length = struct.unpack_from(">I", data, 4)[0] if len(data) >= 8 else 0
        if length < 8 or length > len(data):
            raise ValueError(f"message {len(messages)}: length {length}, {len(data)} octets left")
        messages.append(data[:length])
        data = data[length:]
    return messages


def _dissect(path, udp_port=None, management=None):
    """MANAGEMENT: the standard ("ITU", "ANSI") that messages of MTP3 management are of; None: they are not looked into."""
    command = ["tshark", "-r", str(path), "-T", "pdml", "-o", "m3ua.version:RFC 4666", "-o", "m2pa.version:RFC4165",
               "-o", "sctp.checksum:CRC32c"]
    for user in USERS:
        if not management or user != "mtp3mg":
            command += ["--disable-protocol", user]
    if management:
        command += ["-o", f"mtp3.standard:{management}"]
    if udp_port:
        command += ["-d", f"udp.port=={udp_port},sctp"]
    run = subprocess.run(command, capture_output=True, timeout=120, check=False)
    if run.returncode != 0:
        raise RuntimeError(f"tshark ended with {run.returncode}: {run.stderr.decode(errors='replace')}")
    return xml.etree.ElementTree.fromstring(run.stdout)


# SCTP's doing when an acknowledgement is late, or is there and not read yet: nothing is wrong with the message
AS_IT_GOES = ("Retransmitted TSN", "This TSN was acked prior to this retransmission (reneged ack?).",
              "This TSN was retransmitted more than 2 times.")


def _about(field):
    """What is to be complained about in one field, or None."""
    name, shown = field.get("name", ""), field.get("showname", "") or field.get("show", "")
    if name.startswith("_ws.expert") and name != "_ws.expert.message":
        return None
    if name == "_ws.expert.message" and field.get("show") in AS_IT_GOES:
        return None
    if name == "_ws.expert.message":
        return "expert: " + field.get("show", "")
    if name.startswith(("_ws.malformed", "_ws.short")):
        return name[1:]
    if name in ("m3ua.parameter_value", "m2pa.unknown_data") or name.startswith("mtp3mg.unknown"):
        return "not dissected: " + field.get("value", "")
    # what the dissector has no name for; the Unavailability Cause 0 is really called so
    if name.startswith(("m3ua.", "m2pa.")) and re.search(r": (Unknown|[Rr]eserved|Invalid) \(", shown) \
            and name != "m3ua.unavailability_cause":
        return "unknown value: " + shown
    return None


def _is(packet, protocol):
    return packet.find(f"./proto[@name='{protocol}']") is not None


def _complaints(packet, protocol):
    number = packet.find("./proto[@name='geninfo']/field[@name='num']").get("show")
    found = [] if _is(packet, protocol) else ["not dissected as " + protocol.upper()]
    for element in packet.iter():
        if element.tag in ("field", "proto"):
            complaint = _about(element)
            if complaint:
                found.append(complaint)
    return [f"message {number}: {complaint}" for complaint in found]


def tshark_check_pcap(path, every_packet_is=None, udp_port=None, management=None):
    """Complaints about a capture. Packets without M3UA or M2PA are passed over unless each is expected to carry one.
    UDP_PORT: SCTP is encapsulated in UDP there (RFC 6951). MANAGEMENT: as for _dissect."""
    found = []
    for packet in _dissect(path, udp_port, management).iter("packet"):
        if every_packet_is:
            found += _complaints(packet, every_packet_is)
        else:
            for protocol in PPID:
                found += _complaints(packet, protocol) if _is(packet, protocol) else []
    return found


def tshark_check(messages, protocol="m3ua"):
    """Complaints about messages."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "messages.pcap"
        write_pcap(path, messages, protocol)
        return tshark_check_pcap(path, every_packet_is=protocol)


def main():
    path = pathlib.Path(sys.argv[1])
    if path.suffix in (".pcap", ".pcapng"):
        found = tshark_check_pcap(path)
    else:
        found = tshark_check(split_messages(path.read_bytes()), *sys.argv[2:3])
    print("\n".join(found) or "no complaint")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
