/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "embedded_rig.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tests/unit/free_ports.h"

uint16_t port;
struct rig rig;
uint64_t before[EMB_STATS];

int setup(void **state)
{
	(void)state;
	rig_init(&rig, &tp_embedded, port);
	for (unsigned s = 0; s < EMB_STATS; s++)
		before[s] = embedded_stat(s);
	return 0;
}

int teardown(void **state)
{
	(void)state;
	clock_freeze_ns(0);
	rig_fini(&rig);
	return 0;
}

uint64_t counted(enum emb_stat s)
{
	return embedded_stat(s) - before[s];
}

void jump(unsigned ms)
{
	clock_freeze_ns(clock_ns() + ms * 1000000ull);
	for (unsigned i = 0; i < 40; i++) /* the transport looks at its deadlines every 10th tick of 20 ms */
		rig_run(&rig);
	clock_freeze_ns(0);
}

void listen_with(void (*change)(struct tp_params *))
{
	struct tp_params p;

	rig_server_params(&rig, &p);
	if (change)
		change(&p);
	assert_int_equal(rig.ops->listen(&rig.far, &p, &rig, &rig.listener), SB_OK);
}

void accept_fake(struct end *server)
{
	struct tp_params p;

	end_init(server, &rig);
	rig_server_params(&rig, &p);
	end_accept(server, &p, NULL);
	RIG_WAIT(&rig, server->ups);
}

void drop(struct end *server)
{
	if (!server->downs)
		end_abort(server, "end of test");
	end_fini(server);
}

void fake_message(struct fake *f, uint32_t seq)
{
	uint8_t p[20] = {1, 0, 1, 1, 0, 0, 0, 20};

	memcpy(p + 8, &seq, 4);
	for (unsigned i = 12; i < sizeof(p); i++)
		p[i] = (uint8_t)(seq + i);
	fake_data(f, p, sizeof(p));
}

void embedded_arguments(int argc, char **argv)
{
	port = argc > 1 ? (uint16_t)atoi(argv[1]) : free_ports(10);
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
}
