# SPDX-License-Identifier: GPL-2.0-or-later
"""signalboxd as a service: start, reload, end, and what the service manager hears of it."""
import os
import shutil
import signal
import socket
import subprocess
import time

import pytest

from conftest import BUILD, PATIENCE, TOP, Ports, sim_args, two_as_config, wait_for

FLOWS = ["--flow", "from=hlr,to=msc,rate=200", "--flow", "from=msc,to=hlr,rate=200"]


class Manager:
    """A service manager: what comes to its NOTIFY_SOCKET."""

    def __init__(self, path):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(str(path))
        self.sock.setblocking(False)
        self.lines = []

    def heard(self, start):
        try:
            while True:
                self.lines += self.sock.recv(4096).decode().split("\n")
        except BlockingIOError:
            pass
        return any(line.startswith(start) for line in self.lines)


@pytest.fixture
def manager(tmp_path, monkeypatch):
    m = Manager(tmp_path / "notify")
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    yield m
    m.sock.close()


# One that never comes.
NEIGHBOUR = """
links = ( { name = "stp-0"; remote-addresses = ( "127.9.9.9" ); } );
linksets = ( { name = "stp"; network = "national"; adjacent = "2-2-2"; links = ( "stp-0" ); } );
"""


def all_active(daemon):
    return all(a["state"] == "ASP-ACTIVE" for a in daemon.show("show asp")["asps"])


@pytest.mark.sanitized
def test_the_service_manager_is_told(start_daemon, start_sim, manager):
    ports = Ports()
    daemon = start_daemon(two_as_config(ports) + NEIGHBOUR, ports.console)
    wait_for(lambda: manager.heard("READY=1"), what="READY")
    assert "listener asps: listening" in daemon.log()
    wait_for(lambda: manager.heard("STATUS=0 of 4 ASPs active, 0 of 2 ASs active, 0 of 1 links available"), what="STATUS")
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 3])
    wait_for(lambda: manager.heard("STATUS=4 of 4 ASPs active, 2 of 2 ASs active"), what="STATUS of active ASPs")
    manager.lines.clear()
    run.finish()
    wait_for(lambda: manager.heard("STATUS=0 of 4 ASPs active, 0 of 2 ASs active"), what="STATUS when they have left")
    manager.lines.clear()
    daemon.reload()
    wait_for(lambda: manager.heard("READY=1"), what="READY after a reload")
    assert manager.lines[0] == "RELOADING=1" and manager.lines[1].startswith("MONOTONIC_USEC=")
    assert daemon.stop() == 0
    assert manager.heard("STOPPING=1")


def test_a_listener_that_cannot_listen_does_not_keep_the_others_from_working(start_daemon, manager):
    ports = Ports()
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as taken:
        taken.bind(("127.0.0.1", ports.peer))
        taken.listen()
        config = two_as_config(ports, transport="tcp").replace(
            "listeners = (", f'listeners = ( {{ name = "late"; transport = "tcp"; addresses = ( "127.0.0.1" ); '
                             f'port = {ports.peer}; }},')
        daemon = start_daemon(config, ports.console)
        wait_for(lambda: manager.heard("READY=1"), what="READY")
        assert "listener asps: listening" in daemon.log()
    wait_for(lambda: "listener late: listening" in daemon.log(), what="the other one listens once it can")


def test_the_watchdog_hears_of_it(start_daemon, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    ports = Ports()
    start_daemon(two_as_config(ports), ports.console)
    wait_for(lambda: manager.heard("WATCHDOG=1") and manager.lines.count("WATCHDOG=1") >= 3, what="three WATCHDOGs")


def test_lines_carry_priorities_where_the_journal_reads(tmp_path):
    log = tmp_path / "log"
    with open(log, "wb") as f:
        st = os.fstat(f.fileno())
        run = subprocess.run([BUILD / "signalboxd", "-c", "/none/such.conf"], stderr=f, timeout=30,
                             env=dict(os.environ, JOURNAL_STREAM=f"{st.st_dev}:{st.st_ino}"))
    assert run.returncode == 1
    assert all(line.startswith(("<3>", "<2>")) for line in log.read_text().splitlines()), log.read_text()


def test_a_console_port_that_is_taken_is_a_clear_error(start_daemon, tmp_path):
    ports = Ports()
    start_daemon(two_as_config(ports), ports.console)
    other = Ports()
    other.console = ports.console
    path = tmp_path / "other.conf"
    path.write_text(two_as_config(other))
    run = subprocess.run([BUILD / "signalboxd", "-c", path], capture_output=True, text=True, timeout=30 * PATIENCE)
    assert run.returncode == 3
    assert f"the console cannot listen on 127.0.0.1 port {ports.console}" in run.stderr


@pytest.mark.sanitized
def test_a_reload_under_traffic_keeps_what_did_not_change(start_daemon, start_sim):
    """An ASP and an AS come, a timer changes, and they go again: nothing that passes notices."""
    ports = Ports()
    plain = two_as_config(ports)
    more = plain.replace("application-servers = (", f"""application-servers = (
      {{ name = "scp"; network = "national"; routing-context = 30; asps = ( "scp-1" );
        routing-keys = ( {{ dpc = "1-2-5"; }} ); }},""").replace("asps = ( {", f"""asps = (
      {{ name = "scp-1"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer + 7}; }}, {{""", 1)
    more = more.replace('traffic-mode = "loadshare";', 'traffic-mode = "loadshare"; recovery-time = 3000;')
    daemon = start_daemon(plain, ports.console)
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 5])
    wait_for(lambda: all_active(daemon), 15, "all ASPs active")
    daemon.reload(more)
    wait_for(lambda: "as scp: added" in daemon.log() and "changes" in daemon.log(), what="the first reload")
    assert len(daemon.show("show asp")["asps"]) == 5
    daemon.reload(plain)
    wait_for(lambda: "as scp: removed" in daemon.log(), what="the second reload")
    assert len(daemon.show("show asp")["asps"]) == 4
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass", text
    assert daemon.log().count("association up") == 4, daemon.log()


@pytest.mark.parametrize("transport", ["embedded", "tcp"])
def test_a_replaced_listener_leaves_its_associations_alone(start_daemon, start_sim, transport):
    ports = Ports()
    plain = two_as_config(ports, transport=transport)
    daemon = start_daemon(plain, ports.console)
    run = start_sim(sim_args(ports, transport=transport) + FLOWS + ["--duration", 4])
    wait_for(lambda: all_active(daemon), 15, "all ASPs active")
    daemon.reload(plain.replace('name = "asps";', 'name = "asps"; backlog = 100;'))
    wait_for(lambda: daemon.log().count("listener asps: listening") == 2, what="the listener listens again")
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass", text
    assert daemon.log().count("association up") == 4, daemon.log()
    status, _, text = start_sim(sim_args(ports, transport=transport) + FLOWS + ["--duration", 1]).finish()
    assert status == 0, text


@pytest.mark.sanitized
def test_a_replaced_asp_loses_nobody_elses_traffic(start_daemon, start_sim):
    """One of the MSC's two ASPs is replaced: its association ends, the other one carries the traffic."""
    ports = Ports()
    plain = two_as_config(ports)
    daemon = start_daemon(plain, ports.console)
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 4])
    wait_for(lambda: all_active(daemon), 15, "all ASPs active")
    daemon.reload(plain.replace('name = "msc-2"; remote', 'name = "msc-2"; listener = "asps"; remote'))
    wait_for(lambda: "asp msc-2: replaced" in daemon.log(), what="the reload")
    wait_for(lambda: all_active(daemon), 15, "all ASPs active again")
    run.finish()
    for name in ("hlr-1", "hlr-2", "msc-1"):
        assert daemon.log().count(f"asp {name}: association up") == 1, daemon.log()
    assert daemon.log().count("asp msc-2: association up") == 2, daemon.log()


@pytest.mark.sanitized
def test_a_bad_file_changes_nothing_and_every_error_is_logged(start_daemon, start_sim, manager):
    ports = Ports()
    plain = two_as_config(ports)
    daemon = start_daemon(plain, ports.console)
    wait_for(lambda: manager.heard("READY=1"), what="READY")
    manager.lines.clear()
    daemon.reload(plain.replace("routing-context = 10", "routing-context = 20").replace("workers", "wrokers"))
    wait_for(lambda: "nothing was changed" in daemon.log(), what="the refusal")
    assert 'unknown key "wrokers" in node: did you mean "workers"?' in daemon.log()
    assert 'routing-context 20 is application server "hlr"\'s already' in daemon.log()
    wait_for(lambda: manager.heard("READY=1"), what="READY after the refused reload")
    daemon.reload("# just being written\n")
    wait_for(lambda: "has no listener, ASP, AS or linkset: nothing was changed" in daemon.log(), what="that it is empty")
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 2])
    status, _, text = run.finish()
    assert status == 0, text


def test_what_takes_a_restart_is_told(start_daemon):
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, workers=2), ports.console)
    daemon.reload(two_as_config(ports, workers=1))
    wait_for(lambda: '"workers" keeps its value until signalboxd is restarted' in daemon.log(), what="the notice")
    assert len(daemon.show("show workers")["workers"]) == 2


def test_each_replaced_object_comes_back(start_daemon, start_sim):
    """Another port for the listener, other modes for the ASs: peers that come again are served by the new objects."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports), ports.console)
    status, _, text = start_sim(sim_args(ports) + FLOWS + ["--duration", 1]).finish()
    assert status == 0, text
    ports.gateway, ports.udp = Ports().gateway, Ports().udp
    daemon.reload(two_as_config(ports, modes=("override", "broadcast")))
    wait_for(lambda: "listener asps: replaced" in daemon.log(), what="the reload")
    args = sim_args(ports)
    args = [a if not str(a).startswith("name=") else
            f"{a},mode={'override' if 'hlr' in a else 'broadcast'}" for a in args]
    status, _, text = start_sim(args + FLOWS + ["--duration", 1]).finish()
    assert status == 0, text + daemon.log()


@pytest.mark.sanitized
def test_sigterm_with_peers_up_ends_in_bounded_time(start_daemon, start_sim):
    ports = Ports()
    daemon = start_daemon(two_as_config(ports), ports.console)
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 20])
    wait_for(lambda: all_active(daemon), 15, "all ASPs active")
    assert daemon.stop() == 0
    run.proc.terminate()
    run.finish()


def stopped_peers(start_daemon, start_sim, node=""):
    """A daemon whose peers are all up and have stopped answering."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports, node=node), ports.console)
    run = start_sim(sim_args(ports) + FLOWS + ["--duration", 60])
    wait_for(lambda: all_active(daemon), 15, "all ASPs active")
    run.proc.send_signal(signal.SIGSTOP)
    return daemon, run


def test_peers_that_do_not_answer_delay_the_end_no_longer_than_shutdown_time(start_daemon, start_sim):
    """Half of it, for there are no links; of the default's 3 s that would be less. SCTP would wait for longer."""
    daemon, run = stopped_peers(start_daemon, start_sim, node="shutdown-time = 4000;")
    began = time.monotonic()
    assert daemon.stop() == 0
    assert time.monotonic() - began >= 2
    assert daemon.log().count("association not closed in time") == 4, daemon.log()
    run.proc.kill()


def test_a_second_signal_ends_it_at_once(start_daemon, start_sim):
    daemon, run = stopped_peers(start_daemon, start_sim, node="shutdown-time = 60000;")
    daemon.proc.send_signal(signal.SIGTERM)
    wait_for(lambda: "takes leave of its peers" in daemon.log(), what="leave-taking")
    assert daemon.proc.poll() is None
    daemon.proc.send_signal(signal.SIGINT)
    assert daemon.proc.wait(10 * PATIENCE) == 0
    assert "signalboxd stops at once" in daemon.log()
    run.proc.kill()


def test_the_unit_passes_systemds_own_check(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze is not there")
    subprocess.run(["make", "-C", BUILD, "install", f"DESTDIR={tmp_path}"], check=True, capture_output=True, timeout=300)
    unit = next(tmp_path.rglob("signalboxd.service"))
    sbin = next(tmp_path.rglob("sbin/signalboxd"))
    installed = f"/{sbin.relative_to(tmp_path)}"
    assert installed in unit.read_text()
    here = tmp_path / "signalboxd.service"  # what it starts is below DESTDIR here
    here.write_text(unit.read_text().replace(installed, str(sbin)))
    run = subprocess.run(["systemd-analyze", "verify", "--man=no", str(here)], capture_output=True, text=True, timeout=60)
    about = [line for line in run.stderr.splitlines() if "signalboxd.service" in line]
    assert run.returncode == 0 and not about, run.stderr
    sysusers = next(tmp_path.rglob("sysusers.d/signalbox.conf"))
    assert "u signalbox " in sysusers.read_text()
    conf = next(tmp_path.rglob("signalbox/signalboxd.conf"))
    check = subprocess.run([sbin, "--check", conf], capture_output=True, text=True, timeout=30)
    assert check.returncode == 0, check.stderr
