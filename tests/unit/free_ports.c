/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "free_ports.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Below the ports that the kernel gives to clients: one of those may be any other's by the time it is used.
 */
enum { FIRST = 20000, STEP = 10, STEPS = 1200 };

static bool is_free(uint16_t port, int type)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, type, 0);
	bool ok = fd >= 0 && bind(fd, (struct sockaddr *)&a, sizeof(a)) == 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

static bool are_free(uint16_t first, unsigned span)
{
	for (unsigned i = 0; i < span; i++)
		if (!is_free((uint16_t)(first + i), SOCK_STREAM) ||
			!is_free((uint16_t)(first + i), SOCK_DGRAM))
			return false;
	return true;
}

uint16_t free_ports(unsigned span)
{
	/* by process: others may be looking at the same time */
	for (unsigned i = 0; i < STEPS; i++) {
		uint16_t first = (uint16_t)(FIRST + ((unsigned)getpid() + i) % STEPS * STEP);

		if (are_free(first, span))
			return first;
	}
	abort();
}
