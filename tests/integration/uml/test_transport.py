# SPDX-License-Identifier: GPL-2.0-or-later
"""The transports' own tests where the kernel has SCTP. Each program runs in a network namespace of its own."""
import re
import subprocess

import pytest

from conftest import BUILD, PATIENCE, TOP
from two_paths import needs_kernel

pytestmark = needs_kernel

NETNS = TOP / "tests/integration/uml/netns.sh"


def check(command, at_least, seconds):
    """All passed, and they did run."""
    text = f"ip link set lo mtu 1500 up && {command}"
    result = subprocess.run(["unshare", "-nm", "sh", "-c", text], cwd=TOP, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=seconds * PATIENCE)
    assert result.returncode == 0, result.stdout[-6000:]
    passed = re.search(r"^\[  PASSED  \] (\d+) test", result.stdout, re.M)
    assert passed and int(passed[1]) >= at_least, result.stdout[-6000:]


@pytest.mark.parametrize("transport", ["kernel", "tcp"])
def test_the_contract_of_transports_is_kept(transport):
    check(f"'{BUILD}/tests/unit/sctp/test_transport' {transport}", 18, 30)


def test_auto_takes_the_kernel_where_it_has_sctp():
    check(f"'{BUILD}/tests/unit/sctp/test_addr'", 9, 10)


def test_corking_streams_paths_and_restarts_of_kernel_sctp():
    check(f"mount -t tmpfs run /run && '{NETNS}' && '{BUILD}/tests/unit/sctp/test_kernel'", 12, 40)
