# SPDX-License-Identifier: GPL-2.0-or-later
"""The gateway as ASP and as IPSP, with ss7sim as the SGPs or IPSPs of msc; hlr is an ordinary AS of the gateway. One ss7sim
plays both, so every flow is judged end to end."""
import pytest

from conftest import PATIENCE, TRANSPORT, Ports, wait_for

RATE = 500 if PATIENCE < 2 else 100
COUNT = RATE * 2
TRANSPORTS = ["kernel"] if TRANSPORT == "kernel" else ["embedded", "tcp"]
KEY = 'routing-keys = ( { dpc = "1-2-4"; } );'

# Of what ss7sim plays: the gateway's role, its AS, and more of ss7sim's AS.
ROLES = {
    "sgp": ("asp", "routing-context = 100;", "rc=100"),
    "ipsp-se": ("ipsp-se", "routing-context = 100; " + KEY, "rc=100"),
    "ipsp-de": ("ipsp-de", "routing-context = 100; own-routing-context = 200; " + KEY, "rc=100,peer-rc=200"),
}


class Setting:
    def __init__(self, start_daemon, start_sim, role, transport=TRANSPORT, side="server"):
        self.start_sim, self.ports, self.role, self.transport, self.side = start_sim, Ports(), role, transport, side
        p = self.ports
        gateway_role, far, self.far_as = ROLES[role]
        # ss7sim's side=server is the gateway's side = "client"
        client = (f'side = "client"; transport = "{transport}"; remote-udp-port = {p.local_udp}; local-udp-port = {p.udp}; '
                  f'reconnect-min = 50; reconnect-max = 200;') if side == "server" else ""
        asps = [f'{{ name = "hlr-{n + 1}"; remote-addresses = ( "127.0.0.1" ); remote-port = {p.peer + n}; }}' for n in range(2)]
        audit = "audit-interval = 500;" if role == "sgp" else ""
        asps += [f'{{ name = "far-{n + 1}"; role = "{gateway_role}"; {client} t-ack = 300; {audit} '
                 f'remote-addresses = ( "127.0.0.1" ); remote-port = {p.peer + 2 + n}; }}' for n in range(2)]
        route = '{ network = "national"; destination = "1-2-4"; via = "far"; }' if role == "sgp" else ""
        self.daemon = start_daemon(f"""
node = {{ name = "gw1"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {p.console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; }} );
listeners = ( {{ name = "all"; transport = "{transport}"; addresses = ( "127.0.0.1" ); port = {p.gateway};
  udp-port = {p.udp}; }} );
asps = ( {", ".join(asps)} );
application-servers = (
  {{ name = "hlr"; network = "national"; routing-context = 10; recovery-time = 300; asps = ( "hlr-1", "hlr-2" );
     routing-keys = ( {{ dpc = "1-2-3"; }} ); }},
  {{ name = "far"; network = "national"; recovery-time = 300; asps = ( "far-1", "far-2" ); {far} }} );
routes = ( {route} );
""", p.console)

    def run(self, *more, flow=""):
        p = self.ports
        return self.start_sim(
            ["--transport", self.transport, "--gateway", "127.0.0.1", "--port", p.gateway, "--udp-port", p.udp,
             "--local-udp-port", p.local_udp, "--connect-timeout", f"{int(10 * PATIENCE)}s",
             "--as", f"name=hlr,rc=10,pc=1-2-3,asps=2,local-port={p.peer}",
             "--as", f"name=msc,pc=1-2-4,asps=2,role={self.role},side={self.side},local-port={p.peer + 2},{self.far_as}",
             "--flow", f"from=hlr,to=msc,rate={RATE},size=ss7,{flow}",
             "--flow", f"from=msc,to=hlr,rate={RATE},size=ss7,{flow}", *more])

    def far(self):
        return [self.daemon.show(f"show asp far-{n}")["asp"]["state"] for n in (1, 2)]

    def status_of_msc(self):
        rows = self.daemon.show("show destination")["destinations"]
        return [row["status"] for row in rows if row["point-code"] == "1-2-4"]


def passed(run, count=None):
    status, verdict, text = run.finish()
    assert status == 0, text
    for flow in verdict["flows"]:
        assert flow["received"] == flow["sent"] and flow["sent"] > 0, text
        assert count is None or flow["sent"] == count, text
    return {asp["name"]: asp for asp in verdict["asps"]}


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("role", ROLES)
def test_traffic_of_the_gateway_as_asp_and_ipsp(start_daemon, start_sim, role, side, transport):
    setting = Setting(start_daemon, start_sim, role, transport, side)
    asps = passed(setting.run(flow=f"count={COUNT}"), COUNT)
    for name in ("msc-1", "msc-2"):  # both carry traffic, in both directions
        assert asps[name]["tx_data"] and asps[name]["rx_data"], asps
        assert asps[name]["state"] == "active" and not asps[name]["err"], asps
    wait_for(lambda: setting.far() == ["ASP-DOWN"] * 2, 10, "the gateway knows that they have left")


@pytest.mark.sanitized
@pytest.mark.parametrize("role", ROLES)
def test_one_that_withdraws_leaves_its_share_to_the_other(start_daemon, start_sim, role):
    """aspia of an SGP is the ASPIA ACK that nobody asked for; of an IPSP its ASPIA."""
    setting = Setting(start_daemon, start_sim, role)
    run = setting.run("--duration", "4s", "--at", "1s:msc-1:aspia", "--at", "2500ms:msc-1:aspac")
    wait_for(lambda: "ASP-INACTIVE" in setting.far(), 15, f"it has withdrawn: {setting.far()}")
    passed(run)


@pytest.mark.sanitized
@pytest.mark.parametrize("role", ROLES)
def test_a_lost_association_comes_back(start_daemon, start_sim, role):
    setting = Setting(start_daemon, start_sim, role)
    later = [word for ends in ("from=hlr,to=msc", "from=msc,to=hlr")
             for word in ("--flow", f"{ends},rate={RATE},start=3s,stop=3500ms")]
    asps = passed(setting.run("--at", "1s:msc-1:shutdown", "--at", "1500ms:msc-1:connect", *later, flow="stop=500ms"))
    assert asps["msc-1"]["associations"] == 2 and asps["msc-1"]["state"] == "active", asps


@pytest.mark.sanitized
def test_an_sg_says_what_it_can_reach(start_daemon, start_sim):
    """DUNA and DAVA on demand, and as the answer to DAUD; hlr hears of it and pauses."""
    setting = Setting(start_daemon, start_sim, "sgp")
    run = setting.run("--duration", "4s", "--obey-ssnm", "--at", "1s:msc:duna", "--at", "3s:msc:dava")
    wait_for(lambda: setting.status_of_msc() == ["unavailable"], 15, "DUNA has come")
    wait_for(lambda: setting.status_of_msc() == ["available"], 15, "DAVA has come")
    status, verdict, text = run.finish()
    asps = {asp["name"]: asp for asp in verdict["asps"]}
    assert sum(asps[f"hlr-{n}"]["ssnm"] for n in (1, 2)) >= 2, text
    assert asps["msc-1"]["rx_other"] > 3, text  # ASPUP, ASPAC, and DAUD more than once
    # what was on its way when DUNA came was refused by the gateway
    sent, lost = verdict["flows"][0]["sent"], verdict["flows"][0]["lost"]
    assert sent < 3 * RATE and lost < RATE / 2, text
