/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/transport.h"

#include <stdio.h>

static bool available(char *why, size_t n)
{
	snprintf(why, n, "not in this build");
	return false;
}

const struct tp_ops tp_embedded = {
	.name = "embedded",
	.available = available,
};
