#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Adds up what the test runners printed: cmocka summaries (automake's .log and .trs files below a folder) and pytest's
closing line (a file). Prints `passed failed skipped`. A program that died without a summary counts as one failure."""
import pathlib
import re
import sys


def cmocka(folder):
    total = [0, 0, 0]
    for trs in sorted(pathlib.Path(folder).rglob("*.trs")):
        text = trs.with_suffix(".log").read_text(errors="replace")
        result = re.search(r":test-result: (\w+)", trs.read_text()).group(1)
        passed = sum(int(n) for n in re.findall(r"^\[  PASSED  \] (\d+) test", text, re.M))
        failed = sum(int(n) for n in re.findall(r"^\[  FAILED  \] [^:\n]*: (\d+) test", text, re.M))
        skipped = sum(int(n) for n in re.findall(r"^\[  SKIPPED \] [^:\n]*: (\d+) test", text, re.M))
        if result in ("FAIL", "ERROR") and failed == 0:
            failed = 1
        if result == "SKIP" and skipped == 0:
            skipped = 1
        if result == "PASS" and passed + skipped == 0:
            passed = 1  # a script: its exit status is its verdict
        for i, n in enumerate((passed, failed, skipped)):
            total[i] += n
    return total


def pytest(file):
    lines = [line for line in pathlib.Path(file).read_text(errors="replace").splitlines()
             if re.match(r"^=*.*\b(passed|failed|error|errors|skipped)\b.* in [\d.]+s", line)]
    if not lines:
        return [0, 1, 0]

    def count(word):
        return sum(int(n) for n in re.findall(rf"(\d+) {word}s?\b", lines[-1]))

    return [count("passed"), count("failed") + count("error"), count("skipped")]


def main():
    path = pathlib.Path(sys.argv[1])
    print(*(cmocka(path) if path.is_dir() else pytest(path)))


if __name__ == "__main__":
    main()
