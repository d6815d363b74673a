# SPDX-License-Identifier: GPL-2.0-or-later
"""The gateway over kernel SCTP: the same suite as over the embedded one, and two paths of which one is cut. All of it runs in
User-Mode Linux, which boots from this host's own root."""
from test_transport import check_pytest, in_uml


def in_guest(tests, seconds, before=""):
    return in_uml(f"{before} export SIGNALBOX_TRANSPORT=kernel SIGNALBOX_PATIENCE=6; "
                  f"/usr/bin/python3 -m pytest -q -rsf --color=no -p no:cacheprovider {tests}", seconds)


def test_the_relay_suite_passes_over_kernel_sctp():
    check_pytest(in_guest("tests/integration/test_relay.py", 400), 14)


def test_a_gateway_with_two_addresses_survives_the_loss_of_a_link():
    check_pytest(in_guest("tests/integration/uml/guest_multihomed.py", 200, "tests/integration/uml/netns.sh && "), 1)
