/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The VTY over a real telnet connection, on a gateway that stands still: prompt, commands, what is refused,
 * and input that no operator would type. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <netinet/in.h>
#include <osmocom/core/select.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <talloc.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/log.h"
#include "console/console.h"
#include "console/stall.h"
#include "fake_gateway.h"
#include "tests/unit/free_ports.h"

enum { PATIENCE_S = 180 };

static void *ctx;
static struct sg *sg;
static uint16_t port;
static char answer[1 << 20];
static size_t answer_len;

static const struct console_ops ops = {.conf = fake_conf};

/* Every close() of the process, libosmovty's included: one of a descriptor that is not open may hit somebody
 * else's. */
static unsigned bad_closes;

int close(int fd)
{
	int rc = (int)syscall(SYS_close, fd);

	if (rc != 0 && errno == EBADF)
		bad_closes++;
	return rc;
}

static struct sockaddr_in loopback(uint16_t p)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(p)};
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	return a;
}

static int group_setup(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN); /* as app does */
	ctx = talloc_named_const(NULL, 0, "test");
	log_setup(ctx);
	sg = fake_gateway_new();
	port = free_ports(1);
	return console_start(ctx, sg, &ops, "127.0.0.1", port) == SB_OK ? 0 : -1;
}

static int group_teardown(void **state)
{
	(void)state;
	console_stop();
	fake_gateway_free();
	return 0;
}

/* One turn of the control loop; fails the test if the deadline has passed. */
static void turn(time_t deadline)
{
	struct timespec nap = {.tv_nsec = 1000000};
	assert_true(time(NULL) < deadline);
	if (!osmo_select_main(1))
		nanosleep(&nap, NULL);
}

static int dial_with(int receive_buffer)
{
	struct sockaddr_in a = loopback(port);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	if (receive_buffer)
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof(receive_buffer));
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	answer_len = 0;
	answer[0] = '\0';
	return fd;
}

static int dial(void)
{
	return dial_with(0);
}

/* What has come, printable part. False: the other side has closed. */
static bool gather(int fd)
{
	unsigned char buf[4096];
	ssize_t n = recv(fd, buf, sizeof(buf), 0);

	if (n == 0 || (n < 0 && errno != EAGAIN))
		return false;
	for (ssize_t i = 0; i < n; i++)
		if (buf[i] && buf[i] < 128 && buf[i] != '\r' && answer_len < sizeof(answer) - 1)
			answer[answer_len++] = (char)buf[i];
	answer[answer_len] = '\0';
	return true;
}

static void wait_for(int fd, const char *what)
{
	time_t deadline = time(NULL) + PATIENCE_S;
	while (!strstr(answer, what)) {
		if (time(NULL) >= deadline || !gather(fd))
			fail_msg("no \"%s\" in: %s", what, answer);
		turn(deadline);
	}
}

/* Sends all of it, turning the loop whenever the socket is full. False: the other side has closed. */
static bool put(int fd, const void *data, size_t n)
{
	time_t deadline = time(NULL) + PATIENCE_S;
	const char *p = data;

	while (n) {
		ssize_t sent = send(fd, p, n, MSG_NOSIGNAL);
		if (sent < 0 && errno != EAGAIN)
			return false;
		if (sent > 0) {
			p += sent;
			n -= (size_t)sent;
		}
		turn(deadline);
		if (!gather(fd))
			return false;
	}
	return true;
}

/* Sends COMMAND and waits for WHAT behind it. */
static void ask(int fd, const char *command, const char *what)
{
	answer_len = 0;
	answer[0] = '\0';
	assert_true(put(fd, command, strlen(command)));
	assert_true(put(fd, "\r\n", 2));
	wait_for(fd, what);
}

/* A fresh connection works: the console has survived. */
static void still_works(void)
{
	int fd = dial();
	wait_for(fd, "gw1> ");
	ask(fd, "show asp", "hlr-1");
	wait_for(fd, "gw1> ");
	close(fd);
}

static void the_prompt_is_the_nodes_name(void **state)
{
	(void)state;
	int fd = dial();
	wait_for(fd, "gw1> ");
	assert_non_null(strstr(answer, "Signalbox"));
	ask(fd, "enable", "gw1# ");
	close(fd);
}

static void the_prompt_follows_a_new_name(void **state)
{
	(void)state;
	int fd = dial();
	wait_for(fd, "gw1> ");
	console_set_name("gw2");
	ask(fd, "show version", "gw2> ");
	console_set_name("gw1");
	ask(fd, "show version", "gw1> ");
	close(fd);
}

static void every_show_command_has_a_json_twin(void **state)
{
	(void)state;
	int fd = dial();
	wait_for(fd, "gw1> ");
	ask(fd, "show asp hlr-1 json", "\n}\n");
	json_t *j = json_loads(strchr(answer, '{'), JSON_DISABLE_EOF_CHECK, NULL);
	assert_non_null(json_object_get(j, "asp"));
	json_decref(j);
	ask(fd, "show version", "0.1");
	ask(fd, "show route lookup national 1-3-1 1-2-3 isup 7", "forwarded");
	ask(fd, "show asp nobody", "% no ASP named nobody (see show asp)");
	close(fd);
}

static void the_console_operates_in_enable_mode_only(void **state)
{
	(void)state;
	unsigned before = fake_blocks;
	int fd = dial();
	wait_for(fd, "gw1> ");
	ask(fd, "asp hlr-1 block", "% Unknown command");
	ask(fd, "enable", "gw1# ");
	ask(fd, "asp hlr-1 block", "ASP hlr-1 is blocked");
	ask(fd, "asp hlr-1 unblock", "ASP hlr-1 is unblocked");
	ask(fd, "association hlr-1 restart", "is being restarted");
	assert_int_equal(fake_blocks, before + 2);
	close(fd);
}

static void the_console_does_not_edit_the_configuration_and_says_so(void **state)
{
	static const char *const commands[] = {"configure terminal", "write", "write file", "write memory",
		"write terminal", "copy running-config startup-config", "show running-config",
		"show startup-config"};
	(void)state;
	int fd = dial();
	wait_for(fd, "gw1> ");
	ask(fd, "enable", "gw1# ");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		ask(fd, commands[i], "gw1# ");
		assert_non_null(strstr(answer, "change /etc/signalbox/signalboxd.conf"));
	}
	ask(fd, "shutdown", "systemctl stop signalboxd");
	ask(fd, "list", "show version");
	wait_for(fd, "gw1# ");
	assert_null(strstr(answer, "configure"));
	assert_null(strstr(answer, "write"));
	close(fd);
}

static void long_lines_do_no_harm(void **state)
{
	static char line[300000];
	(void)state;
	int fd = dial();
	memset(line, 'a', sizeof(line));
	put(fd, line, sizeof(line));
	put(fd, "\r\n", 2);
	memset(line, ' ', sizeof(line));
	put(fd, line, 20000);
	for (size_t i = 0; i + 1 < 20000; i += 2)
		line[i] = 'b'; /* more words than libosmocore has room for */
	put(fd, line, 20000);
	put(fd, "\r\n", 2);
	close(fd);
	still_works();
}

static void random_bytes_do_no_harm(void **state)
{
	static unsigned char noise[4096];
	unsigned seed = 20260101;
	(void)state;
	for (int round = 0; round < 50; round++) {
		int fd = dial();
		for (size_t i = 0; i < sizeof(noise); i++) {
			seed = seed * 1103515245 + 12345;
			noise[i] = (unsigned char)(seed >> 16);
		}
		put(fd, noise, sizeof(noise));
		put(fd, "\r\n", 2);
		close(fd);
	}
	still_works();
}

static void telnet_options_without_end_do_no_harm(void **state)
{
	static unsigned char iac[20000];
	(void)state;
	int fd = dial();
	iac[0] = 255; /* IAC SB NAWS, and then no IAC SE for long */
	iac[1] = 250;
	memset(iac + 2, 31, sizeof(iac) - 2);
	put(fd, iac, sizeof(iac));
	memset(iac, 255, sizeof(iac));
	put(fd, iac, sizeof(iac));
	close(fd);
	still_works();
}

static void a_peer_that_leaves_in_the_middle_of_an_answer_does_no_harm(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		int fd = dial();
		put(fd, "show statistics json\r\nshow statistics json\r\nshow asp", 50);
		struct linger now = {.l_onoff = 1};
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof(now)); /* close() resets */
		close(fd);
	}
	still_works();
}

static void a_session_that_does_not_read_is_closed_and_others_are_not(void **state)
{
	static const char command[] = "show statistics json\n";
	time_t deadline = time(NULL) + PATIENCE_S;
	uint64_t before = stall_closed();
	(void)state;
	stall_unwatch();
	stall_watch(ctx, 200);
	int reader = dial();
	wait_for(reader, "gw1> ");
	int fd = dial_with(4096); /* full soon, whatever the host's buffers may grow to */
	while (stall_closed() == before) {
		send(fd, command, sizeof(command) - 1, MSG_NOSIGNAL);
		turn(deadline);
	}
	assert_int_equal(stall_closed(), before + 1);
	ask(reader, "show version", "0.1");
	close(reader);
	close(fd);
	still_works();
}

static void no_descriptor_is_closed_twice(void **state)
{
	(void)state;
	bad_closes = 0;
	for (int leaves = 0; leaves < 2; leaves++) { /* by hanging up, and by saying so */
		int fd = dial();
		time_t deadline = time(NULL) + PATIENCE_S;

		wait_for(fd, "> ");
		if (leaves) {
			assert_true(put(fd, "show version\nexit\n", 18));
			while (gather(fd))
				turn(deadline);
			assert_non_null(strstr(answer, "version")); /* what was asked before is answered */
		}
		close(fd);
		for (int i = 0; i < 50; i++)
			turn(deadline);
	}
	assert_int_equal(bad_closes, 0);
}

static void a_taken_port_is_reported(void **state)
{
	(void)state;
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	struct sockaddr_in a = loopback(0);
	socklen_t len = sizeof(a);
	assert_int_equal(bind(fd, (struct sockaddr *)&a, len), 0);
	assert_int_equal(listen(fd, 1), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&a, &len), 0);
	console_stop();
	assert_int_equal(console_start(ctx, sg, &ops, "127.0.0.1", ntohs(a.sin_port)), SB_ESYS);
	close(fd);
	assert_int_equal(console_start(ctx, sg, &ops, "127.0.0.1", port), SB_OK);
	still_works();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_prompt_is_the_nodes_name),
		cmocka_unit_test(the_prompt_follows_a_new_name),
		cmocka_unit_test(every_show_command_has_a_json_twin),
		cmocka_unit_test(the_console_operates_in_enable_mode_only),
		cmocka_unit_test(the_console_does_not_edit_the_configuration_and_says_so),
		cmocka_unit_test(long_lines_do_no_harm),
		cmocka_unit_test(random_bytes_do_no_harm),
		cmocka_unit_test(telnet_options_without_end_do_no_harm),
		cmocka_unit_test(a_peer_that_leaves_in_the_middle_of_an_answer_does_no_harm),
		cmocka_unit_test(a_session_that_does_not_read_is_closed_and_others_are_not),
		cmocka_unit_test(no_descriptor_is_closed_twice),
		cmocka_unit_test(a_taken_port_is_reported),
	};
	return cmocka_run_group_tests(tests, group_setup, group_teardown);
}
