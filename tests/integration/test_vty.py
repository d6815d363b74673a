# SPDX-License-Identifier: GPL-2.0-or-later
"""The console of a real daemon with real peers: transcripts, JSON against text, and the transcript player itself.

Regenerate the transcripts with `VTY_UPDATE=1 python3 -m pytest tests/integration/test_vty.py`, and look at the diff."""
import os
import pathlib
import re
import socket
import sys
import threading

import pytest

from conftest import TOP, TRANSPORT, Ports, sim_args, two_as_config, wait_for

sys.path.insert(0, str(TOP / "tests" / "tools"))
import vty_transcript  # noqa: E402
from test_ss7 import Lab  # noqa: E402

HERE = pathlib.Path(__file__).parent / "vty"
UPDATE = os.environ.get("VTY_UPDATE") == "1"

pytestmark = pytest.mark.sanitized


# ---- the player: it must be able to fail ----

class FakeConsole:
    """Answers commands from a table, the way a VTY does: echo, answer, prompt."""

    def __init__(self, answers):
        self.answers = answers
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            with peer, peer.makefile("rb") as lines:
                peer.sendall(b"\xff\xfb\x01\xff\xfb\x03Welcome\r\ngw1> ")
                for line in lines:
                    command = line.decode().strip()
                    answer = "".join(text + "\r\n" for text in self.answers[command])
                    peer.sendall(f"{command}\r\n{answer}gw1> ".encode())

    def close(self):
        self.listener.close()


@pytest.fixture
def fake():
    console = FakeConsole({"show x": ["a      12", "since  3.5 s", "why    whatever"], "show none": []})
    yield console
    console.close()


def transcript(tmp_path, *lines):
    path = tmp_path / "t.vty"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_transcript_with_placeholders_matches(fake, tmp_path):
    path = transcript(tmp_path, "# what it is about", "gw1> show x", "a {n}", "since {time}", "why {any}",
                      "gw1> show none", "gw1> show x", "...", "why    whatever", "gw1> show x", "a 12", "...")
    assert vty_transcript.play(fake.port, path) == []


@pytest.mark.parametrize("lines", [
    ("a      13", "since  3.5 s", "why    whatever"),
    ("a      12", "since  3.5 s"),
    ("a      12", "since  3.5 s", "why    whatever", "more"),
    ("a      {time}", "since  3.5 s", "why    whatever"),
    ("...", "a 12"),
    (),
])
def test_a_transcript_that_differs_is_reported(fake, tmp_path, lines):
    path = transcript(tmp_path, "gw1> show x", *lines)
    before = path.read_text()
    assert len(vty_transcript.play(fake.port, path)) == 1
    assert path.read_text() == before


def test_another_prompt_is_a_difference(fake, tmp_path):
    assert vty_transcript.play(fake.port, transcript(tmp_path, "gw1# show none"))


def test_update_keeps_comments_and_placeholders_and_then_matches(fake, tmp_path):
    path = transcript(tmp_path, "# kept", "gw1> show x", "a {n}", "gone")
    vty_transcript.play(fake.port, path, update=True)
    assert path.read_text() == "# kept\ngw1> show x\na {n}\nsince  {time}\nwhy    whatever\n"
    assert vty_transcript.play(fake.port, path) == []


# ---- a real daemon ----

def active(daemon):
    return all(asp["state"] == "ASP-ACTIVE" for asp in daemon.show("show asp")["asps"])


# A neighbour that never comes.
NEIGHBOUR = """
links = ( { name = "stp-0"; remote-addresses = ( "127.9.9.9" ); inactive = true; } );
linksets = ( { name = "stp"; network = "national"; adjacent = "2-2-2"; links = ( "stp-0" ); } );
"""
GUESTS = 'peer-templates = ( { name = "lab"; prefix = "127.9.0.0/16"; rkm = "match"; } );'


@pytest.fixture
def gateway(start_daemon, start_sim):
    """A daemon with four active ASPs and a little traffic."""
    ports = Ports()
    daemon = start_daemon(two_as_config(ports) + GUESTS + NEIGHBOUR, ports.console)
    daemon.sim = start_sim(sim_args(ports) + ["--flow", "from=hlr,to=msc,rate=50,si=3,sls=0-15", "--flow",
                                              "from=msc,to=hlr,rate=50,si=3,sls=0-15", "--duration", 120])
    wait_for(lambda: active(daemon), 20, "all ASPs are active")
    wait_for(lambda: daemon.show("show statistics")["totals"]["counters"]["tx-data"] > 10, 20, "traffic flows")
    return daemon


def played(daemon, name):
    faults = vty_transcript.play(daemon.console_port, HERE / name, UPDATE)
    assert UPDATE or not faults, "\n\n".join(faults)


@pytest.mark.skipif(TRANSPORT != "embedded", reason="the transcripts were written on the embedded transport")
def test_transcript_of_show(gateway):
    played(gateway, "show.vty")


def test_transcript_of_operate(gateway):
    played(gateway, "operate.vty")


# ---- the SS7 side ----

@pytest.fixture
def linked(start_daemon, start_sim):
    """A daemon with two links in service, and a node that keeps them so."""
    if TRANSPORT == "tcp":
        pytest.skip("M2PA needs two streams")
    lab = Lab(start_daemon, start_sim)
    lab.start(flows=[], duration=120)
    wait_for(lambda: [a["state"] for a in lab.daemon.show("show asp")["asps"]] == ["ASP-ACTIVE"] * 4, 20, "ASPs are active")
    wait_for(lambda: share(lab.daemon) == {"stp-0": 8, "stp-1": 8}, 20, "both links carry their share")
    wait_for(lambda: at_rest(lab.daemon), 20, "the restarts of both ends are over, and what they said is acknowledged")
    return lab.daemon


def at_rest(daemon):
    linkset = daemon.show("show linkset ls-stp")["linkset"]
    return (linkset["state"], linkset["neighbour"], linkset["restart"]) == ("up", "up", "done") and not any(
        link(daemon, name)["unacknowledged"] for name in ("stp-0", "stp-1"))


def links(daemon):
    return {link["name"]: link for link in daemon.show("show link")["links"]}


def share(daemon):
    return {name: link["buckets"] for name, link in links(daemon).items() if link["available"]}


def link(daemon, name="stp-0"):
    return daemon.show(f"show link {name}")["link"]


@pytest.mark.skipif(TRANSPORT != "embedded", reason="the transcripts were written on the embedded transport")
def test_transcript_of_ss7(linked):
    played(linked, "ss7.vty")


# operation, and what `show link` says when it has taken effect
OPERATIONS = [
    ("inhibit", {"state": "active", "available": False, "available-reason": "inhibited", "inhibited-local": True, "buckets": 0}),
    ("uninhibit", {"available": True, "inhibited-local": False, "buckets": 8}),
    ("test", {"state": "active", "reason": "uninhibited"}),
    ("processor-outage", {"available": False, "local-outage": True, "reason": "local processor outage",
                          "level-2": "local processor outage", "buckets": 0}),
    ("processor-outage clear", {"available": True, "local-outage": False, "level-2": "in service", "buckets": 8}),
    ("deactivate", {"state": "inactive", "available": False, "reason": "deactivated", "buckets": 0}),
    ("activate", {"state": "active", "available": True, "buckets": 8}),
    ("emergency", {"state": "active", "emergency-ordered": True}),
    ("emergency clear", {"state": "active", "emergency-ordered": False}),
    ("restart", {"state": "active", "available": True, "buckets": 8, "association-reason": None}),
]


def test_operating_a_link_is_done_and_seen(linked):
    console = linked.console()
    console.run("enable")
    for operation, shown in OPERATIONS:
        before = link(linked)
        answer = console.json(f"link stp-0 {operation}")
        assert list(answer) == ["done"] and answer["done"].startswith("link stp-0 "), (operation, answer)
        if operation == "restart":
            wait_for(lambda: link(linked)["level-2-counters"]["starts"] > before["level-2-counters"]["starts"], 10, "it aligns")
        wait_for(lambda: {key: link(linked)[key] for key in shown} == shown, 20, f"{operation}: {shown}")
    end = link(linked)
    counted = end["level-3-counters"]
    assert counted["local-inhibits"] == 1 and counted["test-failures"] == 0 and counted["tests"] >= 3, counted
    assert counted["changeovers"] >= 3 and counted["changebacks"] >= 3, counted
    assert end["level-2-counters"]["local-outages"] == 1 and end["traffic"]["tx-data"] > 0, end
    console.close()


def test_what_cannot_be_done_to_a_link_is_refused(linked):
    console = linked.console()
    console.run("enable")
    console.run("link stp-0 deactivate")
    wait_for(lambda: link(linked)["state"] == "inactive", 10, "stp-0 is inactive")
    for operation, why in (("test", "it is not active"), ("processor-outage", "it is not in service")):
        assert console.json(f"link stp-0 {operation}") == {"error": f"link stp-0: {why}"}
    assert "denied" in console.json("link stp-1 inhibit")["error"]
    assert link(linked, "stp-1")["inhibit-reason"] == "a destination needs the link"
    console.close()


# ---- every command ----

def commands(daemon):
    """Every show command that has a JSON twin, with arguments that fit, without `json`."""
    fill = {"NETWORK": "national", "OPC": "1-2-4", "DPC": "1-2-3", "SI": "sccp", "SLS": "3"}
    for line in daemon.run("list")[0].splitlines():
        words = line.split()
        if words[:1] == ["show"] and words[-1] == "json":
            fill["NAME"] = {"as": "hlr", "linkset": "stp", "link": "stp-0", "network": "national"}.get(words[1], "hlr-1")
            yield " ".join(fill.get(w, w) for w in words[:-1])


def leaves(value, key=None):
    """(key, value) of every field below."""
    if isinstance(value, dict):
        for k, v in value.items():
            yield from leaves(v, k)
    elif isinstance(value, list):
        for v in value:
            yield from leaves(v, key)
    else:
        yield key, value


def test_json_of_every_show_parses_and_says_what_text_says(gateway):
    names = list(commands(gateway))
    assert len(names) >= 20
    for command in names:
        fields = list(leaves(gateway.show(command)))
        text = gateway.run(command)[0]
        squeezed = re.sub(r"\s+", " ", text)
        assert fields and text, command
        for key, value in fields:
            # numbers move between the two commands; words do not
            if isinstance(value, str):
                assert re.sub(r"\s+", " ", value) in squeezed, (command, key, value)


def test_the_reference_page_has_every_command(gateway):
    page = (TOP / "doc" / "console.md").read_text()
    for line in gateway.run("list")[0].splitlines():
        command = line.strip()
        if command.startswith("show") and command.endswith(" json"):
            assert f"`{command[:-5]}`" in page, command


def test_blocking_is_seen_everywhere(gateway):
    console = gateway.console()
    console.run("enable")
    console.run("asp hlr-1 block")
    wait_for(lambda: gateway.show("show as hlr")["application-server"]["active"] == 1, 10, "hlr-1 has left its AS")
    asp = gateway.show("show asp hlr-1")["asp"]
    assert asp["blocked"] and asp["state"] == "ASP-INACTIVE"
    lookup = gateway.show("show route lookup national 1-2-4 1-2-3 sccp 3")["lookup"]
    assert [a["name"] for a in lookup["asps"]] == ["hlr-2"]
    console.close()


def test_the_prompt_follows_a_reload(start_daemon):
    ports = Ports()
    config = two_as_config(ports)
    daemon = start_daemon(config, ports.console)
    daemon.reload(config.replace('name = "gw1"', 'name = "gw2"'))

    def prompt():
        vty = vty_transcript.Telnet("127.0.0.1", ports.console)
        vty.close()
        return vty.prompt

    wait_for(lambda: prompt() == "gw2> ", 10, "the prompt is gw2>")


def test_garbage_on_the_console_does_not_disturb_the_gateway(gateway):
    noise = bytes((i * 167 + 13) % 256 for i in range(5000))
    for data in (b"a" * 200000 + b"\n", b"show " * 20000 + b"\n", noise * 4, b"\xff\xfa\x1f" + b"\x00" * 5000,
                 b"show statistics json\n" * 50):
        with socket.create_connection(("127.0.0.1", gateway.console_port), timeout=10) as peer:
            try:
                peer.sendall(data)
            except OSError:
                pass  # it may well hang up
    assert active(gateway)
    before = gateway.show("show statistics")["totals"]["counters"]["tx-data"]
    wait_for(lambda: gateway.show("show statistics")["totals"]["counters"]["tx-data"] > before, 10, "traffic goes on")
    assert sum(d["total"] for d in gateway.show("show statistics drops")["drops"]) == 0
