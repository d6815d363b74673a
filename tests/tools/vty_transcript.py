#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Plays VTY transcripts against a running console and compares; -u rewrites what differs.

    vty_transcript.py [-u] [--host 127.0.0.1] PORT FILE...

A transcript is what a terminal would show: a line of prompt and command, then the answer, up to the next line with a
prompt. Lines before the first prompt, and lines that start with `# ` there, are comments. Blanks count as one (columns
move with the numbers in them). In an answer,

    {n}      is a number            {time}  is a time as the console writes it: 20 ms, 12.3 s, 00:12:03, 1d 00:12:03
    {any}    is any text            ...     on a line of its own is any number of lines

-u rewrites the answers that differ. It keeps their lines that still match, so hand-made placeholders survive (`...` does
not); in new lines it puts {time} for every time."""
import argparse
import pathlib
import re
import socket
import sys

PROMPT = re.compile(r"^[\w.-]+(\([\w-]+\))?[>#] ")
TIME = r"(?:\d+ ms|\d+\.\d s|(?:\d+d )?\d\d:\d\d:\d\d)"
PLACEHOLDERS = {"{n}": r"\d+", "{time}": TIME, "{any}": r".*?"}


class Telnet:
    """The least of a telnet client that a VTY needs."""

    def __init__(self, host, port, timeout=20):
        self.sock = socket.create_connection((host, port), timeout=timeout)
        self.banner, self.prompt = self.read()

    def read(self):
        """The text up to the next prompt, as lines, and the prompt."""
        data = b""
        while True:
            lines = self.plain(data).split("\n")
            if PROMPT.fullmatch(lines[-1]):
                return lines[:-1], lines[-1]
            part = self.sock.recv(65536)
            if not part:
                return lines, ""
            data += part

    @staticmethod
    def plain(data):
        """Without telnet's option negotiation (IAC verb option) and carriage returns."""
        data = re.sub(rb"\xff[\xfb-\xfe].", b"", data, flags=re.S)
        data = re.sub(rb"\xff(?:[\xfb-\xfe])?$", b"", data)
        return data.replace(b"\r", b"").replace(b"\x00", b"").decode(errors="replace")

    def run(self, command):
        self.sock.sendall(command.encode() + b"\n")
        prompt = self.prompt
        lines, self.prompt = self.read()
        # the VTY echoes the command on the first line
        return prompt, lines[1:] if lines and lines[0].strip() == command.strip() else lines

    def close(self):
        self.sock.close()


def parse(text):
    """(preamble lines, [[prompt, command, expected lines], ...])"""
    preamble, entries = [], []
    for line in text.splitlines():
        m = PROMPT.match(line)
        if m:
            entries.append([m.group(0), line[m.end():], []])
        elif entries:
            entries[-1][2].append(line)
        else:
            preamble.append(line)
    return preamble, entries


def squeeze(line):
    return re.sub(r"\s+", " ", line).strip()


def pattern(line):
    parts = re.split(r"(\{n\}|\{time\}|\{any\})", squeeze(line))
    return re.compile("".join(PLACEHOLDERS.get(p, re.escape(p)) for p in parts))


def line_matches(expected, actual):
    return pattern(expected).fullmatch(squeeze(actual)) is not None


def matches(expected, actual):
    """Whether the lines match, `...` standing for any number of lines."""
    if not expected:
        return not actual
    if expected[0].strip() == "...":
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    return bool(actual) and line_matches(expected[0], actual[0]) and matches(expected[1:], actual[1:])


def renew(expected, actual):
    """The lines of ACTUAL, each in the words of the first unused expected line that matches it."""
    unused = [line for line in expected if line.strip() != "..."]
    out = []
    for line in actual:
        kept = next((e for e in unused if line_matches(e, line)), None)
        if kept is not None:
            unused.remove(kept)
        out.append(kept if kept is not None else re.sub(TIME, "{time}", line).rstrip())
    return out


def play(port, path, update=False, host="127.0.0.1"):
    """Plays one file; returns what differs as a list of texts."""
    path = pathlib.Path(path)
    preamble, entries = parse(path.read_text())
    vty = Telnet(host, port)
    faults = []
    try:
        for entry in entries:
            expected_prompt, command, expected = entry
            prompt, actual = vty.run(command)
            if prompt == expected_prompt and matches(expected, actual):
                continue
            faults.append("\n".join([f"{path.name}: {expected_prompt}{command}", f"  prompt {prompt}"]
                                    + ["  - " + line for line in expected] + ["  + " + line for line in actual]))
            entry[0], entry[2] = prompt, renew(expected, actual)
    finally:
        vty.close()
    if update and faults:
        lines = preamble + [line for p, c, out in entries for line in [p + c] + out]
        path.write_text("\n".join(lines) + "\n")
    return faults


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("-u", "--update", action="store_true", help="rewrite what differs")
    args.add_argument("--host", default="127.0.0.1")
    args.add_argument("port", type=int)
    args.add_argument("files", nargs="+")
    a = args.parse_args()
    faults = [f for name in a.files for f in play(a.port, name, a.update, a.host)]
    print("\n\n".join(faults) or "all as written")
    return 1 if faults and not a.update else 0


if __name__ == "__main__":
    sys.exit(main())
