# SPDX-License-Identifier: GPL-2.0-or-later
"""Configuration files, good and bad, as signalboxd judges them.

Each bad/*.conf has its findings in bad/*.err: SIGNALBOX_REGENERATE=1 writes them anew; read the difference before you
commit it."""
import os
import pathlib
import subprocess

import pytest

from conftest import BUILD, TOP

HERE = pathlib.Path(__file__).resolve().parent
GOOD = sorted((HERE / "good").glob("*.conf")) + sorted((TOP / "etc").glob("*.conf"))
BAD = sorted((HERE / "bad").glob("*.conf"))


def signalboxd(*args, cwd=None):
    return subprocess.run([BUILD / "signalboxd", *args], capture_output=True, text=True, timeout=60, cwd=cwd)


@pytest.mark.parametrize("path", GOOD, ids=lambda p: p.stem)
def test_a_good_file_passes_and_its_dump_is_a_fixed_point(path, tmp_path):
    check = signalboxd("--check", path)
    assert check.returncode == 0 and ": error: " not in check.stderr, check.stderr
    first = signalboxd("--dump", path)
    assert first.returncode == 0
    dumped = tmp_path / "dumped.conf"
    dumped.write_text(first.stdout)
    second = signalboxd("--dump", dumped)
    assert second.returncode == 0, second.stderr
    assert second.stdout == first.stdout


@pytest.mark.parametrize("path", BAD, ids=lambda p: p.stem)
def test_a_bad_file_is_refused_with_every_error_and_its_line(path):
    run = signalboxd("--check", path.name, cwd=path.parent)
    expected = path.with_suffix(".err")
    if os.environ.get("SIGNALBOX_REGENERATE"):
        expected.write_text(run.stderr)
    assert run.returncode == 1
    assert run.stderr == expected.read_text()


def test_samples_have_not_even_warnings():
    for path in (TOP / "etc").glob("*.conf"):
        assert signalboxd("--check", path).stderr == "", path


def test_the_reference_page_is_in_step_with_the_schema():
    page = signalboxd("--config-reference").stdout
    assert (TOP / "doc" / "configuration.md").read_text() == page, \
        "run signalboxd --config-reference >doc/configuration.md"


def test_usage():
    assert signalboxd("--help").returncode == 0
    assert signalboxd("--version").stdout.startswith("signalboxd ")
    assert signalboxd("--nonsense").returncode == 2
    assert signalboxd("stray").returncode == 2
    assert signalboxd("--check", "/none/such.conf").returncode == 1
    assert signalboxd("-c", "/none/such.conf").returncode == 1
