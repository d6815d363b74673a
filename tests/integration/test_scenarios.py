# SPDX-License-Identifier: GPL-2.0-or-later
"""The conformance scenarios of tests/scenarios, one test per file and transport: ss7sim --script against a daemon.

A scenario's header names its configuration (tests/scenarios/configs/NAME.conf, with @PORT@s to fill in) and, where it
needs streams or a real SCTP, its transports."""
import pathlib
import re
import subprocess

import pytest

from conftest import BUILD, PATIENCE, SCRIPT_PATIENCE, TOP, TRANSPORT, Ports, wait_for

SCENARIOS = TOP / "tests" / "scenarios"
PEERS = 8
# A script that fails after ss7sim did not run for a while says little of the gateway (exit status 3): it is played again.
INCONCLUSIVE, ATTEMPTS = 3, 4
# tcp runs beside the SCTP under test: it is M3UA without the streams.
TRANSPORTS = ["kernel"] if TRANSPORT == "kernel" else ["embedded", "tcp"]


def headers(path):
    lines = re.findall(r"^(\w+):[ \t]*(.*)$", path.read_text(), re.M)
    return {key: value.strip() for key, value in lines}


def cases():
    for path in sorted(SCENARIOS.glob("*/*.scn")):
        allowed = headers(path).get("transport", "all")
        for transport in TRANSPORTS:
            if allowed == "all" or transport in allowed.split() or (transport != "tcp" and "sctp" in allowed.split()):
                # one transport is enough for the sanitizers: what differs between them has tests of its own
                yield pytest.param(path, transport, id=f"{path.relative_to(SCENARIOS).with_suffix('')}-{transport}",
                                   marks=[pytest.mark.sanitized] if transport == TRANSPORTS[0] else [])


def fill_in(text, ports, transport):
    values = {"CONSOLE": ports.console, "GATEWAY": ports.gateway, "UDP": ports.udp, "LOCAL_UDP": ports.local_udp,
              "PEER": ports.peer, "TRANSPORT": transport}

    def value(match):
        return str(values[match[1]] + int(match[2])) if match[2] else str(values[match[1]])

    return re.sub(r"@(\w+?)(?:\+(\d+))?@", value, text)


def play(path, transport, start_daemon):
    ports = Ports(PEERS)
    config = SCENARIOS / "configs" / (headers(path)["config"] + ".conf")
    text = fill_in(config.read_text(), ports, transport)
    daemon = start_daemon(text, ports.console)
    if "listeners" in text:
        wait_for(lambda: ": listening" in daemon.log(), 15, "it listens")
    return subprocess.run(
        [str(BUILD / "ss7sim"), "--script", str(path.relative_to(TOP)), "--quiet", "--patience", str(SCRIPT_PATIENCE),
         "--transport", transport, "--gateway", "127.0.0.1", "--port", str(ports.gateway),
         "--udp-port", str(ports.udp), "--local-udp-port", str(ports.local_udp), "--set", f"peer={ports.peer}", "--set", f"console={ports.console}"],
        cwd=TOP, capture_output=True, text=True, timeout=60 * PATIENCE, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("path, transport", cases())
def test_scenario(path, transport, start_daemon):
    for _ in range(ATTEMPTS):
        done = play(path, transport, start_daemon)
        if done.returncode != INCONCLUSIVE:
            break
    assert done.returncode == 0, "\n" + done.stderr


def test_every_scenario_says_what_it_is_for():
    for path in SCENARIOS.glob("*/*.scn"):
        assert {"purpose", "clause", "config"} <= headers(path).keys(), path
