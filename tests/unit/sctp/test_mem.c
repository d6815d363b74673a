/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory transport across threads; the rest of its contract is in test_transport.c. */
#include <pthread.h>

#include "base/clock.h"
#include "rig.h"

enum { PORT = 7, MESSAGES = 20000 };

/* One side, with a rig (loop, pools) of its own, driven by its own thread. */
struct side {
	struct rig rig;
	struct end end;
	bool server;
	pthread_barrier_t *ready;
};

static void run_server(struct side *s)
{
	struct tp_params p;

	rig_listen(&s->rig);
	pthread_barrier_wait(s->ready);
	rig_server_params(&s->rig, &p);
	end_accept(&s->end, &p, NULL);
	RIG_WAIT(&s->rig, s->end.downs);
	assert_int_equal(s->end.received, MESSAGES);
	assert_int_equal(s->end.leaves, 1);
	end_fini(&s->end);
	rig_unlisten(&s->rig);
}

static void run_client(struct side *s)
{
	struct tp_params p;
	uint32_t seq = 0;

	pthread_barrier_wait(s->ready);
	rig_client_params(&s->rig, &p);
	p.sndbuf = 50000;
	end_connect(&s->end, &p);
	RIG_WAIT(&s->rig, s->end.ups);
	while (seq < MESSAGES || s->end.tx.n) {
		unsigned before = s->end.writables;

		for (unsigned i = 0; i < 100 && seq < MESSAGES; i++)
			end_queue(&s->end, 100, 1, seq++);
		end_transmit(&s->end);
		if (s->end.tx.n)
			RIG_WAIT(&s->rig, s->end.writables > before);
	}
	end_shutdown(&s->end);
	RIG_WAIT(&s->rig, s->end.downs);
	end_fini(&s->end);
}

static void *thread(void *arg)
{
	struct side *s = arg;

	if (s->server)
		run_server(s);
	else
		run_client(s);
	return NULL;
}

static void two_threads_talk(void **state)
{
	static struct side client, server;
	pthread_barrier_t ready;
	pthread_t t;

	(void)state;
	pthread_barrier_init(&ready, NULL, 2);
	rig_init(&client.rig, &tp_mem, PORT);
	rig_init(&server.rig, &tp_mem, PORT);
	end_init(&client.end, &client.rig);
	end_init(&server.end, &server.rig);
	server.server = true;
	client.ready = server.ready = &ready;
	assert_int_equal(pthread_create(&t, NULL, thread, &server), 0);
	thread(&client);
	pthread_join(t, NULL);
	/* loops that talk to each other go when all their threads have ended */
	rig_fini(&client.rig);
	rig_fini(&server.rig);
	pthread_barrier_destroy(&ready);
}

static void a_message_is_handed_over_where_it_lies(void **state)
{
	struct end client, server;
	struct rig rig;
	struct mbuf *m;

	(void)state;
	rig_init(&rig, &tp_mem, PORT);
	rig_pair(&rig, &client, &server);
	server.keep = true;
	end_queue(&client, 100, 1, 0);
	m = client.tx.first;
	assert_int_equal(end_transmit(&client), 1);
	RIG_WAIT(&rig, server.received == 1);
	assert_ptr_equal(server.rx.first, m);
	rig_unpair(&client, &server);
	rig_fini(&rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_threads_talk),
		cmocka_unit_test(a_message_is_handed_over_where_it_lies),
	};

	return cmocka_run_group_tests_name("memory transport", tests, NULL, NULL);
}
