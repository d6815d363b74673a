# SPDX-License-Identifier: GPL-2.0-or-later
"""The transports where the kernel has SCTP: in User-Mode Linux, which boots from this host's own root."""
import re
import subprocess

import pytest

from conftest import BUILD, TOP

UML_RUN = TOP / "tests/tools/uml-run"
NETNS = TOP / "tests/integration/uml/netns.sh"


def in_uml(command, seconds):
    """Runs it in a guest, with this run's build."""
    command = f"export SIGNALBOX_BUILD='{BUILD}'; {command}"
    return subprocess.run([UML_RUN, "-t", str(seconds), "-c", command], cwd=TOP, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=seconds + 30)


def check(result, at_least):
    """All passed, and they did run."""
    assert result.returncode == 0, result.stdout[-6000:]
    passed = re.search(r"^\[  PASSED  \] (\d+) test", result.stdout, re.M)
    assert passed and int(passed[1]) >= at_least, result.stdout[-6000:]


def check_pytest(result, at_least):
    """The same of a pytest run in the guest, which may skip nothing either."""
    passed = re.search(r"^(\d+) passed", result.stdout, re.M)
    assert result.returncode == 0 and passed and int(passed[1]) >= at_least, result.stdout[-6000:]
    assert " skipped" not in result.stdout, result.stdout[-6000:]


@pytest.mark.parametrize("transport", ["kernel", "tcp"])
def test_the_contract_of_transports_is_kept(transport):
    check(in_uml(f"'{BUILD}/tests/unit/sctp/test_transport' {transport}", 120), 19)


def test_auto_takes_the_kernel_where_it_has_sctp():
    check(in_uml(f"'{BUILD}/tests/unit/sctp/test_addr'", 60), 9)


def test_corking_streams_paths_and_restarts_of_kernel_sctp():
    check(in_uml(f"'{NETNS}' && '{BUILD}/tests/unit/sctp/test_kernel'", 240), 12)
