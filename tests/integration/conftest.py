# SPDX-License-Identifier: GPL-2.0-or-later
"""What the integration tests share: a real daemon, a real simulator, a console, ports of their own.

Environment: SIGNALBOX_BUILD is the build tree (default: build/ at the top); SIGNALBOX_TRANSPORT the SCTP transport
under test (embedded, tcp or kernel); the others are in doc/testing.md. No test sleeps: `wait_for` polls with a deadline."""
import collections
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import time

import pytest

TOP = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("SIGNALBOX_BUILD", TOP / "build")).resolve()
TRANSPORT = os.environ.get("SIGNALBOX_TRANSPORT", "embedded")
# Emulated machines and sanitizers are slow: deadlines stretch, expectations do not.
PATIENCE = float(os.environ.get("SIGNALBOX_PATIENCE", "1"))
# For what a scenario expects: to wait for long costs nothing where it comes, and minutes of a guest where it does not.
SCRIPT_PATIENCE = max(8, 2 * PATIENCE)


def pytest_collection_modifyitems(config, items):
    """SIGNALBOX_SHARD=K/N: every Nth test only, from the Kth on, counted from 0."""
    shard, shards = (int(n) for n in os.environ.get("SIGNALBOX_SHARD", "0/1").split("/"))
    config.hook.pytest_deselected(items=[item for i, item in enumerate(items) if i % shards != shard])
    items[:] = items[shard::shards]


def wait_for(condition, seconds=10, what="condition", every=0.02):
    """The first true value of condition(), or a failure after `seconds` (stretched by SIGNALBOX_PATIENCE)."""
    deadline = time.monotonic() + seconds * PATIENCE
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds * PATIENCE:g} s: {what}")
        time.sleep(every)


class PortBlocks:
    """Ports in blocks, below those that the kernel gives to clients. A test uses its ports now and then only: that
    they are free says little to others. An abstract socket says whose a block is, while the process lives; unit tests
    keep to it, too (tests/unit/free_ports.c)."""

    FIRST, LAST, SIZE, BLOCKS = 12000, 32000, 250, 10

    def __init__(self):
        start = int(os.environ.get("SIGNALBOX_PORT", self.FIRST + os.getpid() % 80 * self.SIZE))
        self.candidate = start - (start - self.FIRST) % self.SIZE
        self.port = self.end = 0
        self.ours = collections.deque()  # (first port, owner), the least recently used first

    def new_block(self):
        while True:
            first = self.candidate
            self.candidate = first + self.SIZE if first + self.SIZE < self.LAST else self.FIRST
            owner = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                owner.bind(f"\0signalbox-test-ports-{first}")
                return first, owner
            except OSError:
                owner.close()

    def take(self, span):
        assert span <= self.SIZE
        if self.port + span > self.end:
            self.ours.append(self.ours.popleft() if len(self.ours) == self.BLOCKS else self.new_block())
            self.port = self.ours[-1][0]
            self.end = self.port + self.SIZE
        self.port += span
        return self.port - span


_blocks = PortBlocks()


def free_port(span=1):
    """`span` consecutive ports that nobody on this host uses for UDP or TCP."""
    while True:
        first = _blocks.take(span)
        try:
            for port in range(first, first + span):
                for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                    with socket.socket(socket.AF_INET, kind) as s:
                        s.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue


class Console:
    """A telnet session with the VTY console."""

    PROMPT = re.compile(rb"(?:^|\n)(?:\xff[\xfb-\xfe].)*[\w.-]+(?:\([\w-]+\))?[>#] \x00*$", re.S)

    def __init__(self, port):
        self.sock = socket.create_connection(("127.0.0.1", port), timeout=10 * PATIENCE)
        self.read_prompt()

    def read_prompt(self):
        """Everything up to the next prompt, without it and without telnet's option bytes."""
        data = b""
        while not self.PROMPT.search(data[-200:]):
            part = self.sock.recv(65536)
            if not part:
                break
            data += part
        text = bytearray()
        i = 0
        while i < len(data):
            if data[i] == 255:  # IAC, verb, option
                i += 3
                continue
            if data[i] not in (0, 13):
                text.append(data[i])
            i += 1
        return text.decode(errors="replace")

    def run(self, command):
        """The command's output: its echo and the next prompt removed."""
        self.sock.sendall(command.encode() + b"\n")
        lines = self.read_prompt().split("\n")
        return "\n".join(line for line in lines[:-1] if not line.strip().startswith(command.strip()[:60]))

    def json(self, command):
        return json.loads(self.run(command + " json"))

    def close(self):
        self.sock.close()


CRASHES = [-s for s in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)]


class Daemon:
    """signalboxd with a configuration text, its log in `log`."""

    def __init__(self, directory, config, console_port, prefix=()):
        self.dir = pathlib.Path(directory)
        self.config = self.dir / "signalboxd.conf"
        self.config.write_text(config)
        self.log_path = self.dir / "signalboxd.log"
        self.console_port = console_port
        self.prefix = list(prefix)
        self.proc = None

    def start(self, ready=True):
        with open(self.log_path, "ab") as log:
            self.proc = subprocess.Popen(
                self.prefix + [str(BUILD / "signalboxd"), "-c", str(self.config)], stdout=log, stderr=log,
                stdin=subprocess.DEVNULL)
        if ready and not self.prefix:
            wait_for(self.console_answers, 15, "the console answers\n" + self.log())
        return self

    def console_answers(self):
        assert self.proc.poll() is None, f"signalboxd ended with {self.proc.returncode}\n{self.log()}"
        try:
            socket.create_connection(("127.0.0.1", self.console_port), timeout=1).close()
            return True
        except OSError:
            return False

    def log(self):
        return self.log_path.read_text(errors="replace")

    def console(self):
        return Console(self.console_port)

    def show(self, command):
        c = self.console()
        try:
            return c.json(command)
        finally:
            c.close()

    def run(self, *commands):
        c = self.console()
        try:
            return [c.run(command) for command in commands]
        finally:
            c.close()

    def reload(self, config=None):
        """The file is there whole at any time: it may still be read for a signal before."""
        if config is not None:
            new = self.config.with_suffix(".new")
            new.write_text(config)
            new.replace(self.config)
        self.proc.send_signal(signal.SIGHUP)

    def stop(self, seconds=30):
        """SIGTERM; returns the exit status. A daemon that does not end in time is killed and fails the test."""
        if self.proc is None or self.proc.poll() is not None:
            return self.proc.returncode if self.proc else None
        self.proc.send_signal(signal.SIGTERM)
        try:
            return self.proc.wait(seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            self.proc.wait()
            raise AssertionError("signalboxd did not end in time\n" + self.log())


class Sim:
    """A run of ss7sim."""

    def __init__(self, directory, args, prefix=()):
        self.json_path = pathlib.Path(directory) / f"sim{time.monotonic_ns()}.json"
        self.err_path = self.json_path.with_suffix(".err")
        with open(self.err_path, "wb") as err:
            self.proc = subprocess.Popen(
                list(prefix) + [str(BUILD / "ss7sim"), "--json", str(self.json_path)] + [str(a) for a in args],
                stdout=subprocess.PIPE, stderr=err, stdin=subprocess.DEVNULL, text=True)

    def finish(self, seconds=60):
        """Waits for the end; returns (exit status, JSON verdict or None, text of both streams)."""
        try:
            out, _ = self.proc.communicate(timeout=seconds * PATIENCE)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            out, _ = self.proc.communicate()
            raise AssertionError("ss7sim did not end in time\n" + out + self.err_path.read_text(errors="replace"))
        verdict = json.loads(self.json_path.read_text()) if self.json_path.exists() else None
        return self.proc.returncode, verdict, out + self.err_path.read_text(errors="replace")


def quoted(addresses):
    """"a,b" as a libconfig list's inside."""
    return ", ".join(f'"{a}"' for a in addresses.split(","))


def two_as_config(ports, transport=TRANSPORT, workers=2, asps=2, address="127.0.0.1", modes=("loadshare", "loadshare"),
                  extra_as="", node="", peers=None, sctp=""):
    """Two Application Servers, hlr (RC 10, 1-2-3) and msc (RC 20, 1-2-4), of `asps` ASPs each, told apart by port.
    `address` and `peers` are several where the peers are multi-homed: "a,b"."""
    peers = peers or address
    rows, ass = [], []
    for i, (name, rc, pc, mode) in enumerate((("hlr", 10, "1-2-3", modes[0]), ("msc", 20, "1-2-4", modes[1]))):
        names = []
        for n in range(asps):
            names.append(f'"{name}-{n + 1}"')
            rows.append(f'{{ name = {names[-1]}; remote-addresses = ( {quoted(peers)} ); '
                        f'remote-port = {ports.peer + i * asps + n}; }}')
        ass.append(f'{{ name = "{name}"; network = "national"; routing-context = {rc}; traffic-mode = "{mode}"; '
                   f'{extra_as} asps = ( {", ".join(names)} ); routing-keys = ( {{ dpc = "{pc}"; }} ); }}')
    return f"""
node = {{ name = "gw1"; workers = {workers}; {node} }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
sctp = {{ {sctp} }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "asps"; transport = "{transport}"; addresses = ( {quoted(address)} ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
asps = ( {", ".join(rows)} );
application-servers = ( {", ".join(ass)} );
"""


class Ports:
    def __init__(self, peers=8):
        self.gateway, self.udp, self.console, self.local_udp = free_port(), free_port(), free_port(), free_port()
        self.peer = free_port(peers)


def sim_args(ports, transport=TRANSPORT, asps=2, address="127.0.0.1", local=""):
    """ss7sim's arguments for the peers of two_as_config(); `local`: their own addresses, "a/b"."""
    local = local and f",local={local}"
    return ["--transport", transport, "--gateway", address, "--port", ports.gateway, "--udp-port", ports.udp,
            "--local-udp-port", ports.local_udp, "--connect-timeout", f"{int(10 * PATIENCE)}s",
            "--as", f"name=hlr,rc=10,pc=1-2-3,asps={asps},local-port={ports.peer}{local}",
            "--as", f"name=msc,rc=20,pc=1-2-4,asps={asps},local-port={ports.peer + asps}{local}"]


@pytest.fixture
def start_daemon(tmp_path):
    """start_daemon(config, console_port, ...): daemons that are stopped, and looked at, at the end of the test."""
    started = []

    def start(config, console_port, ready=True, prefix=(), name=None):
        directory = tmp_path / (name or f"daemon{len(started)}")
        directory.mkdir()
        daemon = Daemon(directory, config, console_port, prefix)
        started.append(daemon)
        return daemon.start(ready)

    yield start
    for daemon in started:
        status, log = daemon.stop(), daemon.log()
        assert status not in CRASHES, f"signalboxd ended with {status}\n{log}"
        for bad in ("ERROR: AddressSanitizer", "runtime error:", "LeakSanitizer", "ThreadSanitizer", "Assert failed"):
            assert bad not in log, log


@pytest.fixture
def start_sim(tmp_path):
    """start_sim(args): runs that are ended with the test."""
    runs = []

    def start(args, prefix=()):
        runs.append(Sim(tmp_path, args, prefix))
        return runs[-1]

    yield start
    for run in runs:
        if run.proc.poll() is None:
            run.proc.kill()
            run.proc.communicate()


@pytest.fixture
def namespaces():
    """Two network namespaces joined by a veth pair: (name, address) of each. Needs root and iproute2."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("network namespaces need root and iproute2")
    tag = f"sb{os.getpid() % 10000}"
    a, b = tag + "a", tag + "b"

    def ip(*args):
        subprocess.run(["ip", *args], check=True)

    ip("netns", "add", a)
    try:
        ip("netns", "add", b)
        ip("link", "add", tag, "netns", a, "type", "veth", "peer", "name", tag, "netns", b)
        for ns, address in ((a, "10.99.0.1/24"), (b, "10.99.0.2/24")):
            ip("-n", ns, "addr", "add", address, "dev", tag)
            ip("-n", ns, "link", "set", tag, "up")
            ip("-n", ns, "link", "set", "lo", "up")
        yield (a, "10.99.0.1"), (b, "10.99.0.2")
    finally:
        for ns in (a, b):
            subprocess.run(["ip", "netns", "del", ns], check=False, stderr=subprocess.DEVNULL)
