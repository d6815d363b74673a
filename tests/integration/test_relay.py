# SPDX-License-Identifier: GPL-2.0-or-later
"""The main job: two Application Servers exchange traffic through the gateway and nothing is lost, repeated or reordered.

The same tests run over every transport: SIGNALBOX_TRANSPORT picks it (`./check uml` runs them with `kernel`)."""
import pytest

from conftest import PATIENCE, Ports, sim_args, two_as_config, wait_for

# What an emulated machine carries in the time of a test: the verdict is about loss and order, not about speed.
RATE = 1000 if PATIENCE < 2 else 200


def flows(rate=RATE, **extra):
    more = "".join(f",{k}={v}" for k, v in extra.items())
    return ["--flow", f"from=hlr,to=msc,rate={rate}{more}", "--flow", f"from=msc,to=hlr,rate={rate}{more}"]


def passed(run, seconds=60):
    status, verdict, text = run.finish(seconds)
    assert status == 0 and verdict["verdict"] == "pass", text
    return verdict


@pytest.mark.sanitized
@pytest.mark.parametrize("workers", [1, 2, 4])
def test_both_ways_with_any_number_of_workers(start_daemon, start_sim, workers):
    ports = Ports()
    start_daemon(two_as_config(ports, workers=workers), ports.console)
    verdict = passed(start_sim(sim_args(ports) + flows(sls="0-15", size="ss7") + ["--duration", 3]))
    for flow in verdict["flows"]:
        assert flow["received"] == flow["sent"] >= RATE * 2


@pytest.mark.parametrize("transport", ["tcp"])
def test_relay_over_tcp(start_daemon, start_sim, transport):
    ports = Ports()
    start_daemon(two_as_config(ports, transport=transport), ports.console)
    passed(start_sim(sim_args(ports, transport=transport) + flows(sls="0-255", size="40-272") + ["--duration", 3]))


def test_as_fast_as_it_can(start_daemon, start_sim):
    """Overload in a closed loop: the window fills the queues, back-pressure and bounds keep every flow whole."""
    ports = Ports()
    start_daemon(two_as_config(ports), ports.console)
    verdict = passed(start_sim(sim_args(ports) + flows(rate="max", sls="0-15", window=1000) + ["--duration", 3]))
    assert verdict["totals"]["received"] > RATE * 3


@pytest.mark.sanitized
def test_messages_of_every_length_up_to_the_limit(start_daemon, start_sim):
    ports = Ports()
    start_daemon(two_as_config(ports), ports.console)
    passed(start_sim(sim_args(ports) + flows(rate=RATE // 4, size="64-8000") + ["--duration", 3]))


@pytest.mark.sanitized
@pytest.mark.parametrize("mode", ["override", "loadshare", "broadcast"])
def test_traffic_modes(start_daemon, start_sim, mode):
    ports = Ports()
    start_daemon(two_as_config(ports, modes=(mode, mode)), ports.console)
    args = [a if not str(a).startswith("name=") else f"{a},mode={mode}" for a in sim_args(ports)]
    verdict = passed(start_sim(args + flows(sls="0-15") + ["--duration", 3]))
    active = [a for a in verdict["asps"] if a["rx_data"] > 0]
    assert len(active) == (2 if mode == "override" else 4), verdict["asps"]


@pytest.mark.parametrize("mode", ["loadshare"])
def test_failover_by_aspia_under_traffic_loses_nothing(start_daemon, start_sim, mode):
    """An ASP that leaves in order takes nothing with it: the other carries its SLSs from the next message on."""
    ports = Ports()
    start_daemon(two_as_config(ports, modes=(mode, mode)), ports.console)
    run = start_sim(sim_args(ports) + flows(sls="0-15") +
                    ["--at", "2s:msc-1:aspia", "--at", "4s:msc-1:aspac", "--at", "6s:msc-2:aspia", "--duration", 8])
    verdict = passed(run)
    by_name = {a["name"]: a for a in verdict["asps"]}
    assert by_name["msc-1"]["rx_data"] > 0 and by_name["msc-2"]["rx_data"] > 0


def test_blocking_and_locking_under_traffic_lose_nothing(start_daemon, start_sim):
    """What management takes out of service is drained: what it had sent is delivered, the rest goes to the others."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports), ports.console)
    run = start_sim(sim_args(ports) + flows(sls="0-15") + ["--duration", 6])

    def settled(*inactive):
        rows = daemon.show("show asp")["asps"]
        return len(rows) == 4 and all((a["state"] == "ASP-ACTIVE") != (a["name"] in inactive) for a in rows)

    def sent():
        return daemon.show("show statistics")["totals"]["counters"]["tx-data"]

    wait_for(settled, 15, "all are active")
    for row, undo in (("hlr-1 block", "unblock"), ("msc-2 lock", "unlock"), ("hlr-2 lock", "unlock")):
        name = row.split()[0]
        enough = sent() + RATE // 4
        wait_for(lambda n=enough: sent() > n, what="traffic")
        daemon.run("enable", f"asp {row}")
        wait_for(lambda n=name: settled(n), 5, f"{name} has left")
        daemon.run("enable", f"asp {name} {undo}")
        wait_for(settled, 10, f"{name} is back")
    passed(run)


def test_all_asps_leave_and_return_within_t_r(start_daemon, start_sim):
    """AS-PENDING: what arrives meanwhile waits, and goes out in order when an ASP is back (RFC 4666 s.4.3.2)."""
    ports = Ports()
    start_daemon(two_as_config(ports, asps=1, extra_as="recovery-time = 5000; pending-limit = 60000;"), ports.console)
    run = start_sim(sim_args(ports, asps=1) + flows(sls="0-15") +
                    ["--at", "2s:msc-1:aspia", "--at", "4s:msc-1:aspac", "--duration", 6])
    passed(run)


def test_two_hundred_asps_at_once(start_daemon, start_sim):
    asps = 100
    ports = Ports(peers=2 * asps)
    daemon = start_daemon(two_as_config(ports, asps=asps, extra_as='load-share-key = "opc-sls";'), ports.console)
    run = start_sim(sim_args(ports, asps=asps) + flows(sls="0-255") + ["--duration", 5])
    rows = wait_for(lambda: [a for a in daemon.show("show asp")["asps"] if a["state"] == "ASP-ACTIVE"] or None, 20,
                    "an ASP is active")
    assert rows
    verdict = passed(run, 90)
    assert len(verdict["asps"]) == 2 * asps


def test_between_two_namespaces(start_daemon, start_sim, namespaces):
    (ns_a, addr_a), (ns_b, addr_b) = namespaces
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, address=addr_a, peers=addr_b), ports.console,
                          prefix=("ip", "netns", "exec", ns_a))
    wait_for(lambda: "console" in daemon.log() or "listening" in daemon.log(), 15, "signalboxd started")
    run = start_sim(sim_args(ports, address=addr_a) + flows(sls="0-15") + ["--duration", 4],
                    prefix=("ip", "netns", "exec", ns_b))
    passed(run)


def test_sigterm_takes_leave_in_order(start_daemon, start_sim):
    """The peers see the association shut down, not vanish; the daemon ends with status 0 in bounded time."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports), ports.console)
    run = start_sim(sim_args(ports) + flows(rate=100) + ["--duration", 20, "-v"])
    wait_for(lambda: all(a["state"] == "ASP-ACTIVE" for a in daemon.show("show asp")["asps"]), 15, "all ASPs active")
    assert daemon.stop() == 0
    run.proc.terminate()
    run.finish()
