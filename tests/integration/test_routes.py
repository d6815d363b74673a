# SPDX-License-Identifier: GPL-2.0-or-later
"""Routes: alternatives, masks, the default, load sharing. The Application Servers msc and alt of the gateway are one of
ss7sim's (without a Routing Context), which so judges order across them: msc-1 and msc-2 serve the one, msc-3 and msc-4
the other."""
from conftest import PATIENCE, TRANSPORT, Ports, wait_for

RATE = 1000 if PATIENCE < 2 else 200


def route(destination, via, priority=1):
    return f'{{ network = "national"; destination = "{destination}"; via = "{via}"; priority = {priority}; }}'


def config(ports, *routes, recovery=1000):
    peers = ", ".join(f'{{ name = "{name}"; remote-addresses = ( "127.0.0.1" ); remote-port = {ports.peer + i}; }}'
                      for i, name in enumerate(("hlr-1", "msc-1", "msc-2", "msc-3", "msc-4")))
    return f"""
node = {{ name = "gw1"; workers = 2; }};
console = {{ address = "127.0.0.1"; port = {ports.console}; }};
networks = ( {{ name = "national"; variant = "itu"; indicator = 2; point-codes = ( "1-1-1" ); }} );
listeners = ( {{ name = "asps"; transport = "{TRANSPORT}"; addresses = ( "127.0.0.1" ); port = {ports.gateway};
  udp-port = {ports.udp}; }} );
asps = ( {peers} );
application-servers = (
  {{ name = "hlr"; network = "national"; routing-context = 10; asps = ( "hlr-1" ); routing-keys = ( {{ dpc = "1-2-3"; }} ); }},
  {{ name = "msc"; network = "national"; recovery-time = {recovery}; asps = ( "msc-1", "msc-2" );
    routing-keys = ( {{ dpc = "1-2-4"; }} ); }},
  {{ name = "alt"; network = "national"; asps = ( "msc-3", "msc-4" ); }} );
routes = ( {", ".join(routes)} );
"""


def simulate(start_sim, ports, flows, *more):
    args = ["--transport", TRANSPORT, "--gateway", "127.0.0.1", "--port", ports.gateway, "--udp-port", ports.udp,
            "--local-udp-port", ports.local_udp, "--as", f"name=hlr,rc=10,pc=1-2-3,asps=1,local-port={ports.peer}",
            "--as", f"name=msc,pc=1-2-4,asps=4,local-port={ports.peer + 1}"]
    for flow in flows:
        args += ["--flow", f"from=hlr,to=msc,rate={RATE},sls=0-15{flow}"]
    return start_sim(args + list(more))


def received(run):
    """What each ASP got, after a verdict without loss, repetition or reordering."""
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass", text
    return {a["name"]: a["rx_data"] for a in verdict["asps"]}


def via(gateway, destination):
    rows = gateway.show("show destination")["destinations"]
    return next((row["via"] for row in rows if row["point-code"] == destination), None)


def forwards(gateway, more):
    """Waits until so many more messages have been forwarded."""
    def total():
        return sum(w["forwarded"] for w in gateway.show("show workers")["workers"])

    enough = total() + more
    wait_for(lambda: total() >= enough, what=f"{more} more messages")


def test_an_alternative_takes_over_while_the_as_is_away(start_daemon, start_sim):
    """At once, not after T(r); and gives back what it carried when the AS is active again."""
    ports = Ports()
    gateway = start_daemon(config(ports, route("1-2-4", "alt")), ports.console)
    run = simulate(start_sim, ports, [""], "--duration", 8,
                   "--at", "2s:msc-1:aspia", "--at", "2s:msc-2:aspia",  # T(r) ends at 3 s
                   "--at", "5s:msc-1:aspac", "--at", "5s:msc-2:aspac")
    wait_for(lambda: via(gateway, "1-2-4") == ["msc"], what="the AS itself carries the traffic")
    wait_for(lambda: via(gateway, "1-2-4") == ["alt"], what="the alternative carries the traffic")
    wait_for(lambda: via(gateway, "1-2-4") == ["msc"], what="the AS carries it again")
    rx = received(run)
    assert rx["msc-1"] + rx["msc-2"] > 3 * RATE and rx["msc-3"] + rx["msc-4"] > 2 * RATE


def test_what_waits_for_an_as_goes_to_the_alternative_that_comes_up(start_daemon, start_sim):
    ports = Ports()
    start_daemon(config(ports, route("1-2-4", "alt"), recovery=20000), ports.console)
    run = simulate(start_sim, ports, [""], "--duration", 5, "--at", "1s:msc-3:aspia", "--at", "1s:msc-4:aspia",
                   "--at", "2s:msc-1:aspia", "--at", "2s:msc-2:aspia", "--at", "3500ms:msc-3:aspac")
    rx = received(run)
    assert rx["msc-3"] > 2 * RATE


def test_masked_and_default_routes_carry_what_has_no_route_of_its_own(start_daemon, start_sim):
    ports = Ports()
    gateway = start_daemon(config(ports, route("1-3-0/3", "msc"), route("default", "alt")), ports.console)
    run = simulate(start_sim, ports, [",dpc=1-3-5", ",dpc=7-7-7", ",dpc=1-2-4"], "--duration", 3)
    lookup = wait_for(lambda: gateway.show("show route lookup national 1-2-3 1-3-5 sccp 3")["lookup"])
    assert "1-3-0/3" in next(s["finding"] for s in lookup["steps"] if s["step"] == "destination")
    rx = received(run)
    assert rx["msc-1"] + rx["msc-2"] > 5 * RATE and rx["msc-3"] + rx["msc-4"] > 2 * RATE


def test_routes_of_one_priority_share_the_load(start_daemon, start_sim):
    """All four ASPs get some; when one AS leaves, the other carries all."""
    ports = Ports()
    start_daemon(config(ports, route("1-3-0/3", "msc"), route("1-3-0/3", "alt")), ports.console)
    run = simulate(start_sim, ports, [",dpc=1-3-5"], "--duration", 5,
                   "--at", "3s:msc-3:aspia", "--at", "3s:msc-4:aspia")
    rx = received(run)
    assert all(rx[f"msc-{n}"] > RATE / 5 for n in range(1, 5)), rx
    assert rx["msc-1"] + rx["msc-2"] > rx["msc-3"] + rx["msc-4"] + RATE


def test_a_reload_changes_routes_in_place(start_daemon, start_sim):
    ports = Ports()
    gateway = start_daemon(config(ports, route("1-3-0/3", "msc")), ports.console)
    run = simulate(start_sim, ports, [",dpc=1-3-5"], "--duration", 6)
    wait_for(lambda: via(gateway, "1-3-0/3") == ["msc"], what="the first route")
    forwards(gateway, RATE // 2)
    gateway.reload(config(ports, route("1-3-0/3", "msc", 2), route("1-3-5", "alt")))
    wait_for(lambda: via(gateway, "1-3-5") == ["alt"], what="the more specific route")
    forwards(gateway, RATE // 2)
    gateway.reload(config(ports, route("default", "msc")))
    wait_for(lambda: via(gateway, "default") == ["msc"] and via(gateway, "1-3-5") is None, what="the default route")
    rx = received(run)
    assert rx["msc-3"] + rx["msc-4"] > RATE / 4 and rx["msc-1"] + rx["msc-2"] > RATE
