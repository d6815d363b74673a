/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changeover and changeback of one link's traffic under load (Q.704 s.5, 6), with the data plane's part only:
 * nothing is lost, repeated or reordered, and other links' traffic is not held up. Peer 0 is an ASP; peers 1
 * and 2 are the links of linkset 1, peer 3 is a link of another node that sends, too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "data/m2pa.h"
#include "rig.h"
#include "wire/mtp3.h"

enum { SENDER_ASP, LINK_1, LINK_2, SENDER_LINK, PEERS };
enum { FLOWS = 16, SENDERS = 2, IN_FLIGHT = 600, BURST = 40, ACK_EVERY = 50, HEAD = 5 };

struct load {
	struct rig rig;
	uint32_t sent[SENDERS][FLOWS], got[SENDERS][FLOWS]; /* numbers that are next */
	uint32_t faults, n_sent, n_got;
	uint32_t fsn_sent;       /* of SENDER_LINK */
	uint32_t fsn_got[PEERS]; /* of the links' peers */
	uint32_t n_link[PEERS];
	bool deaf;        /* LINK_1's peer takes nothing any more */
	uint32_t ignored; /* by it */
	bool over, retrieved;
	uint32_t window; /* messages under way */
	uint32_t n_retrieved;
};

static struct load load;

/* ---- what arrives at the links ---- */

static void take(unsigned sender, unsigned flow, uint32_t number)
{
	load.faults += number != load.got[sender][flow];
	load.got[sender][flow] = number + 1;
	load.n_got++;
}

/* What the gateway retains takes its buffers. */
static void acknowledge(struct rig_peer *peer)
{
	uint8_t bytes[M2PA_HEADER];
	struct wr w = wr_over(bytes, sizeof(bytes));

	m2pa_empty_write(&w, load.fsn_got[peer->index], M2PA_SEQ_START);
	assert_true(rig_raw(peer, bytes, sizeof(bytes), 1, TP_PPID_M2PA));
}

static void on_link(struct rig_peer *peer, const struct mbuf *m)
{
	const uint8_t *p = m->data + m->off;
	struct mtp3_label label;
	struct m2pa_msg msg;
	uint32_t number;

	assert_int_equal(m2pa_parse(p, m->len, &msg), M2PA_NO_FAULT);
	if (msg.type != M2PA_USER_DATA || !msg.msu_len)
		return;
	if (load.deaf && peer->index == LINK_1) {
		load.ignored++;
		return;
	}
	assert_int_equal(msg.fsn, m2pa_seq_next(load.fsn_got[peer->index]));
	load.fsn_got[peer->index] = msg.fsn;
	if (++load.n_link[peer->index] % ACK_EVERY == 0)
		acknowledge(peer);
	assert_int_equal(mtp3_head_read(p + M2PA_USER_HEADER, msg.msu_len, PC_ITU, &label), MTP3_OK);
	assert_int_equal(msg.msu_len, HEAD + sizeof(number));
	memcpy(&number, p + M2PA_USER_HEADER + HEAD, sizeof(number));
	take(label.opc == RIG_PC(SENDER_ASP) ? 0 : 1, label.sls, number);
}

/* ---- what is sent ---- */

static struct mtp3_label label_of(unsigned peer, unsigned flow)
{
	return (struct mtp3_label){
		.opc = RIG_PC(peer), .dpc = RIG_PC(LINK_1), .si = 3, .ni = RIG_NI, .sls = (uint8_t)flow};
}

static void send_by_link(unsigned flow, uint32_t number)
{
	struct mtp3_label label = label_of(SENDER_LINK, flow);
	uint8_t bytes[M2PA_USER_HEADER + HEAD + sizeof(number)], *sio = bytes + M2PA_USER_HEADER;

	assert_int_equal(mtp3_head_write(sio, PC_ITU, &label), MTP3_OK);
	memcpy(sio + HEAD, &number, sizeof(number));
	load.fsn_sent = m2pa_seq_next(load.fsn_sent);
	m2pa_user_write(sio, HEAD + sizeof(number), 0, M2PA_SEQ_START, load.fsn_sent);
	assert_true(rig_raw(&load.rig.peers[SENDER_LINK], bytes, sizeof(bytes), 1, TP_PPID_M2PA));
}

static void send_some(unsigned n)
{
	for (; n && load.n_sent < load.n_got + load.window; n--, load.n_sent++) {
		unsigned sender = load.n_sent % SENDERS, flow = load.n_sent / SENDERS % FLOWS;
		uint32_t number = load.sent[sender][flow]++;

		if (sender)
			send_by_link(flow, number);
		else
			assert_true(rig_data(
				&load.rig.peers[SENDER_ASP], LINK_1, (uint8_t)flow, &number, sizeof(number)));
	}
}

static void traffic(uint32_t n)
{
	uint32_t end = load.n_got + n;

	send_some(BURST);
	rig_until(&load.rig, (send_some(BURST), load.n_got >= end));
}

static void all_arrived(void)
{
	rig_until(&load.rig, load.n_got == load.n_sent);
	assert_int_equal(load.faults, 0);
}

/* ---- control ---- */

static bool on_event(struct rig *r, const struct plane_event *ev)
{
	if (ev->kind == PE_M2PA_RETRIEVAL_DONE)
		load.retrieved = true;
	if (ev->kind != PE_M2PA_RETRIEVED)
		return false;
	load.n_retrieved++;
	m2pa_send_msu(r->peers[LINK_2].assoc, ev->take_mbuf, (uint8_t)ev->value);
	return true;
}

static void set_flag(void *arg)
{
	*(bool *)arg = true;
}

static void grace(void)
{
	load.over = false;
	plane_after_grace(load.rig.plane, set_flag, &load.over);
	rig_until(&load.rig, (send_some(1), load.over));
}

static void links(unsigned n, unsigned first, unsigned second, unsigned closed)
{
	struct rig_as *as = &load.rig.as[LINK_1];

	as->n_asps = n;
	as->asps[0] = first;
	as->asps[1] = second;
	as->closed = closed;
	rig_publish(&load.rig);
}

static void start(unsigned workers)
{
	struct rig_as *as = &load.rig.as[LINK_1];

	memset(&load, 0, sizeof(load));
	rig_start(&load.rig, &(struct rig_options){.workers = workers,
				     .peers = PEERS,
				     .links = 1 << LINK_1 | 1 << LINK_2 | 1 << SENDER_LINK});
	load.rig.on_link = on_link;
	load.rig.on_event = on_event;
	load.fsn_sent = M2PA_SEQ_START;
	load.window = IN_FLIGHT;
	for (unsigned i = 0; i < PEERS; i++)
		load.fsn_got[i] = M2PA_SEQ_START;
	as->hold.limit = 4 * IN_FLIGHT;
	as->mode = FWD_LOADSHARE;
	as->n_buckets = FWD_SLS_BUCKETS;
	links(2, LINK_1, LINK_2, 0);
}

/* The link stops to work: what its peer has not taken is for the other one. */
static void change_over(void)
{
	uint32_t on_2;

	load.deaf = true;
	load.ignored = 0;
	rig_until(&load.rig, (send_some(BURST), load.ignored > 0));
	m2pa_close(load.rig.peers[LINK_1].assoc);
	on_2 = load.n_link[LINK_2];
	links(2, LINK_1, LINK_2, 1 << LINK_1);
	grace();
	load.window = 2 * IN_FLIGHT; /* the first may all be lost */
	rig_until(&load.rig,
		(send_some(2), load.n_link[LINK_2] > on_2 && atomic_load(&load.rig.as[LINK_1].hold.n)));
	load.retrieved = false;
	m2pa_retrieve(load.rig.peers[LINK_1].assoc, load.fsn_got[LINK_1]);
	rig_until(&load.rig, load.retrieved);
	send_some(BURST);
	links(1, LINK_2, LINK_2, 0);
	load.window = IN_FLIGHT;
}

static void start_link_1(void)
{
	struct assoc *a = load.rig.peers[LINK_1].assoc;

	m2pa_reset(a);
	m2pa_open(a);
	m2pa_go(a);
	load.fsn_got[LINK_1] = M2PA_SEQ_START;
	load.deaf = false;
}

/* CBD is sent on LINK_2 behind what went there; here: that has arrived. */
static void change_back(void)
{
	uint32_t sent;

	links(2, LINK_1, LINK_2, 1 << LINK_1);
	grace();
	sent = load.n_sent;
	rig_until(&load.rig, load.n_got + atomic_load(&load.rig.as[LINK_1].hold.n) >= sent);
	links(2, LINK_1, LINK_2, 0);
}

static void a_changeover_loses_repeats_and_reorders_nothing(void **state)
{
	(void)state;
	for (unsigned workers = 1; workers <= 4; workers *= 2) {
		start(workers);
		traffic(3000);
		assert_true(load.n_link[LINK_1] > 1000 && load.n_link[LINK_2] > 1000);
		for (unsigned round = 0; round < 5; round++) {
			uint32_t before = load.n_link[LINK_1];

			change_over();
			traffic(1500);
			all_arrived();
			assert_int_equal(load.n_link[LINK_1], before);
			assert_int_equal(atomic_load(&load.rig.as[LINK_1].hold.n), 0);
			start_link_1();
			change_back();
			traffic(1500);
			all_arrived();
			assert_true(load.n_link[LINK_1] > before + 500);
		}
		assert_true(load.n_retrieved > 0);
		assert_int_equal(rig_drops(&load.rig, DROP_HOLD_FULL), 0);
		rig_stop(&load.rig);
	}
}

/* The bound of a hold is for what waits only: the rest of the target goes on. */
static void a_full_hold_refuses_and_the_other_link_goes_on(void **state)
{
	uint32_t on_2;

	(void)state;
	start(2);
	load.rig.as[LINK_1].hold.limit = 10;
	links(2, LINK_1, LINK_2, 1 << LINK_1);
	for (unsigned i = 0; i < 50; i++)
		for (uint8_t flow = 0; flow < 2; flow++)
			assert_true(rig_data(&load.rig.peers[SENDER_ASP], LINK_1, flow, &i, sizeof(i)));
	rig_until(&load.rig, load.rig.refused[DROP_HOLD_FULL] == 40);
	rig_until(&load.rig, load.n_link[LINK_2] == 50);
	on_2 = load.n_link[LINK_2];
	links(1, LINK_2, LINK_2, 0);
	rig_until(&load.rig, load.n_link[LINK_2] == on_2 + 10);
	assert_int_equal(load.faults, 0);
	assert_int_equal(load.n_link[LINK_1], 0);
	rig_stop(&load.rig);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_changeover_loses_repeats_and_reorders_nothing),
		cmocka_unit_test(a_full_hold_refuses_and_the_other_link_goes_on),
	};

	return cmocka_run_group_tests_name("data/changeover", tests, NULL, NULL);
}
