#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`make bench`: the figures of doc/benchmarks.md, measured on this machine in one run.

Ratios compare the gateway with relay-floor (the same transport, buffers and loop pass without gateway logic) in turns,
and medians are quoted. Nothing here is part of ./check: machines are noisy, and a figure is not a verdict. With --quick
each figure is taken once, shortly (does the benchmark itself still run?)."""
import argparse
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "integration"))
from conftest import BUILD, TOP, Daemon, Ports, Sim, two_as_config, wait_for  # noqa: E402

TICK = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    """User and system time of all its threads."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def rss_bytes(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text()).group(1)) * 1024


def find(tree, key):
    """The first value of KEY anywhere in a JSON tree."""
    if isinstance(tree, dict):
        if key in tree:
            return tree[key]
        tree = list(tree.values())
    if isinstance(tree, list):
        return next((v for v in (find(t, key) for t in tree) if v is not None), None)
    return None


class Gateway:
    name = "gateway"
    contexts = (10, 20)

    def __init__(self, directory, ports, transport="embedded"):
        self.daemon = Daemon(directory, two_as_config(ports, transport, workers=1, asps=1), ports.console).start()
        self.pid = self.daemon.proc.pid

    def stop(self):
        self.daemon.stop()


class Floor:
    name = "floor"
    contexts = (10, 10)  # it relays DATA as it is: one Routing Context for both

    def __init__(self, directory, ports, transport="embedded"):
        self.proc = subprocess.Popen(
            [str(BUILD / "relay-floor"), "--transport", transport, "--listen", "127.0.0.1", "--port",
             str(ports.gateway), "--udp-port", str(ports.udp)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.proc.pid

    def stop(self):
        self.proc.send_signal(signal.SIGTERM)
        self.proc.wait(10)


def sim(directory, ports, rate, seconds, transport, contexts):
    return Sim(directory, [
        "--transport", transport, "--gateway", "127.0.0.1", "--port", ports.gateway, "--udp-port", ports.udp,
        "--local-udp-port", ports.local_udp, "--quiet",
        "--as", f"name=hlr,rc={contexts[0]},pc=1-2-3,asps=1,local-port={ports.peer}",
        "--as", f"name=msc,rc={contexts[1]},pc=1-2-4,asps=1,local-port={ports.peer + 1}",
        "--flow", f"from=hlr,to=msc,rate={rate},size=100,sls=0-15",
        "--flow", f"from=msc,to=hlr,rate={rate},size=100,sls=0-15", "--duration", seconds])


def traffic(relay_class, rate, seconds, transport="embedded"):
    """CPU per message (us) of the relay, and latency percentiles (us), at `rate` messages/s each way."""
    with tempfile.TemporaryDirectory() as directory:
        ports = Ports()
        relay = relay_class(directory, ports, transport)
        try:
            before = cpu_seconds(relay.pid)
            run = sim(directory, ports, rate, seconds, transport, relay.contexts)
            status, verdict, text = run.finish(seconds + 30)
            spent = cpu_seconds(relay.pid) - before
        finally:
            relay.stop()
        if status != 0:
            sys.exit(f"{relay_class.name}: the simulator's verdict is bad\n{text}")
        latency = [f["latency_ns"] for f in verdict["flows"]]
        return {"cpu": spent * 1e6 / verdict["totals"]["received"],
                "p50": statistics.mean(x["p50"] for x in latency) / 1e3,
                "p99": statistics.mean(x["p99"] for x in latency) / 1e3}


def in_turns(rate, seconds, runs, transport="embedded"):
    """Medians of both, and of the ratio run by run."""
    pairs = [(traffic(Gateway, rate, seconds, transport), traffic(Floor, rate, seconds, transport)) for _ in range(runs)]

    def median(f):
        return statistics.median(f(g, fl) for g, fl in pairs)

    return {"gateway": {k: median(lambda g, _: g[k]) for k in ("cpu", "p50", "p99")},
            "floor": {k: median(lambda _, fl: fl[k]) for k in ("cpu", "p50", "p99")},
            "cpu_ratio": median(lambda g, fl: g["cpu"] / fl["cpu"])}


def memory(streams, associations):
    """Bytes of resident memory per idle association, and of those the gateway's own."""
    with tempfile.TemporaryDirectory() as directory:
        ports = Ports(peers=2 * associations)
        sctp = f"out-streams = {streams}; max-in-streams = 65535;"
        daemon = Daemon(directory, two_as_config(ports, asps=associations // 2, sctp=sctp), ports.console).start()
        try:
            before = rss_bytes(daemon.proc.pid)
            args = ["--transport", "embedded", "--gateway", "127.0.0.1", "--port", ports.gateway, "--udp-port",
                    ports.udp, "--local-udp-port", ports.local_udp, "--quiet", "--streams", streams,
                    "--max-in-streams", 65535, "--connect-timeout", "60s",
                    "--as", f"name=hlr,rc=10,pc=1-2-3,asps={associations // 2},local-port={ports.peer}",
                    "--as", f"name=msc,rc=20,pc=1-2-4,asps={associations // 2},local-port={ports.peer + associations // 2}",
                    "--flow", "from=hlr,to=msc,rate=1", "--duration", "120s"]
            run = Sim(directory, args)
            rows = wait_for(lambda: (lambda r: r if len(r) == associations and
                                     all(a["state"] == "ASP-ACTIVE" for a in r) else None)(
                daemon.show("show asp")["asps"]), 60, "all ASPs active", every=0.5)
            assert rows
            after = rss_bytes(daemon.proc.pid)
            own = [find(daemon.show(f"show association {a['name']}"), "memory") for a in rows]
            run.proc.kill()
            run.proc.communicate()
            return (after - before) / associations, statistics.mean(own)
        finally:
            daemon.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="once and shortly")
    parser.add_argument("--json", help="write the figures there, too")
    o = parser.parse_args()
    runs, seconds = (1, 2) if o.quick else (5, 5)
    figures = {}

    print("Forwarding alone (callgrind, instructions per message)", flush=True)
    subprocess.run([str(TOP / "tests/bench/forward_cost.sh"), str(BUILD / "forward-cost")], check=False)
    print(f"\nRelay over the embedded transport, 2 associations, 100 bytes (medians of {runs})", flush=True)
    for rate in (10000, 30000):
        f = figures[f"relay-{rate}"] = in_turns(rate, seconds, runs)
        print(f"{2 * rate:>7}/s  CPU us/message: gateway {f['gateway']['cpu']:.2f}, floor {f['floor']['cpu']:.2f}, "
              f"ratio {f['cpu_ratio']:.2f} (goal 1.30)", flush=True)
        if rate == 10000:
            print(f"          added latency: p50 {f['gateway']['p50'] - f['floor']['p50']:+.0f} us, "
                  f"p99 {f['gateway']['p99'] - f['floor']['p99']:+.0f} us "
                  f"(gateway {f['gateway']['p50']:.0f} / {f['gateway']['p99']:.0f}, "
                  f"floor {f['floor']['p50']:.0f} / {f['floor']['p99']:.0f})", flush=True)
    print("\nMemory per idle association, embedded transport (resident; of which the gateway's own)", flush=True)
    for streams, associations in ((16, 100), (65535, 10)):
        whole, own = figures[f"memory-{streams}"] = memory(streams, associations)
        print(f"{streams:>7} streams: {whole / 1024:.1f} KiB, own {own / 1024:.1f} KiB", flush=True)
    if o.json:
        pathlib.Path(o.json).write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
