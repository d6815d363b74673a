# SPDX-License-Identifier: GPL-2.0-or-later
"""Links that fail, pause or flap under load: what ss7sim's node does to them, and what an operator does."""
import pytest

from conftest import PATIENCE, TRANSPORT, wait_for
from test_ss7 import RATE, SLOW, Lab

pytestmark = pytest.mark.skipif(TRANSPORT == "tcp", reason="M2PA needs two streams")


@pytest.fixture
def lab(start_daemon, start_sim):
    return lambda **kind: Lab(start_daemon, start_sim, **kind)


def link(net, n=0):
    return net.daemon.show(f"show link stp-{n}")["link"]


@pytest.mark.sanitized
def test_a_link_whose_test_fails_is_changed_over(lab):
    """The node reads nothing on one link for a while. The link test finds that before T7 does, and what the node had not
    read goes over the other link: the order says what was accepted (Q.707 s.2.2, Q.704 s.5.4)."""
    net = lab(l3="slt-t1 = 150; slt-t2 = 200;")
    node = net.passes(net.start(events=("300ms:stp.0:stall", "1300ms:stp.0:resume"), duration=3 * SLOW))
    assert "stp-0: active -> waiting (link test failed)" in net.daemon.log()
    assert (node["links"][0]["in_service"], node["links"][1]["in_service"]) == (2, 1), node
    assert node["changeovers"] and node["changeover_unanswered"] == 0
