# SPDX-License-Identifier: GPL-2.0-or-later
"""What really goes over the wire between the daemon and ss7sim decodes in Wireshark's dissector without a complaint."""
import signal
import subprocess
import sys

import pytest

from conftest import PATIENCE, TOP, TRANSPORT, Ports, sim_args, two_as_config, wait_for
from test_ss7 import Lab

sys.path.insert(0, str(TOP / "tests" / "tools"))
from tshark_oracle import _dissect, tshark_check_pcap  # noqa: E402


@pytest.fixture
def capture(tmp_path):
    """capture(filter) -> path of what the loopback carries until stop() is called."""
    running = []

    def start(text):
        path = tmp_path / "wire.pcap"
        err = open(tmp_path / "dumpcap.err", "wb+")
        proc = subprocess.Popen(["dumpcap", "-q", "-P", "-i", "lo", "-f", text, "-w", str(path)],
                                stdout=subprocess.DEVNULL, stderr=err)
        running.append(proc)
        wait_for(lambda: path.exists() and path.stat().st_size > 0, 10, "dumpcap writes")

        def stop():
            proc.send_signal(signal.SIGINT)
            proc.wait(10)
            return path
        return stop

    yield start
    for proc in running:
        if proc.poll() is None:
            proc.kill()
            proc.wait()


def types_seen(path, udp_port):
    """(class, type) of every M3UA message in a capture."""
    seen = set()
    for packet in _dissect(path, udp_port).iter("packet"):
        for m3ua in packet.iter("proto"):
            if m3ua.get("name") == "m3ua":
                values = {f.get("name"): int(f.get("show")) for f in m3ua.iter("field")
                          if f.get("name") in ("m3ua.message_class", "m3ua.message_type")}
                seen.add((values["m3ua.message_class"], values["m3ua.message_type"]))
    return seen


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
def test_a_life_of_two_ass_decodes(start_daemon, start_sim, capture):
    """Coming up, traffic, an ASP leaving and returning, an AS going away (DUNA) and coming back (DAVA), leave-taking."""
    ports = Ports()
    stop = capture(f"udp port {ports.udp}")
    daemon = start_daemon(two_as_config(ports, extra_as="recovery-time = 200;"), ports.console)
    rate = 20 / PATIENCE
    run = start_sim(sim_args(ports) + [
        "--flow", f"from=hlr,to=msc,rate={rate:g},sls=0-15,size=ss7", "--flow", f"from=msc,to=hlr,rate={rate:g},sls=0-15",
        "--at", "1s:msc-1:aspia", "--at", "2s:msc-1:aspac", "--at", "3s:msc:aspdn", "--at", "4s:msc:aspup",
        "--duration", 6])
    status, _, text = run.finish()
    assert status in (0, 1), text  # while msc was away its messages were lost, as they should be
    assert daemon.stop() == 0
    path = stop()
    assert tshark_check_pcap(path, udp_port=ports.udp) == []
    wanted = {"DATA": (1, 1), "DUNA": (2, 1), "DAVA": (2, 2), "ASPUP ACK": (3, 4), "ASPDN ACK": (3, 5),
              "ASPAC ACK": (4, 3), "ASPIA ACK": (4, 4), "NTFY": (0, 1)}
    seen = types_seen(path, ports.udp)
    assert not [name for name, code in wanted.items() if code not in seen]


@pytest.mark.skipif(TRANSPORT != "embedded", reason="captures SCTP in UDP")
@pytest.mark.parametrize("variant", ["itu", "ansi", "china"])
def test_what_goes_over_links_decodes(start_daemon, start_sim, capture, variant):
    """A link that is lost and comes back, prohibited destinations both ways."""
    net = Lab(start_daemon, start_sim, variant)
    stop = capture(f"udp port {net.ports.udp}")
    run = net.start(flows=net.both_ways(rate=20 / PATIENCE), duration=3, events=(
        "300ms:stp.0:drop", "500ms:stp:tfp=3-3-3", "800ms:stp:tfa=3-3-3", "1s:stp.0:connect", "1200ms:msc:aspia",
        "1800ms:msc:aspac"))
    net.judged(run)
    assert net.daemon.stop() == 0
    assert tshark_check_pcap(stop(), udp_port=net.ports.udp) == []
