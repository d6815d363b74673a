# SPDX-License-Identifier: GPL-2.0-or-later
"""ss7sim judged: against a relay that behaves it must pass, against one that misbehaves it must say how.

The relay is tests/tools/m3ua_relay.py, over TCP: nothing of the gateway takes part."""
import signal
import socket
import subprocess
import sys

import pytest

from conftest import BUILD, PATIENCE, TOP, free_port, wait_for

HLR, MSC = 1 << 11 | 2 << 3 | 3, 1 << 11 | 2 << 3 | 4  # 1-2-3 and 1-2-4


class Relay:
    def __init__(self, modes=("loadshare", "loadshare"), faults=()):
        self.port = free_port()
        args = [sys.executable, str(TOP / "tests/tools/m3ua_relay.py"), "--port", str(self.port),
                "--as", f"10:{HLR}:{modes[0]}", "--as", f"20:{MSC}:{modes[1]}"]
        for fault in faults:
            args += ["--fault", fault]
        self.proc = subprocess.Popen(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.proc.stdout.readline() == "ready\n", self.proc.stderr.read()

    def stop(self):
        assert self.proc.poll() is None, self.proc.stderr.read()
        self.proc.kill()
        self.proc.communicate()


@pytest.fixture
def relay():
    started = []

    def start(**args):
        started.append(Relay(**args))
        return started[-1]

    yield start
    for r in started:
        r.stop()


def ass(asps=2, extra="", asps_msc=None):
    return ["--as", f"name=hlr,rc=10,pc=1-2-3,asps={asps}{extra}",
            "--as", f"name=msc,rc=20,pc=1-2-4,asps={asps if asps_msc is None else asps_msc}{extra}"]


def gateway(relay_):
    return ["--transport", "tcp", "--gateway", "127.0.0.1", "--port", relay_.port, "--drain", "1s",
            "--settle", "20ms"]


def both(more="rate=1000,count=500"):
    return ["--flow", f"from=hlr,to=msc,{more}", "--flow", f"from=msc,to=hlr,{more}"]


def failed(run, code, count, flow="hlr>msc"):
    status, verdict, text = run.finish()
    assert status == 1 and verdict["verdict"] == "fail", text
    assert verdict["reasons"] == [{"reason": code, "flow": flow, "count": count}], text
    assert f"FAIL: {count} {code} in {flow}" in text
    return verdict


@pytest.mark.sanitized
@pytest.mark.parametrize("flow", ["size=100", "size=40-272,spacing=poisson", "size=ss7,si=5", "sls=0-255", "sls=3/10"])
def test_a_faithful_relay_passes(relay, start_sim, flow):
    run = start_sim(gateway(relay()) + ass() + both("rate=1000,count=500," + flow))
    status, verdict, text = run.finish()
    assert status == 0 and verdict["verdict"] == "pass" and verdict["reasons"] == [], text
    for f in verdict["flows"]:
        assert f["sent"] == f["received"] == f["latency_ns"]["samples"] == 500
        assert 0 < f["latency_ns"]["p50"] <= f["latency_ns"]["p99"] <= f["latency_ns"]["max"]
    assert verdict["totals"]["received"] == 1000
    assert all(a["state"] == "active" and a["rx_data"] and a["tx_data"] for a in verdict["asps"])


@pytest.mark.sanitized
@pytest.mark.parametrize("fault,code", [("drop", "lost"), ("swap", "reordered"), ("repeat", "repeated"),
                                        ("flip", "corrupted"), ("flip-sls", "mislabelled")])
def test_one_fault_is_found_and_named(relay, start_sim, fault, code):
    run = start_sim(gateway(relay(faults=[f"{fault}:{MSC}:200"])) + ass() + both())
    failed(run, code, 1)


def test_every_fault_is_counted(relay, start_sim):
    faults = [f"drop:{MSC}:{n}" for n in (100, 150, 500)]  # the last message of a flow counts, too
    verdict = failed(start_sim(gateway(relay(faults=faults)) + ass() + both()), "lost", 3)
    assert verdict["flows"][0]["lost"] == 3 and verdict["flows"][1]["lost"] == 0


def test_a_message_at_the_wrong_application_server(relay, start_sim):
    run = start_sim(gateway(relay(faults=[f"stray:{MSC}:200"])) + ass() + both())
    status, verdict, text = run.finish()
    assert status == 1, text
    assert {"reason": "misrouted", "flow": None, "count": 1} in verdict["reasons"]
    assert verdict["flows"][0]["lost"] == 1


def test_as_fast_as_it_can_stays_within_its_window(relay, start_sim):
    run = start_sim(gateway(relay()) + ass() + both("rate=max,window=200") + ["--duration", 1])
    status, verdict, text = run.finish()
    assert status == 0, text
    assert verdict["totals"]["received"] > 500


def test_a_window_opens_again_after_a_loss(relay, start_sim):
    run = start_sim(gateway(relay(faults=[f"drop:{MSC}:{n}" for n in range(10, 14)])) + ass() +
                    ["--flow", "from=hlr,to=msc,rate=max,window=4,count=100"])
    verdict = failed(run, "lost", 4)
    assert verdict["flows"][0]["sent"] == 100


@pytest.mark.parametrize("faults,code,count", [((), None, 0), ((f"drop:{MSC}:50",), "lost", 2)])
def test_broadcast_is_due_at_every_asp(relay, start_sim, faults, code, count):
    run = start_sim(gateway(relay(modes=("loadshare", "broadcast"), faults=faults)) + ass()[:2] +
                    ["--as", "name=msc,rc=20,pc=1-2-4,asps=2,mode=broadcast", "--flow",
                     "from=hlr,to=msc,rate=1000,count=200"])
    if code:
        failed(run, code, count)
        return
    status, verdict, text = run.finish()
    assert status == 0, text
    assert verdict["flows"][0]["received"] == 400


def test_override_leaves_the_others_standing_by(relay, start_sim):
    run = start_sim(gateway(relay(modes=("override", "override"))) + ass(extra=",mode=override") + both())
    status, verdict, text = run.finish()
    assert status == 0, text
    assert [a["state"] for a in verdict["asps"]] == ["active", "inactive"] * 2


def test_takeover_in_override_mode(relay, start_sim):
    run = start_sim(gateway(relay(modes=("override", "override"))) + ass(extra=",mode=override") +
                    both("rate=500,count=500") + ["--at", "300ms:msc-2:aspac"])
    _, verdict, text = run.finish()
    by_name = {a["name"]: a for a in verdict["asps"]}
    assert by_name["msc-1"]["state"] == "inactive" and by_name["msc-2"]["state"] == "active", text
    assert by_name["msc-1"]["rx_data"] and by_name["msc-2"]["rx_data"]


def test_sls_move_in_order_when_asps_leave_and_return(relay, start_sim):
    run = start_sim(gateway(relay()) + ass() + ["--flow", "from=hlr,to=msc,rate=1000"] +
                    ["--at", "300ms:hlr-1:aspia", "--at", "600ms:hlr-1:aspac", "--at", "900ms:hlr-2:aspdn",
                     "--duration", "1.5"])
    status, verdict, text = run.finish()
    assert status == 0, text
    by_name = {a["name"]: a for a in verdict["asps"]}
    assert by_name["hlr-1"]["state"] == "active" and by_name["hlr-2"]["state"] == "down"
    assert by_name["hlr-1"]["tx_data"] > 500 and by_name["hlr-2"]["tx_data"] > 300


@pytest.mark.parametrize("action,state", [("abort", "off"), ("shutdown", "off")])
def test_an_association_ends_and_comes_back_on_demand(relay, start_sim, action, state):
    run = start_sim(gateway(relay()) + ass() + both("rate=200") +
                    ["--at", f"200ms:hlr-1:{action}", "--at", f"200ms:hlr-2:{action}", "--at", "600ms:hlr-2:connect",
                     "--duration", 1])
    _, verdict, text = run.finish()
    by_name = {a["name"]: a for a in verdict["asps"]}
    assert by_name["hlr-1"]["state"] == state and by_name["hlr-2"]["state"] == "active", text
    assert by_name["hlr-2"]["associations"] == 2


def test_a_stalled_asp_delays_and_loses_nothing(relay, start_sim):
    run = start_sim(gateway(relay()) + ass() + both("rate=1000,count=1000") +
                    ["--at", "200ms:msc-1:stall", "--at", "700ms:msc-1:resume"])
    status, verdict, text = run.finish()
    assert status == 0, text
    delayed, other = (flow["latency_ns"] for flow in verdict["flows"])
    assert delayed["max"] > 400e6 and other["p99"] < .8 * delayed["max"], text  # all are as late as the relay is


def test_an_asp_that_stays_stalled_fails_the_run_and_leaves(relay, start_sim):
    run = start_sim(gateway(relay()) + ass() + both("rate=1000,count=500") + ["--at", "200ms:msc-1:stall"])
    status, verdict, text = run.finish(15)
    assert status == 1 and {r["reason"] for r in verdict["reasons"]} == {"lost"}, text
    assert verdict["totals"]["too_late"] == verdict["totals"]["lost"] > 50


@pytest.mark.parametrize("obeys", [True, False])
def test_duna_pauses_a_flow_that_obeys(relay, start_sim, obeys):
    run = start_sim(gateway(relay()) + ass(asps=1) + ["--flow", "from=hlr,to=msc,rate=1000", "--duration", 1] +
                    ["--at", "200ms:msc:aspia", "--at", "700ms:msc:aspac"] + (["--obey-ssnm"] if obeys else []))
    _, verdict, text = run.finish()
    flow = verdict["flows"][0]
    assert verdict["asps"][0]["ssnm"] == 2, text
    if obeys:
        assert flow["sent"] < 900 and flow["lost"] < 400 and flow["unsent"] == 0, text
    else:
        assert flow["sent"] == 1000 and flow["lost"] > 100, text


def test_beats_are_sent_and_answered(relay, start_sim):
    run = start_sim(gateway(relay()) + ass(extra=",beat=50ms") + both("rate=100,count=50") + ["-v"])
    status, verdict, text = run.finish()
    assert status == 0 and "BEAT_ACK" in text, text
    assert all(a["beat"] >= a["beat_ack"] >= 2 for a in verdict["asps"]), text


def test_two_processes_share_a_flow(relay, start_sim):
    r = relay()
    receiver = start_sim(gateway(r) + ass(asps=0, asps_msc=2) + ["--flow", "from=hlr,to=msc,count=500"] +
                         ["--duration", 5])
    sender = start_sim(gateway(r) + ["--settle", "1s"] + ass(asps=2, asps_msc=0) +
                       ["--flow", "from=hlr,to=msc,rate=1000,count=500"])
    status, verdict, text = sender.finish()
    assert status == 0 and verdict["flows"][0]["sent"] == 500, text
    status, verdict, text = receiver.finish()
    assert status == 0 and verdict["flows"][0]["received"] == 500, text


def test_two_hundred_asps(relay, start_sim):
    run = start_sim(gateway(relay()) + ass(asps=100) + both("rate=1000,count=1000,sls=0-255"))
    status, verdict, text = run.finish()
    assert status == 0, text
    assert len(verdict["asps"]) == 200 and all(a["state"] == "active" for a in verdict["asps"])


def test_no_gateway_is_status_two_and_says_why(start_sim):
    run = start_sim(["--transport", "tcp", "--gateway", "127.0.0.1", "--port", free_port(), "--connect-timeout", "500ms"]
                    + ass() + both())
    status, verdict, text = run.finish()
    assert status == 2 and verdict is None
    assert "4 ASPs did not come up" in text and "refused" in text


def test_a_refused_routing_context_is_status_two_and_named(relay, start_sim):
    run = start_sim(gateway(relay()) + ["--connect-timeout", "2s", "--as", "name=hlr,rc=99,pc=1-2-3"])
    status, _, text = run.finish()
    assert status == 2 and "Invalid Routing Context" in text


def test_the_first_signal_ends_the_traffic_in_order(relay, start_sim):
    run = start_sim(gateway(relay()) + ass() + both("rate=500"))
    wait_for(lambda: "running" in run.err_path.read_text(), 10, "it runs")
    run.proc.send_signal(signal.SIGINT)
    status, verdict, text = run.finish(10)
    assert status == 0 and verdict["totals"]["received"] == verdict["totals"]["sent"] > 100, text


def test_a_gateway_that_hangs_loses_and_does_not_block_the_end(start_sim):
    """Accepts, and never answers: T(ack) repeats, the timeout ends it."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        run = start_sim(["--transport", "tcp", "--gateway", "127.0.0.1", "--port", mute.getsockname()[1],
                         "--connect-timeout", "1s", "--t-ack", "200ms", "-v"] + ass(asps=1) + both())
        status, _, text = run.finish(20)
    assert status == 2 and text.count("> ASPUP") >= 6, text


@pytest.mark.parametrize("args,complaint", [
    ([], "needs --gateway"),
    (["--gateway", "nowhere", "--as", "name=a"], "--gateway"),
    (["--gateway", "127.0.0.1", "--as", "name=a,rc=-1"], "rc"),
    (["--gateway", "127.0.0.1", "--as", "name=a,colour=red"], "colour"),
    (["--gateway", "127.0.0.1", "--as", "name=a,pc=1-2-3", "--flow", "from=a,to=b"], '"b"'),
    (["--gateway", "127.0.0.1", "--as", "name=a,pc=1-2-3", "--flow", "from=a,to=a,size=5"], "size"),
    (["--gateway", "127.0.0.1", "--as", "name=a,pc=1-2-3", "--at", "2s:a-2:aspia"], "--at"),
    (["--bogus"], "--bogus"),
])
def test_usage_errors_are_status_two_and_clear(args, complaint):
    run = subprocess.run([str(BUILD / "ss7sim")] + args, capture_output=True, text=True, timeout=10 * PATIENCE)
    assert run.returncode == 2 and complaint in run.stderr and run.stderr.startswith("ss7sim: "), run.stderr
