# SPDX-License-Identifier: GPL-2.0-or-later
"""M3UA peers made by hand, for tests that must send what no well-behaved peer sends.

    TcpPeer(gateway port, local port)                M3UA over TCP
    SctpPeer(udp port, gateway port, local port)     M3UA over SCTP over UDP (RFC 6951), every packet ours

Both send any bytes as a message, and give back whole messages as Message. Standard library only.
SIGNALBOX_PATIENCE stretches how long they wait for what must come."""
import errno
import os
import random
import socket
import struct
import time

from m3ua_relay import message, parameter
from tshark_oracle import _crc32c

PATIENCE = float(os.environ.get("SIGNALBOX_PATIENCE", "1"))
ERR, NTFY, DATA = 0x0000, 0x0001, 0x0101
DUNA, DAVA, DAUD, SCON, DUPU, DRST = 0x0201, 0x0202, 0x0203, 0x0204, 0x0205, 0x0206
ASPUP, ASPDN, BEAT, ASPUP_ACK, ASPDN_ACK, BEAT_ACK = 0x0301, 0x0302, 0x0303, 0x0304, 0x0305, 0x0306
ASPAC, ASPIA, ASPAC_ACK, ASPIA_ACK = 0x0401, 0x0402, 0x0403, 0x0404
P_INFO, P_RC, P_DIAGNOSTIC, P_HEARTBEAT, P_MODE, P_ERROR = 0x0004, 0x0006, 0x0007, 0x0009, 0x000B, 0x000C
P_STATUS, P_ASP_ID, P_AFFECTED = 0x000D, 0x0011, 0x0012
P_NA, P_USER_CAUSE, P_CONGESTION, P_DATA = 0x0200, 0x0204, 0x0205, 0x0210


def u32(tag, *values):
    """A parameter that is a list of 32-bit numbers."""
    return parameter(tag, struct.pack(f"!{len(values)}I", *values))


def point_code(text, widths=(3, 8, 3)):
    """"1-2-3" as a number."""
    value = 0
    for field, width in zip(text.split("-"), widths):
        value = value << width | int(field)
    return value


def data(opc, dpc, sls=0, si=3, ni=2, mp=0, payload=b"x" * 20, rc=None, na=None):
    """DATA."""
    return message(DATA, *([u32(P_NA, na)] if na is not None else []), *([u32(P_RC, rc)] if rc is not None else []),
                   parameter(P_DATA, struct.pack("!IIBBBB", opc, dpc, si, ni, mp, sls) + payload))


class Message:
    """A received message; p[tag] is the value of its first parameter with that tag."""

    def __init__(self, raw, stream=0, ppid=3):
        self.raw, self.stream, self.ppid = raw, stream, ppid
        self.type = struct.unpack_from("!H", raw, 2)[0]
        self.p = {}
        at = 8
        while at + 4 <= len(raw):
            tag, length = struct.unpack_from("!HH", raw, at)
            self.p.setdefault(tag, raw[at + 4:at + length])
            at += max(4, length + -length % 4)

    def numbers(self, tag):
        return [n for (n,) in struct.iter_unpack("!I", self.p.get(tag, b""))]

    def error(self):
        return self.numbers(P_ERROR)[0] if self.type == ERR else None

    def payload(self):
        return self.p[P_DATA][12:]

    def __repr__(self):
        return f"<{self.type:#06x} {self.raw[8:60].hex()}>"


class Peer:
    """What both kinds of peers can do with send(bytes) and receive(seconds)."""

    def collect(self, seconds=0.3):
        """Every message until nothing has come for `seconds`."""
        found = []
        while True:
            m = self.receive(seconds)
            if m is None:
                return found
            found.append(m)

    def expect(self, kind, seconds=10):
        """The next message of that type; others are passed over, and kept in `passed`."""
        self.passed = []
        deadline = time.monotonic() + seconds * PATIENCE
        while time.monotonic() < deadline:
            m = self.receive(deadline - time.monotonic())
            if m is None:
                break
            if m.type == kind:
                return m
            self.passed.append(m)
        raise AssertionError(f"no message of type {kind:#06x}, but {self.passed[-20:]}")

    def ask(self, request, kind, seconds=10):
        self.send(request)
        return self.expect(kind, seconds)

    def sync(self, seconds=10):
        """All that was sent before has been handled: the messages that came until then."""
        token = random.randbytes(12)
        self.send(message(BEAT, parameter(P_HEARTBEAT, token)))
        seen = []
        while True:
            m = self.expect(BEAT_ACK, seconds)
            seen += self.passed
            if m.p.get(P_HEARTBEAT) == token:
                return seen
            seen.append(m)

    def activate(self, *rcs, mode=None):
        self.ask(message(ASPUP), ASPUP_ACK)
        self.ask(message(ASPAC, *([u32(P_MODE, mode)] if mode else []), *([u32(P_RC, *rcs)] if rcs else [])),
                 ASPAC_ACK)
        return self


NOT_YET = (errno.EADDRNOTAVAIL, errno.EADDRINUSE, errno.ECONNREFUSED)


class TcpPeer(Peer):
    """`seconds`: how long it tries to get a port that an earlier connection may keep in TIME-WAIT, or a connection to a
    gateway that does not listen yet."""

    def __init__(self, port, local_port=0, local="127.0.0.1", gateway="127.0.0.1", receive_buffer=None, seconds=90):
        deadline = time.monotonic() + seconds
        while True:
            try:
                self.sock = self.connected((local, local_port), (gateway, port), receive_buffer)
                break
            except OSError as e:
                if e.errno not in NOT_YET or time.monotonic() >= deadline:
                    raise
            time.sleep(0.05)
        self.rx = b""
        self.closed = False

    @staticmethod
    def connected(local, gateway, receive_buffer):
        sock = socket.socket()
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if receive_buffer:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
            sock.bind(local)
            sock.settimeout(10 * PATIENCE)
            sock.connect(gateway)
        except OSError:
            sock.close()
            raise
        return sock

    def send(self, raw, stream=0):
        self.sock.sendall(raw)

    def receive(self, seconds=5):
        deadline = time.monotonic() + seconds
        while True:
            if len(self.rx) >= 8:
                length = struct.unpack_from("!I", self.rx, 4)[0]
                if len(self.rx) >= length:
                    raw, self.rx = self.rx[:length], self.rx[length:]
                    return Message(raw)
            self.sock.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                part = self.sock.recv(1 << 18)
            except TimeoutError:
                return None
            except OSError:
                part = b""
            finally:
                self.sock.settimeout(10 * PATIENCE)
            if not part:
                self.closed = True
                return None
            self.rx += part

    def abort(self):
        """RST instead of FIN."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.sock.close()

    def close(self):
        self.sock.close()


DATA_CHUNK, INIT, INIT_ACK, SACK, HEARTBEAT, HEARTBEAT_ACK, ABORT = 0, 1, 2, 3, 4, 5, 6
SHUTDOWN, SHUTDOWN_ACK, COOKIE_ECHO, COOKIE_ACK, SHUTDOWN_COMPLETE = 7, 8, 10, 11, 14
MTU = 1200


class SctpPeer(Peer):
    """One association, as little of RFC 4960 as a loopback needs. `answering` False: a peer that has died;
    `window` 0: one that does not read."""

    def __init__(self, udp_port, port, local_port, local_udp_port=0, out_streams=16, in_streams=16, window=1 << 20,
                 local="127.0.0.1", connect=True):
        self.sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        self.sock.bind((local, local_udp_port))
        self.sock.connect(("127.0.0.1", udp_port))
        self.port, self.local_port = port, local_port
        self.tag, self.peer_tag = random.randrange(1, 1 << 32), 0
        self.tsn = random.randrange(1 << 32)
        self.window, self.cum, self.answering = window, None, True
        self.out_streams, self.in_streams = out_streams, in_streams
        self.ssn, self.unacked, self.ready, self.parts = {}, {}, [], {}
        self.ahead = {}
        self.state, self.closed = "closed", False
        if connect:
            self.connect()

    # ---- packets ----

    def packet(self, *chunks, tag=None):
        head = struct.pack("!HHI", self.local_port, self.port, self.peer_tag if tag is None else tag)
        body = b"".join(c + bytes(-len(c) % 4) for c in chunks)
        try:
            self.sock.send(head + struct.pack("<I", _crc32c(head + bytes(4) + body)) + body)
        except ConnectionError:
            self.closed = True

    @staticmethod
    def chunk(kind, value=b"", flags=0):
        return struct.pack("!BBH", kind, flags, 4 + len(value)) + value

    def init(self):
        return self.chunk(INIT, struct.pack("!IIHHI", self.tag, self.window or 1500, self.out_streams, self.in_streams,
                                            self.tsn))

    def connect(self, seconds=10):
        deadline = time.monotonic() + seconds * PATIENCE
        while self.state != "open":
            if time.monotonic() > deadline:
                raise AssertionError(f"no association: {self.state}, {self.closed}")
            if self.state == "closed":
                self.packet(self.init(), tag=0)
            else:
                self.packet(self.chunk(COOKIE_ECHO, self.cookie))
            self.pump(0.3, until=lambda before=self.state: self.state != before)
            if self.closed and self.state == "closed":  # nobody has the UDP port yet
                self.closed = False
                time.sleep(0.02)

    def restart(self):
        """It has lost its memory, and connects again from where it was (RFC 9260 s.5.2.2)."""
        self.tag, self.peer_tag = random.randrange(1, 1 << 32), 0
        self.tsn, self.cum = random.randrange(1 << 32), None
        self.ssn, self.unacked, self.ready, self.parts, self.ahead = {}, {}, [], {}, {}
        self.state = "closed"
        self.connect()
        return self

    # ---- receiving ----

    def pump(self, seconds, until=lambda: False):
        deadline = time.monotonic() + seconds
        while not until() and not self.closed:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            self.sock.settimeout(min(left, 0.2))
            try:
                raw = self.sock.recv(65536)
            except TimeoutError:
                self.resend()
                continue
            except ConnectionError:
                self.closed = True
                return
            if self.answering:
                self.take(raw)

    def take(self, raw):
        at, got_data = 12, False
        if struct.unpack_from("!I", raw, 4)[0] != self.tag:
            return  # of an association before this one
        while at + 4 <= len(raw):
            kind, flags, length = struct.unpack_from("!BBH", raw, at)
            value = raw[at + 4:at + length]
            at += max(4, length + -length % 4)
            if kind == DATA_CHUNK:
                self.take_data(flags, value)
                got_data = True
            elif kind == INIT_ACK and self.state == "closed":  # not that of an INIT sent again (RFC 4960 s.5.2.3)
                self.take_init_ack(value)
            elif kind == COOKIE_ACK:
                self.state = "open"
            elif kind == SACK:
                cum = struct.unpack_from("!I", value)[0]
                self.unacked = {t: c for t, c in self.unacked.items() if (t - cum) & 0xFFFFFFFF < 1 << 31 and t != cum}
            elif kind == HEARTBEAT:
                self.packet(self.chunk(HEARTBEAT_ACK, value))
            elif kind == SHUTDOWN:
                self.packet(self.chunk(SHUTDOWN_ACK))
            elif kind in (ABORT, SHUTDOWN_COMPLETE):
                self.closed = True
        if got_data:
            self.sack()

    def take_init_ack(self, value):
        self.peer_tag, _, self.peer_out, self.peer_in, tsn = struct.unpack_from("!IIHHI", value)
        self.cum = (tsn - 1) & 0xFFFFFFFF
        at = 16
        while at + 4 <= len(value):
            tag, length = struct.unpack_from("!HH", value, at)
            if tag == 7:
                self.cookie = value[at + 4:at + length]
            at += length + -length % 4
        self.state = "cookie"

    def take_data(self, flags, value):
        if self.window == 0:
            return
        self.ahead[struct.unpack_from("!I", value)[0]] = (flags, value)
        while (self.cum + 1) & 0xFFFFFFFF in self.ahead:
            self.cum = (self.cum + 1) & 0xFFFFFFFF
            flags, value = self.ahead.pop(self.cum)
            _, stream, _, ppid = struct.unpack_from("!IHHI", value)
            part = (b"" if flags & 2 else self.parts.pop(stream, b"")) + value[12:]
            if flags & 1:
                self.ready.append(Message(part, stream, ppid))
            else:
                self.parts[stream] = part

    def sack(self):
        self.packet(self.chunk(SACK, struct.pack("!IIHH", self.cum, self.window, 0, 0)))

    def receive(self, seconds=5):
        self.pump(seconds, until=lambda: bool(self.ready))
        return self.ready.pop(0) if self.ready else None

    # ---- sending ----

    def resend(self):
        for tsn, chunk in list(self.unacked.items())[:20]:
            self.packet(chunk)

    def send(self, raw, stream=0, ppid=3):
        ssn = self.ssn.get(stream, 0)
        self.ssn[stream] = (ssn + 1) & 0xFFFF
        for at in range(0, max(1, len(raw)), MTU):
            flags = (2 if at == 0 else 0) | (1 if at + MTU >= len(raw) else 0)
            chunk = self.chunk(DATA_CHUNK, struct.pack("!IHHI", self.tsn, stream, ssn, ppid) + raw[at:at + MTU], flags)
            self.unacked[self.tsn] = chunk
            self.tsn = (self.tsn + 1) & 0xFFFFFFFF
            self.packet(chunk)
        if len(self.unacked) > 64:
            self.pump(2, until=lambda: len(self.unacked) <= 32)

    def abort(self):
        self.packet(self.chunk(ABORT))
        self.sock.close()

    def close(self):
        self.abort()
