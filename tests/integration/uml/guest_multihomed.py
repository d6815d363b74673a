# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs inside User-Mode Linux, started by test_gateway.py after netns.sh: the gateway here with two addresses, its ASPs in
the namespace `peer` with two; one of the two links is cut under traffic."""
import subprocess

from conftest import Ports, sim_args, two_as_config, wait_for

GATEWAY = ("10.1.0.1", "10.2.0.1")
PEERS = ("10.1.0.2", "10.2.0.2")


def tc(action):
    for where, device in (((), "va0"), (("-n", "peer"), "vb0")):
        subprocess.run(["tc", *where, "qdisc", action, "dev", device, "root"] +
                       (["netem", "loss", "100%"] if action == "add" else []), check=True)


def paths(daemon, asp):
    """Address -> state."""
    rows = daemon.show(f"show association {asp} paths")["paths"]
    return {row["address"]: row["state"] for row in rows}


def test_a_cut_path_costs_no_message(start_daemon, start_sim):
    ports = Ports()
    quoted = '", "'.join
    config = two_as_config(ports, transport="kernel", address=quoted(GATEWAY), peers=quoted(PEERS))
    daemon = start_daemon(config.replace("application-servers", "sctp = { heartbeat = 500; };\napplication-servers", 1),
                          ports.console)
    args = sim_args(ports, transport="kernel", address=",".join(GATEWAY))
    args = [f"{a},local={'/'.join(PEERS)}" if str(a).startswith("name=") else a for a in args]
    run = start_sim(args + ["--heartbeat", 500, "--duration", "20s", "--drain", "10s",
                            "--flow", "from=hlr,to=msc,rate=50,sls=0-15", "--flow", "from=msc,to=hlr,rate=50,sls=0-15"],
                    prefix=("ip", "netns", "exec", "peer"))
    wait_for(lambda: all(a["state"] == "ASP-ACTIVE" for a in daemon.show("show asp")["asps"]), 10, "all ASPs active")
    both = {address: "active" for address in PEERS}
    wait_for(lambda: paths(daemon, "hlr-1") == both, 10, "both paths are active")
    tc("add")
    try:
        wait_for(lambda: paths(daemon, "hlr-1")[PEERS[0]] == "unreachable", 10, "the cut is seen")
        assert paths(daemon, "hlr-1")[PEERS[1]] == "active"
    finally:
        tc("del")
    wait_for(lambda: paths(daemon, "hlr-1") == both, 10, "the path is back")
    status, verdict, text = run.finish(60)
    assert status == 0 and verdict["verdict"] == "pass", text + daemon.log()
    assert all(flow["received"] == flow["sent"] >= 500 for flow in verdict["flows"])
