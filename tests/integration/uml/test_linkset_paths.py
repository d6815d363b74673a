# SPDX-License-Identifier: GPL-2.0-or-later
"""Two gateways on hosts of their own, joined by a linkset whose links take a network path each: a path that is cut
under load, and mended, costs no message and no order (Q.704 s.5, 6)."""
import pytest

from conftest import PATIENCE, Ports, free_port, wait_for
from test_linkset import Side, lossless, simulate
from two_paths import EXEC, needs_kernel, two_paths  # noqa: F401 (a fixture)

pytestmark = needs_kernel

QUICK = "t4-normal = 500; t4-emergency = 200; t7 = 800;"


def configure(side, local, remote, row):
    """Its configuration: the ASP comes to the loopback, the links to the paths."""
    rows = ", ".join(row(n) for n in (0, 1))
    text = side.config(rows)
    listeners = ", ".join(f'{{ name = "path-{n}"; transport = "kernel"; addresses = ( "{address}" ); port = '
                          f'{side.ports.gateway}; }}' for n, address in enumerate(local))
    return text.replace("listeners = ( ", f"listeners = ( {listeners}, ")


@pytest.fixture
def hosts(start_daemon, two_paths):  # noqa: F811
    """hosts(family): a here, b at the far end of the paths, both links in service."""

    def start(family):
        paths = two_paths(family)
        a, b = Side("a", "1-1-1", "2-2-2", "1-2-3", "1-2-4", 2), Side("b", "2-2-2", "1-1-1", "1-2-4", "1-2-3", 2)
        base = free_port(2)

        def server(n):
            return (f'{{ name = "a-{n}"; slc = {n}; remote-addresses = ( "{paths.far[n]}" ); remote-port = {base + n}; '
                    f'{QUICK} }}')

        def client(n):
            return (f'{{ name = "b-{n}"; slc = {n}; side = "client"; transport = "kernel"; remote-addresses = '
                    f'( "{paths.near[n]}" ); remote-port = {a.ports.gateway}; local-addresses = ( "{paths.far[n]}" ); '
                    f'local-port = {base + n}; reconnect-min = 100; reconnect-max = 500; {QUICK} }}')

        a.gateway = start_daemon(configure(a, paths.near, paths.far, server), a.ports.console, name="a")
        b.gateway = start_daemon(configure(b, paths.far, paths.near, client), b.ports.console, name="b", prefix=EXEC)
        wait_for(a.is_up, 20, "the linkset is up")
        return a, b, paths

    return start


@pytest.mark.parametrize("family", ["ipv4", "ipv6"])
def test_a_path_that_is_cut_under_load_loses_nothing(hosts, start_sim, family):
    a, b, paths = hosts(family)
    seconds = int(8 + 2 * PATIENCE)
    runs = [simulate(start_sim, a, seconds), simulate(start_sim, b, seconds, prefix=EXEC)]
    wait_for(lambda: a.destination("1-2-3") == a.destination("1-2-4") == "available", 20, "both ASs are active")
    for n in (0, 1):
        paths.impair("loss 100%", [n])
        wait_for(lambda n=n: a.link(1 - n)["buckets"] == 16, 20, "the other link carries all")
        paths.clear()
        wait_for(lambda: a.is_up() and [a.link(k)["buckets"] for k in (0, 1)] == [8, 8], 20, "it carries its share again")
    assert [a.failures(n) for n in (0, 1)] == [1, 1]
    lossless(runs)
