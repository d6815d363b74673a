# SPDX-License-Identifier: GPL-2.0-or-later
"""Two gateways back to back: gateway a is an ASP of gateway b, or both are IPSPs. hlr is behind a, msc behind b; what
they exchange passes both, and is judged end to end."""
import subprocess

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TOP, TRANSPORT, Ports, wait_for

RATE = 500 if PATIENCE < 2 else 100
COUNT = RATE * 2
TRANSPORTS = ["kernel"] if TRANSPORT == "kernel" else ["embedded", "tcp"]

# Of each role: the AS towards the other gateway, at a and at b.
ROLES = {
    "asp": ('name = "at-b"; routing-context = 100; asps = ( "b" );',
            'name = "at-a"; routing-context = 100; asps = ( "a" ); routing-keys = ( { dpc = "1-2-3"; } );'),
    "ipsp-se": ('name = "at-b"; routing-context = 100; asps = ( "b" ); routing-keys = ( { dpc = "1-2-4"; } );',
                'name = "at-a"; routing-context = 100; asps = ( "a" ); routing-keys = ( { dpc = "1-2-3"; } );'),
    "ipsp-de": ('name = "at-b"; routing-context = 100; own-routing-context = 200; asps = ( "b" ); '
                'routing-keys = ( { dpc = "1-2-4"; } );',
                'name = "at-a"; routing-context = 200; own-routing-context = 100; asps = ( "a" ); '
                'routing-keys = ( { dpc = "1-2-3"; } );'),
}
COMMON = 'network = "national"; recovery-time = 300;'


def config(name, ports, transport, own, peer, far, routes=""):
    """A gateway with an AS of its own (name, RC, point code) of two ASPs, the row of the other gateway, and its AS."""
    as_name, rc, pc = own
    asps = [f'{{ name = "{as_name}-{n + 1}"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer + n}; }}'
            for n in range(2)]
    return f"""
node = {{ name = "{name}"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; }} );
listeners = ( {{ name = "all"; transport = "{transport}"; addresses = ( "127.0.0.1" ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
asps = ( {", ".join(asps)}, {{ {peer} remote-addresses = ( "127.0.0.1" ); }} );
application-servers = ( {{ name = "{as_name}"; {COMMON} routing-context = {rc}; asps = ( "{as_name}-1", "{as_name}-2" );
  routing-keys = ( {{ dpc = "{pc}"; }} ); }}, {{ {COMMON} {far} }} );
routes = ( {routes} );
"""


class Pair:
    def __init__(self, start_daemon, role, transport):
        self.transport = transport
        self.start_daemon = start_daemon
        self.ports = {"a": Ports(4), "b": Ports(4)}
        a, b = self.ports["a"], self.ports["b"]
        at_a, at_b = ROLES[role]
        to_b = (f'name = "b"; role = "{role}"; side = "client"; transport = "{transport}"; remote-port = {b.gateway}; '
                f'remote-udp-port = {b.udp}; local-udp-port = {a.udp}; local-port = {a.peer + 3}; reconnect-min = 50; '
                f'reconnect-max = 200; t-ack = 500;')
        to_a = f'name = "a"; role = "{"sgp" if role == "asp" else role}"; remote-port = {a.peer + 3};'
        route = '{ network = "national"; destination = "1-2-4"; via = "at-b"; }' if role == "asp" else ""
        self.config_b = config("gwb", b, transport, ("msc", 20, "1-2-4"), to_a, at_b)
        self.b = start_daemon(self.config_b, b.console, name="b")
        self.a = start_daemon(config("gwa", a, transport, ("hlr", 10, "1-2-3"), to_b, at_a, route), a.console, name="a")
        self.wait_active()

    def wait_active(self):
        for daemon, asp in ((self.a, "b"), (self.b, "a")):
            wait_for(lambda: daemon.show(f"show asp {asp}")["asp"]["state"] == "ASP-ACTIVE", 20,
                     f"{asp} is active\n{daemon.log()}")

    def sim(self, gateway, flows, hlr, msc, *more):
        p = self.ports[gateway]
        mine = "hlr" if gateway == "a" else "msc"
        args = ["--transport", self.transport, "--gateway", "127.0.0.1", "--port", p.gateway, "--udp-port", p.udp,
                "--local-udp-port", p.local_udp]
        for name, rc, pc, asps in (("hlr", 10, "1-2-3", hlr), ("msc", 20, "1-2-4", msc)):
            port = f",local-port={p.peer}" if name == mine else ""
            args += ["--as", f"name={name},rc={rc},pc={pc},asps={asps}{port}"]
        return args + flows + list(more)

    def traffic(self, start_sim):
        """Both ways at once: the process behind b is there first."""
        flows = ["--flow", f"from=hlr,to=msc,rate={RATE},count={COUNT},size=ss7,start=1s",
                 "--flow", f"from=msc,to=hlr,rate={RATE},count={COUNT},size=ss7,start=1s"]
        runs = [start_sim(self.sim("b", flows, 0, 2, "--duration", "8s", "--drain", "4s")),
                start_sim(self.sim("a", flows, 2, 0, "--duration", "8s", "--drain", "4s"))]
        for run, sent, received in ((runs[1], 0, 1), (runs[0], 1, 0)):
            status, verdict, text = run.finish()
            assert status == 0, text
            assert verdict["flows"][sent]["sent"] == COUNT, text
            assert verdict["flows"][received]["received"] == COUNT, text


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("role", ROLES)
def test_traffic_through_two_gateways(start_daemon, start_sim, role, transport):
    Pair(start_daemon, role, transport).traffic(start_sim)


class Registering(Pair):
    """Gateway a registers its routing key at b, which knows no AS for it and allocates the Routing Context."""

    def __init__(self, start_daemon, transport):
        # pylint: disable=super-init-not-called
        self.transport, self.start_daemon = transport, start_daemon
        self.ports = {"a": Ports(4), "b": Ports(4)}
        a, b = self.ports["a"], self.ports["b"]
        to_b = (f'name = "b"; role = "asp"; register = true; side = "client"; transport = "{transport}"; '
                f'remote-port = {b.gateway}; remote-udp-port = {b.udp}; local-udp-port = {a.udp}; '
                f'local-port = {a.peer + 3}; reconnect-min = 50; reconnect-max = 200; t-ack = 500;')
        to_a = f'name = "a"; rkm = "dynamic"; remote-port = {a.peer + 3};'
        at_b = 'name = "at-b"; asps = ( "b" ); routing-keys = ( { dpc = "1-2-3"; } );'
        nobody = 'name = "nobody"; routing-context = 30; asps = (); routing-keys = ( { dpc = "1-2-7"; } );'
        route = '{ network = "national"; destination = "1-2-4"; via = "at-b"; }'
        self.config_b = config("gwb", b, transport, ("msc", 20, "1-2-4"), to_a, nobody)
        self.b = start_daemon(self.config_b, b.console, name="b")
        self.a = start_daemon(config("gwa", a, transport, ("hlr", 10, "1-2-3"), to_b, at_b, route), a.console, name="a")
        self.wait_active()

    def request(self):
        return self.a.show("show asp b")["asp"]["client"]["requests"][0]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_traffic_by_a_key_that_one_gateway_registers_at_the_other(start_daemon, start_sim, transport):
    pair = Registering(start_daemon, transport)
    assert pair.request()["registered"] is True
    assert pair.request()["registration-result"] == "Successfully Registered"
    rcs = [x["routing-context"] for x in pair.b.show("show asp a")["asp"]["application-servers"]]
    assert rcs == [pair.request()["routing-context"]]
    pair.traffic(start_sim)


@pytest.mark.sanitized
def test_registration_begins_anew_with_the_sg_and_ends_in_order(start_daemon):
    pair = Registering(start_daemon, TRANSPORT)
    assert pair.b.stop() == 0
    wait_for(lambda: pair.request()["registered"] is False, 10, "it is registered no more")
    pair.b = start_daemon(pair.config_b, pair.ports["b"].console, name="b-again")
    pair.wait_active()
    wait_for(lambda: pair.request()["registered"] is True, 10, "it is registered again")
    assert pair.a.stop() == 0
    wait_for(lambda: pair.b.show("show asp a")["asp"]["application-servers"] == [], 10, "it has deregistered")


@pytest.mark.sanitized
def test_the_handshake_begins_anew_with_the_sg(start_daemon, start_sim):
    pair = Pair(start_daemon, "asp", TRANSPORT)
    assert pair.b.stop() == 0
    wait_for(lambda: pair.a.show("show asp b")["asp"]["state"] == "ASP-DOWN", 10, "the SG is gone")
    pair.b = start_daemon(pair.config_b, pair.ports["b"].console, name="b-again")
    pair.wait_active()
    pair.traffic(start_sim)


@pytest.mark.sanitized
@pytest.mark.parametrize("role", ROLES)
def test_blocking_and_leaving_in_order(start_daemon, role):
    pair = Pair(start_daemon, role, TRANSPORT)
    pair.a.run("enable\nasp b block")
    state = "ASP-INACTIVE"
    wait_for(lambda: pair.b.show("show asp a")["asp"]["state"] == state, 10, "b knows that a is blocked")
    pair.a.run("enable\nasp b unblock")
    pair.wait_active()
    assert pair.a.stop() == 0
    log = pair.b.log()
    assert "ASPIA" in log and "ASPDN" in log, log


SCRIPT = """
purpose: what becomes available and unavailable behind the SG is told to the ASPs of the gateway that is its ASP
endpoint hlr1 port=$peer
hlr1 connect
hlr1 expect up
hlr1 send ASPUP
hlr1 expect ASPUP_ACK
hlr1 expect NTFY status=AS_INACTIVE rc=10
hlr1 send ASPAC rc=10
hlr1 expect ASPAC_ACK rc=10
hlr1 expect NTFY status=AS_ACTIVE rc=10
hlr1 ignore DATA
{dava}
hlr1 expect DUNA only rc=10 apc=1-2-4 within 20s
"""


@pytest.mark.parametrize("role", ROLES)
def test_news_from_behind_the_sg(start_daemon, start_sim, tmp_path, role):
    pair = Pair(start_daemon, role, TRANSPORT)

    def status_of_msc():
        return [d["status"] for d in pair.a.show("show destination")["destinations"] if d["point-code"] == "1-2-4"]

    # an SG is asked; an IPSP is believed to be there itself until it says otherwise (RFC 4666 s.1.4.3.4)
    first = "unavailable" if role == "asp" else "available"
    dava = "hlr1 expect DAVA only rc=10 apc=1-2-4 within 20s" if role == "asp" else ""
    wait_for(lambda: status_of_msc() == [first], 10, f"msc is {first}\n{pair.a.log()}")
    script, p = tmp_path / "news.scn", pair.ports["a"]
    script.write_text(SCRIPT.format(dava=dava))
    judge = subprocess.Popen(
        [str(BUILD / "ss7sim"), "--script", str(script), "--quiet", "--patience", str(SCRIPT_PATIENCE), "--transport",
         TRANSPORT, "--gateway", "127.0.0.1", "--port", str(p.gateway), "--udp-port", str(p.udp), "--local-udp-port",
         str(p.local_udp), "--set", f"peer={p.peer}"], cwd=TOP, stderr=subprocess.PIPE, text=True)
    try:
        wait_for(lambda: pair.a.show("show asp hlr-1")["asp"]["state"] == "ASP-ACTIVE", 10, "hlr is active")
        run = start_sim(pair.sim("b", ["--flow", "from=msc,to=hlr,rate=10,count=1"], 0, 2, "--duration", "1s"))
        assert run.finish()[0] in (0, 1)  # nobody judges what hlr gets
        _, text = judge.communicate(timeout=60 * PATIENCE)
        assert judge.returncode == 0, text
    finally:
        judge.kill()
        judge.wait()
