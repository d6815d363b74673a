/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "free_ports.h"

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Below the ports that the kernel gives to clients: one of those may be any other's by the time it is used.
 */
enum { FIRST = 20000, STEP = 250, STEPS = 48 };

/* A program uses its ports now and then only: that others see them free says little. An abstract socket,
 * which ends with the process, says that they are taken; the integration tests keep to it, too. */
static bool take(uint16_t first)
{
	struct sockaddr_un a = {.sun_family = AF_UNIX};
	int n = snprintf(a.sun_path + 1, sizeof(a.sun_path) - 1, "signalbox-test-ports-%u", first);
	socklen_t len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (unsigned)n);
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && bind(fd, (struct sockaddr *)&a, len) == 0)
		return true;
	if (fd >= 0)
		close(fd);
	return false;
}

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

		if (take(first) && are_free(first, span))
			return first;
	}
	abort();
}
