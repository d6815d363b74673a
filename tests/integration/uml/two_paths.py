# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests on the kernel's SCTP share: the gateway's host and a host of its peers, joined by two links.

    this network namespace                              namespace `sbpeers`
    sbn0  10.98.1.1  fd98:1::1  ----  sbf0  10.98.1.2  fd98:1::2
    sbn1  10.98.2.1  fd98:2::1  ----  sbf1  10.98.2.2  fd98:2::2

The gateway runs here, where its console can be reached. These tests need root and a kernel with SCTP: `./check uml` runs them
in User-Mode Linux, `python3 -m pytest tests/integration/uml` on a machine that has one."""
import socket
import subprocess

import pytest

NS = "sbpeers"
EXEC = ("ip", "netns", "exec", NS)
FAMILIES = {"ipv4": "10.98.{}.{}", "ipv6": "fd98:{}::{}"}


def has_kernel_sctp():
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_SCTP) as s:
            s.listen(1)
        return True
    except OSError:
        return False


needs_kernel = pytest.mark.skipif(not has_kernel_sctp(), reason="this kernel has no SCTP: ./check uml runs it in UML")


def ip(*args, check=True):
    subprocess.run(["ip", *args], check=check, stderr=None if check else subprocess.DEVNULL)


def sysctl(assignment, prefix=()):
    subprocess.run([*prefix, "sysctl", "-qw", assignment], check=True)


class TwoPaths:
    def __init__(self, family="ipv4"):
        self.near = [FAMILIES[family].format(i + 1, 1) for i in (0, 1)]
        self.far = [FAMILIES[family].format(i + 1, 2) for i in (0, 1)]

    def build(self, netem=None):
        """`netem`: what impairs the links from the beginning."""
        ip("netns", "add", NS)
        ip("-n", NS, "link", "set", "lo", "up")
        for i in (0, 1):
            ip("link", "add", f"sbn{i}", "type", "veth", "peer", "name", f"sbf{i}", "netns", NS)
            # as on a router: a link that is down for a while keeps its addresses
            sysctl(f"net.ipv6.conf.sbn{i}.keep_addr_on_down=1")
            for form, bits in zip(FAMILIES.values(), ("24", "64")):
                nodad = ["nodad"] if bits == "64" else []
                ip("addr", "add", f"{form.format(i + 1, 1)}/{bits}", "dev", f"sbn{i}", *nodad)
                ip("-n", NS, "addr", "add", f"{form.format(i + 1, 2)}/{bits}", "dev", f"sbf{i}", *nodad)
            if netem:
                self.impair(netem, [i])
            ip("link", "set", f"sbn{i}", "up")
            ip("-n", NS, "link", "set", f"sbf{i}", "up")

    def remove(self):
        """The peers' host vanishes: its links first, so that it can't say anything any more."""
        for i in (0, 1):
            ip("link", "del", f"sbn{i}", check=False)
        ip("netns", "del", NS, check=False)

    def cut(self, *links):
        """Our side's devices go down: what is to go there fails at once."""
        for i in links:
            ip("link", "set", f"sbn{i}", "down")

    def mend(self, *links):
        for i in links:
            ip("link", "set", f"sbn{i}", "up")

    def impair(self, netem, links=(0, 1)):
        """Both ways: `netem` as tc-netem(8) takes it. "loss 100%" is a link cut somewhere in the middle."""
        for i in links:
            for prefix, dev in (((), f"sbn{i}"), (EXEC, f"sbf{i}")):
                subprocess.run([*prefix, "tc", "qdisc", "replace", "dev", dev, "root", "netem", *netem.split()],
                               check=True)

    def clear(self):
        self.impair("delay 0")

    def far_associations(self):
        """How many associations the peers' host has, in whatever state."""
        table = subprocess.run([*EXEC, "cat", "/proc/net/sctp/assocs"], check=True, capture_output=True, text=True)
        return len(table.stdout.splitlines()) - 1


@pytest.fixture
def two_paths():
    """two_paths(family): the links, which are removed with the test."""
    built = []

    def build(family="ipv4"):
        built.append(TwoPaths(family))
        built[-1].remove()
        built[-1].build()
        return built[-1]

    yield build
    for paths in built:
        paths.remove()
