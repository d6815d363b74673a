# SPDX-License-Identifier: GPL-2.0-or-later
"""Interworking with Debian's osmo-stp: each of the two is an ASP of the other, and the SG of an ASP at its far side.

    ss7sim hlr  ---  signalboxd  ---  osmo-stp  ---  ss7sim msc
    RC 10, 1-2-3     AS "stp", RC 30: 1-2-4          RC 20, 1-2-4
"""
import socket
import subprocess

import pytest

from conftest import PATIENCE, Ports, free_port, wait_for
from two_paths import needs_kernel

pytestmark = needs_kernel

OSMO_VTY = 4239  # compiled in
STP_PORT, STP_PC, RATE, COUNT = 2906, "1.2.7", 100, 300


class OsmoStp:
    """osmo-stp with the `cs7 instance` section of a configuration; its VTY as show(command)."""

    def __init__(self, directory, cs7):
        self.config, self.log_path = directory / "osmo-stp.cfg", directory / "osmo-stp.log"
        self.config.write_text("log stderr\n logging filter all 1\n logging color 0\n logging level set-all info\n"
                               f"line vty\n no login\ncs7 instance 0\n network-indicator national\n{cs7}")
        self.start()

    def start(self):
        with open(self.log_path, "ab") as log:
            self.proc = subprocess.Popen(["osmo-stp", "-c", str(self.config)], stdout=log, stderr=log,
                                         stdin=subprocess.DEVNULL)
        wait_for(self.answers, 10, "osmo-stp's VTY answers")

    def answers(self):
        assert self.proc.poll() is None, self.log()
        try:
            socket.create_connection(("127.0.0.1", OSMO_VTY), timeout=1).close()
            return True
        except OSError:
            return False

    def log(self):
        return self.log_path.read_text(errors="replace")

    def show(self, command):
        """The words of each line of the answer."""
        with socket.create_connection(("127.0.0.1", OSMO_VTY), timeout=5 * PATIENCE) as vty:
            text = self.until_prompt(vty)
            vty.sendall(command.encode() + b"\n")
            text = self.until_prompt(vty)
        return [line.split() for line in text.splitlines() if line.strip()]

    @staticmethod
    def until_prompt(vty):
        data = b""
        while not data.rstrip(b"\x00").endswith((b"> ", b"# ")):
            part = vty.recv(65536)
            assert part, "osmo-stp hung up: " + data.decode(errors="replace")
            data += part
        return data.decode(errors="replace")

    def row(self, what, name):
        """The line of `show cs7 instance 0 WHAT` (asp, as all) that begins with a name."""
        return next((words for words in self.show(f"show cs7 instance 0 {what}") if words[:1] == [name]), [])

    def kill(self):
        self.proc.kill()
        self.proc.wait()

    def stop(self):
        self.proc.terminate()
        try:
            self.proc.wait(5 * PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()


@pytest.fixture
def start_osmo_stp(tmp_path):
    started = []

    def start(cs7):
        started.append(OsmoStp(tmp_path, cs7))
        return started[-1]

    yield start
    for stp in started:
        stp.stop()


def gateway_config(ports, stp_port, transport="kernel", recovery=2000, stp_asp="", stp_key='{ dpc = "1-2-4"; }', more=""):
    return f"""
node = {{ name = "gw1"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "asps"; transport = "{transport}"; addresses = ( "127.0.0.1" ); port = {ports.gateway}; }} );
asps = ( {{ name = "hlr-1"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer}; }},
         {{ name = "stp-1"; remote-addresses = ( "127.0.0.1" ); {stp_asp or f"remote-port = {stp_port};"} }} );
application-servers = (
  {{ name = "hlr"; network = "national"; routing-context = 10; traffic-mode = "loadshare"; asps = ( "hlr-1" );
     recovery-time = {recovery}; routing-keys = ( {{ dpc = "1-2-3"; }} ); }},
  {{ name = "stp"; network = "national"; routing-context = 30; traffic-mode = "loadshare"; asps = ( "stp-1" );
     recovery-time = {recovery}; routing-keys = ( {stp_key} ); }} );
{more}
"""


STATIC_MSC = """ as as-msc m3ua
  asp asp-msc
  routing-key 20 1.2.4
  traffic-mode loadshare
"""


def osmo_config(gw_asp, role, key, msc_port, registers=False):
    """osmo-stp with the gateway's association in AS as-gw, towards 1-2-3, and as the SG of 1-2-4: of AS as-msc, or of one
    that is registered."""
    return f""" point-code {STP_PC}
 xua rkm routing-key-allocation {"dynamic-permitted" if registers else "static-only"}
 asp asp-gw {gw_asp} m3ua
  local-ip 127.0.0.1
  remote-ip 127.0.0.1
  role {role}
  sctp-role {"client" if role == "asp" else "server"}
 asp asp-msc {msc_port} {STP_PORT} m3ua
  local-ip 127.0.0.1
  remote-ip 127.0.0.1
  role sg
  sctp-role server
 as as-gw m3ua
  asp asp-gw
  routing-key {key}
  traffic-mode loadshare
{"" if registers else STATIC_MSC} route-table system
  update route 1.2.3 7.255.7 linkset as-gw
{"" if registers else "  update route 1.2.4 7.255.7 linkset as-msc"}
 listen m3ua {STP_PORT}
  local-ip 127.0.0.1
  accept-asp-connections pre-configured
"""


def stp_as_asp(ports, stp_port, msc_port, **config):
    return (gateway_config(ports, stp_port, **config),
            osmo_config(f"{ports.gateway} {stp_port}", "asp", f"30 {STP_PC}", msc_port))


def stp_as_sg(ports, stp_port, msc_port, registers=False, **config):
    asp = (f'role = "asp"; side = "client"; transport = "kernel"; remote-port = {STP_PORT}; local-port = {stp_port}; '
           f'local-addresses = ( "127.0.0.1" ); reconnect-min = 100; reconnect-max = 500; audit-interval = 0;')
    route = 'routes = ( { network = "national"; destination = "1-2-4"; via = "stp"; } );'
    return (gateway_config(ports, stp_port, stp_asp=asp, stp_key="", more=route, **config),
            osmo_config(f"{stp_port} {STP_PORT}", "sg", "30 1.2.3", msc_port, registers))


ROLES = [stp_as_asp, stp_as_sg]


class Chain:
    """Everything in the picture, up and active."""

    def __init__(self, start_daemon, start_sim, start_osmo_stp, role=stp_as_asp, **config):
        self.start_sim, self.ports, self.msc_port, self.run = start_sim, Ports(), free_port(), 0
        stp_port = free_port()
        gateway, stp = role(self.ports, stp_port, self.msc_port, **config)
        self.daemon = start_daemon(gateway, self.ports.console)
        self.stp = start_osmo_stp(stp)

    def sims(self, *more, size="ss7", **one):
        """Two ss7sim, each of which sends one flow and judges the other's; hlr=, msc=: an argument of one."""
        self.run += 1
        # one second for the other process to be there, too
        flows = ["--run", self.run, "--duration", "5s"]
        for i, (a, b) in enumerate((("hlr", "msc"), ("msc", "hlr"))):
            flows += ["--flow", f"from={a},to={b},id={i + 1},rate={RATE},count={COUNT},sls=0-15,size={size},start=1s"]
        both = (("hlr", 10, "1-2-3", self.ports.gateway, self.ports.peer), ("msc", 20, "1-2-4", STP_PORT, self.msc_port))
        runs = []
        for mine, _, _, gateway, _ in both:
            args = ["--transport", "kernel", "--gateway", "127.0.0.1", "--port", gateway]
            for name, rc, pc, _, port in both:
                here = name == mine
                args += ["--as", f"name={name},rc={rc},pc={pc}" + (f",local-port={port},local=127.0.0.1" if here else ",asps=0")]
            runs.append(self.start_sim(args + flows + list(more) + ([one[mine]] if mine in one else [])))
        return runs

    def judge(self, runs):
        for run, mine in zip(runs, (2, 1)):
            status, verdict, text = run.finish(10)
            assert status == 0, text
            received = next(f for f in verdict["flows"] if f["id"] == mine)["received"]
            assert received == COUNT, text

    def active(self):
        return (self.daemon.show("show as stp")["application-server"]["state"] == "AS-ACTIVE"
                and "AS_ACTIVE" in self.stp.row("as all", "as-gw"))

    def wait_active(self):
        wait_for(self.active, 10, f"both think that the AS is active\n{self.daemon.log()}\n{self.stp.log()[-3000:]}")

    def status_of_msc(self):
        rows = self.daemon.show("show destination")["destinations"]
        return [row["status"] for row in rows if row["point-code"] == "1-2-4"]


@pytest.fixture
def chain(start_daemon, start_sim, start_osmo_stp):
    return lambda **config: Chain(start_daemon, start_sim, start_osmo_stp, **config)


@pytest.mark.parametrize("role", ROLES)
def test_osmo_stp_becomes_active_and_both_agree(chain, role):
    c = chain(role=role)
    c.wait_active()
    assert c.daemon.show("show asp stp-1")["asp"]["state"] == "ASP-ACTIVE"
    assert "ASP_ACTIVE" in c.stp.row("asp", "asp-gw")


@pytest.mark.parametrize("role", ROLES)
def test_traffic_through_both_is_whole_in_both_directions(chain, role):
    c = chain(role=role)
    c.wait_active()
    c.judge(c.sims())


def test_osmo_stp_is_told_what_can_be_reached(chain):
    c = chain()
    c.wait_active()
    before = c.stp.log().count("Rx DUNA")
    c.judge(c.sims())
    assert "Rx DAVA() for 1.2.3/0" in c.stp.log()
    wait_for(lambda: c.stp.log().count("Rx DUNA() for 1.2.3/0") > before, 10, "hlr has left")


def test_a_blocked_osmo_stp_is_inactive_and_returns_with_the_association(chain):
    """osmo-stp 1.6 does not ask again by itself after an unsolicited ASPIA ACK; it does on a new association."""
    c = chain()
    c.wait_active()
    c.daemon.run("enable", "asp stp-1 block")
    wait_for(lambda: "ASP_INACTIVE" in c.stp.row("asp", "asp-gw"), 10, "osmo-stp knows that it is inactive")
    assert not c.active()
    c.daemon.run("enable", "asp stp-1 unblock", "association stp-1 restart")
    wait_for(c.active, 30, "osmo-stp is active again")


def test_what_osmo_stp_can_reach_is_known_to_the_gateway(chain):
    """As its ASP, the gateway asks for a status (DAUD), and hears of changes (DUNA, DAVA). osmo-stp 1.6 answers DAVA where
    it has a route, whether or not it can be used, so only changes tell the truth."""
    c = chain(role=stp_as_sg)
    c.wait_active()
    wait_for(lambda: c.status_of_msc() == ["available"], 10, f"osmo-stp has answered: {c.status_of_msc()}")
    c.judge(c.sims())
    wait_for(lambda: c.status_of_msc() == ["unavailable"], 10, f"msc has left: {c.status_of_msc()}\n{c.stp.log()[-5000:]}")
    runs = c.sims()
    wait_for(lambda: c.status_of_msc() == ["available"], 10, f"msc is back: {c.status_of_msc()}\n{c.stp.log()[-5000:]}")
    c.judge(runs)


def test_what_registers_at_osmo_stp_is_reached_through_both(chain):
    """osmo-stp 1.6 registers nothing as an ASP, but as an SG it lets its ASPs register: msc gets its Routing Context so."""
    c = chain(role=stp_as_sg, registers=True)
    c.wait_active()
    c.judge(c.sims(msc="--register"))
    assert "RKM: Registering routing key" in c.stp.log(), c.stp.log()


@pytest.mark.parametrize("role", ROLES)
def test_a_killed_osmo_stp_returns_and_is_served(chain, role):
    c = chain(role=role)
    c.wait_active()
    c.stp.kill()
    wait_for(lambda: c.daemon.show("show asp stp-1")["asp"]["state"] == "ASP-DOWN", 10, "the gateway has noticed")
    c.stp.start()
    wait_for(c.active, 30, "osmo-stp is back")
    c.judge(c.sims())
