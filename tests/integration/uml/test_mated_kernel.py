# SPDX-License-Identifier: GPL-2.0-or-later
"""The mated pair on the kernel's SCTP. The kernel tells the peers of a gateway that is killed at once, so that less is
lost than where timers have to find out (test_mated.py states the bound)."""
from test_mated import test_a_gateway_that_ends_in_order_loses_nothing  # noqa: F401 (run here, too)
from test_mated import test_traffic_survives_the_death_of_either_gateway  # noqa: F401
from two_paths import needs_kernel

pytestmark = needs_kernel
