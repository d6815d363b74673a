# SPDX-License-Identifier: GPL-2.0-or-later
"""An M2PA neighbour made by hand (RFC 4165 over TCP, ITU point codes), for tests that must send what no well-behaved
one sends. While it is served (`serve`, `until`) it aligns whenever the gateway does, acknowledges, answers link tests and
restarts; everything else is the test's. Standard library only."""
import struct
import time

from m3ua_peer import PATIENCE, TcpPeer

USER_DATA, LINK_STATUS = 1, 2
(ALIGNMENT, PROVING_NORMAL, PROVING_EMERGENCY, READY, PROCESSOR_OUTAGE, PROCESSOR_RECOVERED, BUSY, BUSY_ENDED,
 OUT_OF_SERVICE) = range(1, 10)
NO_FSN = 0xFFFFFF  # before the first User Data
SNM, TEST = 0, 1
# H0 | H1 << 4 (Q.704 s.15)
COO, COA, XCO, XCA, CBD, CBA = 0x11, 0x21, 0x31, 0x41, 0x51, 0x61
ECO, ECA, RCT, TFC, TFP, TFR, TFA, RST = 0x12, 0x22, 0x13, 0x23, 0x14, 0x34, 0x54, 0x15
LIN, LUN, LIA, LUA, LID, LFU, LLT, LRT = 0x16, 0x26, 0x36, 0x46, 0x56, 0x66, 0x76, 0x86
TRA, UPU = 0x17, 0x1A
SLTM, SLTA = 0x11, 0x21


def m2pa(kind, bsn, fsn, body=b"", version=1, spare=0, group=11, length=None):
    """A message, of LENGTH or its own."""
    return struct.pack("!BBBBIII", version, spare, group, kind, 16 + len(body) if length is None else length, bsn,
                       fsn) + body


def label(opc, dpc, sls):
    return struct.pack("<I", dpc & 0x3FFF | (opc & 0x3FFF) << 14 | (sls & 15) << 28)


def msu(opc, dpc, sls, body, si=SNM, ni=2):
    """From the SIO on."""
    return bytes([ni << 6 | si]) + label(opc, dpc, sls) + body


def snm(opc, dpc, slc, heading, fields=b"", si=SNM):
    return msu(opc, dpc, slc, bytes([heading]) + fields, si)


def dest(pc):
    """The field of TFP, TFR, TFA, RST, TFC, and the first one of UPU."""
    return struct.pack("<H", pc)


class M2paPeer(TcpPeer):
    """Signalling point `own`, neighbour of the gateway's `other`; `heard`: every message of the gateway's."""

    def __init__(self, port, own, other, slc=0, local="127.0.0.1", **options):
        super().__init__(port, local=local, **options)
        self.own, self.other, self.slc = own, other, slc
        self.heard, self.headings = [], {}
        self.acknowledges = self.tests = self.aligns = True
        self.times_in_service = 0
        self.begin()

    def begin(self):
        self.fsn = self.bsn = self.acked = NO_FSN
        self.in_service = self.tested = False

    # ---- sending ----

    def status(self, state, filler=b""):
        self.send(m2pa(LINK_STATUS, self.bsn, self.fsn, struct.pack("!I", state) + filler))

    def user_data(self, *msus):
        """One after the other, in as few segments as TCP likes."""
        out = []
        for unit in msus:
            self.fsn = self.fsn + 1 & NO_FSN
            out.append(m2pa(USER_DATA, self.bsn, self.fsn, b"\0" + unit))
        self.send(b"".join(out))

    def manage(self, heading, fields=b"", slc=None, si=SNM):
        self.user_data(snm(self.own, self.other, self.slc if slc is None else slc, heading, fields, si))

    # ---- what the gateway says ----

    def take(self, raw):
        self.heard.append(raw)
        kind, body = raw[3], raw[16:]
        bsn, fsn = struct.unpack_from("!II", raw, 8)
        if kind == LINK_STATUS:
            self.take_status(struct.unpack_from("!I", body)[0])
            return
        self.acked = bsn
        if len(body) > 6:
            self.bsn = fsn
            self.take_msu(body[1:])

    def take_status(self, state):
        if state == ALIGNMENT and self.aligns:
            self.begin()
            self.status(ALIGNMENT)
            self.status(PROVING_EMERGENCY)
        elif state == READY and not self.in_service and self.aligns:
            self.in_service = True
            self.times_in_service += 1
            self.status(READY)
        elif state == PROCESSOR_RECOVERED:
            self.status(READY)
        elif state == OUT_OF_SERVICE:
            self.in_service = self.tested = False

    def take_msu(self, unit):
        si, heading = unit[0] & 15, unit[5] if len(unit) > 5 else None
        self.headings[si, heading] = self.headings.get((si, heading), 0) + 1
        if (si, heading) == (TEST, SLTM) and self.tests:
            self.manage(SLTA, unit[6:], si=TEST)
            if not self.tested:
                self.tested = True
                self.manage(TRA)
        elif (si, heading) in ((SNM, LRT), (SNM, LFU)):  # nothing is inhibited here
            self.manage(LUN, slc=unit[4] >> 4)

    def unacknowledged(self):
        return self.fsn - self.acked & NO_FSN

    def acknowledge(self):
        self.send(m2pa(USER_DATA, self.bsn, self.fsn))

    def serve(self, seconds=0.001):
        """Takes what comes until nothing has for `seconds`; one acknowledgement for all of it. OSError: it was cut off."""
        got = False
        while (m := self.receive(seconds)) is not None:
            self.take(m.raw)
            got |= m.raw[3] == USER_DATA and len(m.raw) > 16
        if self.closed:
            raise ConnectionError("the gateway has closed the connection")
        if got and self.in_service and self.acknowledges:
            self.acknowledge()

    def until(self, condition, seconds=15, what="condition", others=()):
        deadline = time.monotonic() + seconds * PATIENCE
        while not condition():
            assert time.monotonic() < deadline, f"not within {seconds * PATIENCE:g} s: {what}"
            for peer in (self, *others):
                peer.serve(0.01)
        return self

    def is_up(self):
        """In service and tested, with nothing of before in between."""
        return self.in_service and self.tested
