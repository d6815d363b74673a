#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""doc/*-compliance.md against the tests.

A row is `| clause | what we do | done | test |`. Done is yes, no or n/a; "no" and "n/a" give their reason in the second
column behind a colon or in words; "yes" names at least one test in backticks, and every named test exists."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
TESTS = [p for pattern in ("*.c", "*.py", "*.sh", "*.scn") for p in (TOP / "tests").rglob(pattern)]


def test_names():
    names = set()
    for path in TESTS:
        text = path.read_text(errors="replace")
        names |= set(re.findall(r"\b(test_\w+)\b", text))
        names |= set(re.findall(r"^(?:static )?void (\w+)\(void \*\*", text, re.M))
        names.add(path.stem)
    return names


def rows(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("|") and not re.match(r"^\|[\s:|-]+\|$", line):
            cells = [c.strip() for c in re.split(r"(?<!\\)\|", line)[1:-1]]
            if cells and cells[0].lower() not in ("clause",):
                yield number, cells


def main():
    names, found, count = test_names(), [], 0
    for path in sorted((TOP / "doc").glob("*-compliance.md")):
        for number, cells in rows(path):
            where, count = f"doc/{path.name}:{number}", count + 1
            if len(cells) != 4:
                found.append(f"{where}: {len(cells)} cells, not 4")
                continue
            clause, what, done, test = cells
            named = re.findall(r"`([\w.-]+)`", test)
            if done not in ("yes", "no", "n/a"):
                found.append(f"{where}: done is '{done}', not yes, no or n/a")
            if done == "yes" and not named:
                found.append(f"{where}: {clause} is done but names no test")
            if done != "yes" and len(what) < 20:
                found.append(f"{where}: {clause} gives no reason")
            found += [f"{where}: no test is called {n}" for n in named if n not in names]
    if not count:
        found.append("doc/: no compliance rows at all")
    print("\n".join(found) or f"{count} rows: every named test exists")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
