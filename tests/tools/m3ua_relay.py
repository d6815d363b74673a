#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The least M3UA gateway over TCP that lets ss7sim be tested without signalboxd: acknowledges ASPSM and ASPTM, answers
BEAT, relays DATA by DPC, and says DUNA and DAVA. It can do the things a gateway must not: see --fault.

Usage: m3ua_relay.py --port N --as RC:DPC[:MODE] ... [--fault KIND:DPC:NTH]...
  MODE   loadshare (default), override, broadcast
  KIND   drop, swap (with the next one of its SLS), repeat, flip (a byte of the payload), flip-sls, stray (to another AS)
It prints "ready" when it listens. Single-threaded, standard library only."""
import argparse
import selectors
import socket
import struct

ERR, NTFY, DATA = 0x0000, 0x0001, 0x0101
ASPUP, ASPDN, BEAT, ASPUP_ACK, ASPDN_ACK, BEAT_ACK = 0x0301, 0x0302, 0x0303, 0x0304, 0x0305, 0x0306
DUNA, DAVA = 0x0201, 0x0202
ASPAC, ASPIA, ASPAC_ACK, ASPIA_ACK = 0x0401, 0x0402, 0x0403, 0x0404
P_RC, P_HEARTBEAT, P_MODE, P_ERROR, P_STATUS, P_AFFECTED, P_DATA = 0x0006, 0x0009, 0x000b, 0x000c, 0x000d, 0x0012, 0x0210


def parameter(tag, value):
    return struct.pack("!HH", tag, 4 + len(value)) + value + bytes(-len(value) % 4)


def message(kind, *parameters):
    body = b"".join(parameters)
    return struct.pack("!BBHI", 1, 0, kind, 8 + len(body)) + body


def parameters(body):
    found = {}
    while len(body) >= 4:
        tag, length = struct.unpack("!HH", body[:4])
        found.setdefault(tag, body[4:length])
        body = body[length + (-length % 4):]
    return found


class As:
    def __init__(self, text):
        fields = text.split(":")
        self.rc, self.dpc = int(fields[0]), int(fields[1])
        self.mode = fields[2] if len(fields) > 2 else "loadshare"
        self.active = []  # peers, by time

    def receivers(self, sls):
        if not self.active:
            return []
        if self.mode == "broadcast":
            return list(self.active)
        return [self.active[-1 if self.mode == "override" else sls % len(self.active)]]


class Peer:
    def __init__(self, sock):
        self.sock, self.rx, self.tx, self.up = sock, b"", b"", False

    def send(self, data):
        self.tx += data


class Relay:
    def __init__(self, args):
        self.ass = [As(a) for a in args.application_server]
        self.faults = []
        for text in args.fault:
            kind, dpc, nth = text.split(":")
            self.faults.append([kind, int(dpc), int(nth)])
        self.seen = {a.dpc: 0 for a in self.ass}
        self.told = {}  # dpc -> peers that were told DUNA
        self.held = {}  # (dpc, sls) -> message that waits for its successor
        self.sel = selectors.DefaultSelector()
        self.listener = socket.create_server(("127.0.0.1", args.port))
        self.listener.setblocking(False)
        self.sel.register(self.listener, selectors.EVENT_READ)

    def run(self):
        print("ready", flush=True)
        while True:
            for key, events in self.sel.select():
                if key.fileobj is self.listener:
                    self.accept()
                elif events & selectors.EVENT_READ:
                    self.read(key.data)
            for key in list(self.sel.get_map().values()):
                if key.data is not None:
                    self.flush(key.data)

    def accept(self):
        sock, _ = self.listener.accept()
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sel.register(sock, selectors.EVENT_READ, Peer(sock))

    def flush(self, peer):
        try:
            if peer.tx:
                peer.tx = peer.tx[peer.sock.send(peer.tx):]
        except BlockingIOError:
            pass
        except OSError:
            return
        self.sel.modify(peer.sock, selectors.EVENT_READ | (selectors.EVENT_WRITE if peer.tx else 0), peer)

    def read(self, peer):
        try:
            data = peer.sock.recv(1 << 20)
        except OSError:
            data = b""
        if not data:
            for a in self.ass:
                if peer in a.active:
                    a.active.remove(peer)
            self.sel.unregister(peer.sock)
            peer.sock.close()
            return
        peer.rx += data
        at = 0
        while len(peer.rx) - at >= 8:
            kind, length = struct.unpack_from("!2xHI", peer.rx, at)
            if len(peer.rx) - at < length:
                break
            self.handle(peer, kind, peer.rx[at:at + length])
            at += length
        peer.rx = peer.rx[at:]

    def handle(self, peer, kind, msg):
        found = parameters(msg[8:]) if kind != DATA else {}
        rcs = parameter(P_RC, found[P_RC]) if P_RC in found else b""
        if kind == DATA:
            self.relay(peer, msg)
        elif kind == ASPUP:
            peer.up = True
            peer.send(message(ASPUP_ACK))
        elif kind == ASPDN:
            peer.up = False
            self.leave(peer, found)
            peer.send(message(ASPDN_ACK))
        elif kind == BEAT:
            peer.send(message(BEAT_ACK, parameter(P_HEARTBEAT, found.get(P_HEARTBEAT, b""))))
        elif kind == ASPAC and peer.up:
            self.activate(peer, found, rcs)
        elif kind == ASPIA and peer.up:
            self.leave(peer, found)
            peer.send(message(ASPIA_ACK, rcs))
        elif kind not in (ERR, BEAT_ACK):
            peer.send(message(ERR, parameter(P_ERROR, struct.pack("!I", 6))))

    def mine(self, found):
        wanted = [x[0] for x in struct.iter_unpack("!I", found.get(P_RC, b""))]
        return [a for a in self.ass if a.rc in wanted or not wanted]

    def activate(self, peer, found, rcs):
        named = self.mine(found)
        if not named:
            peer.send(message(ERR, parameter(P_ERROR, struct.pack("!I", 0x19)), rcs))
            return
        mode = parameter(P_MODE, found[P_MODE]) if P_MODE in found else b""
        peer.send(message(ASPAC_ACK, mode, rcs))
        for a in named:
            if a.mode == "override" and a.active:
                a.active[-1].send(message(NTFY, parameter(P_STATUS, struct.pack("!HH", 2, 2)), rcs))
                a.active.clear()
            if peer not in a.active:
                a.active.append(peer)
            peer.send(message(NTFY, parameter(P_STATUS, struct.pack("!HH", 1, 3)), rcs))
            for told in self.told.pop(a.dpc, []):
                told.send(message(DAVA, parameter(P_AFFECTED, struct.pack("!I", a.dpc))))

    def leave(self, peer, found):
        for a in self.mine(found):
            if peer in a.active:
                a.active.remove(peer)

    # ---- DATA ----

    def relay(self, peer, msg):
        at = 8
        while struct.unpack_from("!H", msg, at)[0] != P_DATA:
            length = struct.unpack_from("!H", msg, at + 2)[0]
            at += length + (-length % 4)
        protocol_data = msg[at:]
        dpc, sls = struct.unpack_from("!I", protocol_data, 8)[0], protocol_data[15]
        target = next((a for a in self.ass if a.dpc == dpc), None)
        if target is None:
            return
        if not target.active and peer not in self.told.setdefault(dpc, []):
            self.told[dpc].append(peer)
            peer.send(message(DUNA, parameter(P_AFFECTED, struct.pack("!I", dpc))))
        self.seen[dpc] += 1
        for fault in self.faults:
            if fault[1:] == [dpc, self.seen[dpc]]:
                return getattr(self, fault[0].replace("-", "_"))(target, protocol_data, sls)
        self.deliver(target, protocol_data, sls)
        late = self.held.pop((dpc, sls), None)
        if late:
            self.deliver(target, late, sls)

    def deliver(self, target, protocol_data, sls):
        msg = message(DATA, parameter(P_RC, struct.pack("!I", target.rc)), protocol_data)
        for peer in target.receivers(sls):
            peer.send(msg)

    def drop(self, target, protocol_data, sls):
        pass

    def swap(self, target, protocol_data, sls):
        self.held[(target.dpc, sls)] = protocol_data

    def repeat(self, target, protocol_data, sls):
        self.deliver(target, protocol_data, sls)
        self.deliver(target, protocol_data, sls)

    def flip(self, target, protocol_data, sls):
        damaged = bytearray(protocol_data)
        damaged[16 + 40] ^= 0x10
        self.deliver(target, bytes(damaged), sls)

    def flip_sls(self, target, protocol_data, sls):
        damaged = bytearray(protocol_data)
        damaged[15] ^= 1
        self.deliver(target, bytes(damaged), damaged[15])

    def stray(self, target, protocol_data, sls):
        self.deliver(next(a for a in self.ass if a is not target), protocol_data, sls)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--port", type=int, required=True)
    p.add_argument("--as", dest="application_server", action="append", required=True)
    p.add_argument("--fault", action="append", default=[])
    Relay(p.parse_args()).run()


if __name__ == "__main__":
    main()
