/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/script_console.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ANSWER = 4096 };

static int console_connect(uint16_t port, unsigned timeout_ms)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET, .sin_port = htons(port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	struct timeval t = {.tv_sec = timeout_ms / 1000, .tv_usec = timeout_ms % 1000 * 1000};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return fd;
	if (!setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)) &&
		!connect(fd, (struct sockaddr *)&to, sizeof(to)))
		return fd;
	close(fd);
	return -1;
}

/* The console closes the session when all is done. */
static bool read_to_end(int fd, char *answer)
{
	size_t at = 0;
	ssize_t n;

	while (at < ANSWER - 1 && (n = read(fd, answer + at, ANSWER - 1 - at)) > 0)
		at += (size_t)n;
	for (size_t i = 0; i < at; i++) /* telnet's options */
		if (!answer[i])
			answer[i] = ' ';
	answer[at] = 0;
	return at < ANSWER - 1 && n == 0;
}

const char *script_console(uint16_t port, const char *command, unsigned timeout_ms)
{
	char line[512], answer[ANSWER];
	int fd, len = snprintf(line, sizeof(line), "enable\r\n%s\r\ndisable\r\nexit\r\n", command);
	bool done;

	if (len >= (int)sizeof(line))
		return "the command is too long";
	fd = console_connect(port, timeout_ms);
	if (fd < 0)
		return "no console there";
	done = write(fd, line, (size_t)len) == len && read_to_end(fd, answer);
	close(fd);
	if (!done)
		return "the console does not end its answer";
	return strstr(answer, "Unknown command") ? "the console does not know it" : NULL;
}
