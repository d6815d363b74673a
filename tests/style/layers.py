#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The order of the layers and of the includes.

A file may include headers of its own folder and of those to the left of it in LAYERS (ARCHITECTURE.md). Includes come in
three groups: its own header, <system>, "project"; each group sorted. Every source file opens with its licence."""
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
SRC = TOP / "src"
LAYERS = ["base", "wire", "sctp", "data", "route", "m2pa", "mtp3", "m3ua", "ss7", "conf", "console", "app"]
# wire is pure: the C library and nothing of ours but itself
ONLY = {"wire": {"wire"}, "sctp": {"base", "sctp"}, "sim": {"base", "wire", "sctp", "sim"}}


def allowed(folder):
    if folder in ONLY:
        return ONLY[folder]
    if folder in LAYERS:
        return set(LAYERS[: LAYERS.index(folder) + 1])
    return set(LAYERS)


def complaints(path):
    lines = path.read_text().splitlines()
    name = path.relative_to(TOP)
    if "SPDX-License-Identifier: GPL-2.0-or-later" not in lines[0]:
        yield f"{name}:1: the first line is the SPDX line"
    if not path.is_relative_to(SRC):
        return
    rel = path.relative_to(SRC)
    folder = rel.parts[0] if len(rel.parts) > 1 else "main"
    seen_system = seen_project = False
    previous = {}
    for number, line in enumerate(lines, 1):
        m = re.match(r'#include ([<"])([^>"]+)[>"]', line)
        if not m:
            continue
        kind, header = m.groups()
        if kind == "<":
            if seen_project:
                yield f"{name}:{number}: <{header}> comes after a project header"
            seen_system = True
        else:
            own = header == str(rel.with_suffix(".h"))
            layer = header.split("/")[0]
            if layer not in allowed(folder):
                yield f"{name}:{number}: {folder}/ may not include {header}"
            if own:
                if seen_system or seen_project:
                    yield f"{name}:{number}: a file's own header comes first"
                continue
            seen_project = True
        if header < previous.get(kind, "") and lines[number - 2].startswith("#include"):
            yield f"{name}:{number}: includes are sorted"
        previous[kind] = header if lines[number - 2].startswith("#include") or kind not in previous else header


def main():
    files = [p for p in sorted(TOP.glob("src/**/*.[ch]")) + sorted(TOP.glob("tests/**/*.[ch]"))]
    found = [c for p in files for c in complaints(p)]
    print("\n".join(found) or f"{len(files)} files: layers and includes in order")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
