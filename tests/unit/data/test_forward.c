/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One message at a time through a running plane: what comes out, byte by byte, or why not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/mbuf.h"
#include "rig.h"

static const char hello[] = "hello";

static struct m3ua_data usual(void)
{
	return (struct m3ua_data){
		.label = {.opc = RIG_PC(0), .dpc = RIG_PC(1), .si = 3, .ni = RIG_NI, .sls = 7},
		.has_rc = true,
		.rc = RIG_RC(0),
	};
}

/* ---- what comes out ---- */

static void the_header_is_the_egress_ones_and_the_label_stays(void **state)
{
	/* NA 77, RC 11, then OPC 1000, DPC 1001, SI 5, NI 2, MP 3, SLS 255 */
	static const uint8_t want[] = {1, 0, 1, 1, 0, 0, 0, 48, 2, 0, 0, 8, 0, 0, 0, 77, 0, 6, 0, 8, 0, 0, 0,
		11, 2, 16, 0, 21, 0, 0, 3, 0xe8, 0, 0, 3, 0xe9, 5, 2, 3, 255, 'h', 'e', 'l', 'l', 'o', 0, 0,
		0};
	static const uint8_t want_without_na[] = {1, 0, 1, 1, 0, 0, 0, 40, 0, 6, 0, 8, 0, 0, 0, 11, 2, 16, 0,
		21, 0, 0, 3, 0xe8, 0, 0, 3, 0xe9, 5, 2, 3, 255, 'h', 'e', 'l', 'l', 'o', 0, 0, 0};
	struct m3ua_data d = usual();

	(void)state;
	d.label.si = 5;
	d.label.mp = 3;
	d.label.sls = 255;
	d.has_corr = true; /* the sender's own: not passed on */
	d.corr = 99;
	for (int with_na = 0; with_na < 2; with_na++) {
		const uint8_t *bytes = with_na ? want : want_without_na;
		uint32_t len = with_na ? sizeof(want) : sizeof(want_without_na);
		struct rig r;

		rig_start(&r, &(struct rig_options){.has_na = with_na});
		d.has_na = with_na;
		d.na = RIG_NA;
		rig_send(&r.peers[0], &d, hello, 5);
		rig_until(&r, r.peers[1].received == 1);
		assert_int_equal(r.peers[1].last_len, len);
		assert_memory_equal(r.peers[1].last, bytes, len);
		assert_int_equal(r.peers[1].last_ppid, 3);
		rig_stop(&r);
	}
}

static void any_length_up_to_the_limit_passes_whole(void **state)
{
	uint8_t payload[900];
	struct rig r;
	struct m3ua_data d = usual(), got;

	(void)state;
	for (unsigned i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)(i * 7);
	rig_start(&r, &(struct rig_options){.has_na = true});
	for (uint32_t len = 0; len <= 300; len++) {
		rig_send(&r.peers[0], &d, payload, len);
		rig_until(&r, r.peers[1].received == len + 1);
		assert_true(m3ua_data_parse(r.peers[1].last, r.peers[1].last_len, &got));
		assert_int_equal(got.payload_len, len);
		assert_memory_equal(r.peers[1].last + got.payload_off, payload, len);
	}
	rig_send(&r.peers[0], &d, payload, sizeof(payload));
	rig_until(&r, r.peers[1].received == 302);
	assert_int_equal(r.peers[1].last_len, 8 + 8 + 8 + 16 + sizeof(payload));
	rig_stop(&r);
}

static void flows_use_the_streams_that_were_negotiated(void **state)
{
	static const uint16_t streams[] = {1, 2, 16, 300};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		bool used[300] = {false};
		unsigned n = 0;
		struct rig r;

		rig_start(&r, &(struct rig_options){.streams = streams[i]});
		for (unsigned sls = 0; sls < 256; sls++) {
			uint16_t first;

			rig_data(&r.peers[0], 1, (uint8_t)sls, hello, 5);
			rig_until(&r, r.peers[1].received == 2 * sls + 1);
			first = r.peers[1].last_stream;
			rig_data(&r.peers[0], 1, (uint8_t)sls, hello, 5);
			rig_until(&r, r.peers[1].received == 2 * sls + 2);
			assert_int_equal(r.peers[1].last_stream, first); /* a flow stays on its stream */
			assert_in_range(first, streams[i] > 1, streams[i] - 1);
			n += !used[first];
			used[first] = true;
		}
		if (streams[i] <= 16)
			assert_int_equal(n, streams[i] > 1 ? streams[i] - 1 : 1);
		else
			assert_true(n > 100);
		rig_stop(&r);
	}
}

static void rc_is_the_slots(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	(void)m;
	assert_true(d->has_rc);
	assert_int_equal(d->rc, RIG_RC(peer->index));
}

static void a_target_of_several_ass_sends_nothing_back_to_the_sender(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 4});
	r.as[3] = (struct rig_as){.exists = true,
		.state = FWD_AS_ACTIVE,
		.mode = FWD_LOADSHARE,
		.n_buckets = FWD_SLS_BUCKETS,
		.team = true,
		.n_asps = 3,
		.asps = {0, 1, 2}};
	r.on_data = rc_is_the_slots;
	rig_publish(&r);
	for (unsigned sls = 0; sls < 15; sls++)
		assert_true(rig_data(&r.peers[0], 3, (uint8_t)sls, hello, 5));
	rig_until(&r, r.peers[1].received + r.peers[2].received == 15);
	assert_int_equal(r.peers[0].received, 0);
	assert_int_equal(r.peers[1].received, 10); /* what would have gone back goes to the next one */
	for (unsigned sls = 0; sls < 15; sls++)
		assert_true(rig_data(&r.peers[3], 3, (uint8_t)sls, hello, 5)); /* not of the team */
	rig_until(&r, r.peers[0].received + r.peers[1].received + r.peers[2].received == 30);
	assert_int_equal(r.peers[0].received, 5);
	r.as[3].n_asps = 1;
	rig_publish(&r);
	assert_true(rig_data(&r.peers[0], 3, 0, hello, 5)); /* nowhere else to go */
	rig_until(&r, r.refused[DROP_LOOP] == 1);
	rig_stop(&r);
}

static void an_association_to_a_node_that_routes_gets_nothing_back(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 2});
	r.as[1].asps[0] = 0; /* the peer serves both ASs */
	rig_publish(&r);
	assert_true(rig_data(&r.peers[0], 1, 0, hello, 5)); /* from one of its ASs to the other */
	rig_until(&r, r.peers[0].received == 1);
	r.as[1].flags = FWD_SLOT_ROUTES;
	rig_publish(&r);
	assert_true(rig_data(&r.peers[0], 1, 0, hello, 5));
	rig_until(&r, r.refused[DROP_LOOP] == 1);
	rig_stop(&r);
}

static void load_sharing_follows_the_sls(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 4, .workers = 2});
	r.as[1].mode = FWD_LOADSHARE;
	r.as[1].n_buckets = FWD_SLS_BUCKETS;
	r.as[1].n_asps = 3;
	r.as[1].asps[1] = 2;
	r.as[1].asps[2] = 3;
	rig_publish(&r);
	for (unsigned i = 0; i < 300; i++)
		rig_data(&r.peers[0], 1, (uint8_t)(i % 30), hello, 5);
	rig_until(&r, r.peers[1].received + r.peers[2].received + r.peers[3].received == 300);
	for (unsigned i = 1; i < 4; i++)
		assert_int_equal(r.peers[i].received, 100);
	rig_stop(&r);
}

/* ---- broadcast ---- */

struct heard {
	uint32_t corr[RIG_PEERS];
	unsigned with[RIG_PEERS];
};

static void hear(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	struct heard *h = peer->rig->arg;

	(void)m;
	assert_int_equal(d->rc, RIG_RC(1));
	h->with[peer->index] += d->has_corr;
	if (d->has_corr)
		h->corr[peer->index] = d->corr;
}

static void say(struct rig *r, uint8_t sls, unsigned n)
{
	uint64_t before = r->peers[1].received;

	for (unsigned i = 0; i < n; i++)
		rig_data(&r->peers[0], 1, sls, hello, 5);
	rig_until(r, r->peers[1].received == before + n);
}

static void a_broadcast_reaches_all_and_the_first_of_a_flow_is_correlated(void **state)
{
	struct heard h = {0};
	struct rig r;
	uint32_t first;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 3});
	r.on_data = hear;
	r.arg = &h;
	r.as[1].mode = FWD_BROADCAST;
	rig_publish(&r);
	say(&r, 1, 5);
	say(&r, 2, 5);
	assert_int_equal(h.with[1], 2); /* one per flow */
	first = h.corr[1];
	r.as[1].n_asps = 2;
	r.as[1].asps[1] = 2;
	rig_publish(&r);
	say(&r, 1, 5);
	rig_until(&r, r.peers[2].received == 5);
	assert_int_equal(h.with[1], 3); /* a newcomer: the first of each flow again, to everyone */
	assert_int_equal(h.with[2], 1);
	assert_int_equal(h.corr[1], h.corr[2]);
	assert_int_not_equal(h.corr[1], first);
	r.as[1].n_asps = 1; /* one leaves: nothing to synchronize */
	rig_publish(&r);
	say(&r, 1, 5);
	assert_int_equal(h.with[1], 3);
	rig_stop(&r);
}

/* ---- an SLS of 5 bits ---- */

static void hear_sls(struct rig_peer *peer, const struct m3ua_data *d, const struct mbuf *m)
{
	(void)m;
	((uint8_t *)peer->rig->arg)[peer->index] = d->label.sls;
}

static void a_peer_may_have_an_sls_of_5_bits(void **state)
{
	static const struct {
		unsigned five_bits;
		uint8_t first, second; /* what the two ASPs get of 0xe5 */
	} rows[] = {{0, 0xe5, 0xe5}, {1 << 0, 0x05, 0x05}, {1 << 1, 0x05, 0xe5}, {1 << 2, 0xe5, 0x05}};
	uint8_t heard[RIG_PEERS];
	struct rig r;

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
		bool broadcast = i & 1;

		rig_start(&r, &(struct rig_options){.peers = 3});
		r.on_data = hear_sls;
		r.arg = heard;
		r.five_bits = rows[i / 2].five_bits;
		r.as[1].mode = broadcast ? FWD_BROADCAST : FWD_OVERRIDE;
		r.as[1].n_asps = broadcast ? 2 : 1;
		r.as[1].asps[1] = 2;
		rig_publish(&r);
		say(&r, 0xe5, 1);
		assert_int_equal(heard[1], rows[i / 2].first);
		if (broadcast) {
			rig_until(&r, r.peers[2].received == 1);
			assert_int_equal(heard[2], rows[i / 2].second);
		}
		rig_stop(&r);
	}
}

/* ---- why not ---- */

static void set_rc(struct m3ua_data *d)
{
	d->rc = 4711;
}

static void set_na(struct m3ua_data *d)
{
	d->has_na = true;
	d->na = 4711;
}

static void set_ni(struct m3ua_data *d)
{
	d->label.ni = 3;
}

static void to_nowhere(struct m3ua_data *d)
{
	d->label.dpc = 4711;
}

static void to_itself(struct m3ua_data *d)
{
	d->label.dpc = RIG_PC(0);
}

static void to_unserved(struct m3ua_data *d)
{
	d->label.dpc = RIG_PC(2);
}

static void to_removed(struct m3ua_data *d)
{
	d->label.dpc = RIG_PC(3);
}

static void to_other_user(struct m3ua_data *d)
{
	d->label.dpc = RIG_PC(4);
}

static void from_own_pc(struct m3ua_data *d)
{
	d->label.opc = 5000;
}

static void each_refusal_is_counted_and_told_with_its_reason(void **state)
{
	static const struct {
		void (*spoil)(struct m3ua_data *d);
		enum drop_reason reason;
		uint32_t value;
	} rows[] = {
		{set_rc, DROP_BAD_RC, 4711},
		{set_na, DROP_BAD_NA, 4711},
		{set_ni, DROP_BAD_NI, 3},
		{from_own_pc, DROP_OWN_OPC, 5000},
		{to_nowhere, DROP_NO_ROUTE, 4711},
		{to_other_user, DROP_NO_USER, RIG_PC(4)},
		{to_itself, DROP_LOOP, RIG_PC(0)},
		{to_unserved, DROP_AS_DOWN, RIG_PC(2)},
		{to_removed, DROP_AS_DOWN, RIG_PC(3)},
	};
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.peers = 5, .has_na = true});
	r.as[2].state = FWD_AS_UNSERVED;
	r.as[3].exists = false;
	r.keys[4].si = 5;
	r.own_pc = 5000;
	rig_publish(&r);
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct m3ua_data d = usual();
		unsigned told = r.refused[rows[i].reason];
		uint64_t counted = rig_drops(&r, rows[i].reason);
		struct assoc_stats s;

		rows[i].spoil(&d);
		rig_send(&r.peers[0], &d, hello, 5);
		rig_until(&r, r.refused[rows[i].reason] == told + 1);
		assert_int_equal(r.refused_value, rows[i].value);
		assert_int_equal(rig_drops(&r, rows[i].reason), counted + 1);
		assoc_stats(r.peers[0].assoc, &s);
		assert_true(s.drops[rows[i].reason] > 0); /* blamed on its sender */
	}
	assert_int_equal(r.peers[1].received, 0);
	rig_stop(&r);
}

static void an_asp_that_is_not_active_is_refused(void **state)
{
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	r.active[0] = false;
	rig_publish(&r);
	rig_data(&r.peers[0], 1, 0, hello, 5);
	rig_until(&r, r.refused[DROP_NOT_ACTIVE] == 1);
	rig_stop(&r);
}

static void without_a_context_two_ass_are_ambiguous_and_one_is_not(void **state)
{
	struct m3ua_data d = usual();
	struct rig r;

	(void)state;
	d.has_rc = false;
	rig_start(&r, &(struct rig_options){.peers = 3});
	rig_send(&r.peers[0], &d, hello, 5);
	rig_until(&r, r.peers[1].received == 1);
	r.second_as = 2; /* of peer 0 */
	rig_publish(&r);
	rig_send(&r.peers[0], &d, hello, 5);
	rig_until(&r, r.refused[DROP_NO_RC] == 1);
	d.has_rc = true;
	d.rc = RIG_RC(2);
	rig_send(&r.peers[0], &d, hello, 5);
	rig_until(&r, r.peers[1].received == 2);
	rig_stop(&r);
}

static uint32_t raw_data(uint8_t *out, uint16_t declared)
{
	static const uint8_t msg[] = {1, 0, 1, 1, 0, 0, 0, 32, 0, 6, 0, 8, 0, 0, 0, 10, 2, 16, 0, 16, 0, 0, 3,
		0xe8, 0, 0, 3, 0xe9, 3, 2, 0, 7};

	memcpy(out, msg, sizeof(msg));
	out[6] = (uint8_t)(declared >> 8);
	out[7] = (uint8_t)declared;
	return sizeof(msg);
}

static void malformed_data_stream_0_and_other_protocols_go_no_further(void **state)
{
	uint8_t bytes[64];
	struct rig r;
	uint32_t len = raw_data(bytes, 32);

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	rig_raw(&r.peers[0], bytes, len, 1, 3);
	rig_until(&r, r.peers[1].received == 1); /* it is good as such */
	rig_raw(&r.peers[0], bytes, len, 0, 3);
	rig_until(&r, r.refused[DROP_STREAM_0] == 1);
	rig_raw(&r.peers[0], bytes, len, 1, 5);
	rig_until(&r, rig_drops(&r, DROP_BAD_PPID) == 1);
	raw_data(bytes, 36);
	rig_raw(&r.peers[0], bytes, len, 1, 3);
	rig_until(&r, r.refused[DROP_MALFORMED] == 1);
	rig_stop(&r);
	/* with one stream there is no other than 0 */
	rig_start(&r, &(struct rig_options){.streams = 1});
	raw_data(bytes, 32);
	rig_raw(&r.peers[0], bytes, len, 0, 3);
	rig_until(&r, r.peers[1].received == 1);
	rig_stop(&r);
}

/* What `compat` forgives passes, counted, and each switch forgives one thing only. */
static void what_a_peer_is_forgiven_passes(void **state)
{
	static const uint8_t draft[] = {
		1, 0, 1, 1, 0, 0, 0, 28, 0, 2, 0, 20, 0, 0, 3, 0xe8, 0, 0, 3, 0xe9, 3, 2, 0, 5, 1, 2, 3, 4};
	static const unsigned all[] = {ASSOC_ANY_STREAM, ASSOC_ANY_PPID, ASSOC_ANY_NA, ASSOC_DRAFT_DATA};
	uint8_t bytes[64], na[64];
	struct rig r;
	uint32_t len = raw_data(bytes, 32);

	(void)state;
	memcpy(na, bytes, 8);
	memcpy(na + 8, (const uint8_t[]){2, 0, 0, 8, 0, 0, 0, 99}, 8);
	memcpy(na + 16, bytes + 8, len - 8);
	na[7] = (uint8_t)(len + 8);
	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		uint64_t passed;

		rig_start(&r, &(struct rig_options){.tolerates = all[i]});
		rig_raw(&r.peers[0], bytes, len, 0, 3);
		rig_raw(&r.peers[0], bytes, len, 1, 0);
		rig_raw(&r.peers[0], bytes, len, 1, 0x03000000);
		rig_raw(&r.peers[0], bytes, len, 1, 5);
		rig_raw(&r.peers[0], na, len + 8, 1, 3);
		rig_raw(&r.peers[0], draft, sizeof(draft), 1, 3);
		passed = all[i] == ASSOC_ANY_PPID ? 2 : 1;
		rig_until(&r, r.refused[DROP_STREAM_0] + r.refused[DROP_BAD_NA] + r.refused[DROP_MALFORMED] +
					      rig_drops(&r, DROP_BAD_PPID) ==
				      6 - passed);
		rig_until(&r, r.peers[1].received == passed);
		assert_int_equal(r.refused[DROP_STREAM_0], all[i] != ASSOC_ANY_STREAM);
		assert_int_equal(rig_drops(&r, DROP_BAD_PPID), all[i] == ASSOC_ANY_PPID ? 1 : 3);
		assert_int_equal(r.refused[DROP_BAD_NA], all[i] != ASSOC_ANY_NA);
		assert_int_equal(r.refused[DROP_MALFORMED], all[i] != ASSOC_DRAFT_DATA);
		rig_stop(&r);
	}
}

static void anything_but_data_goes_to_control_bounded(void **state)
{
	static const uint8_t aspup[] = {1, 0, 3, 1, 0, 0, 0, 8}, v2[] = {2, 0, 1, 1, 0, 0, 0, 8},
			     runt[] = {1, 0, 1};
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){.buffers = 20000});
	rig_raw(&r.peers[0], aspup, sizeof(aspup), 0, 3);
	rig_raw(&r.peers[0], v2, sizeof(v2), 0, 3);
	rig_raw(&r.peers[0], runt, sizeof(runt), 0, 3);
	rig_until(&r, r.events[PE_MESSAGE] == 3);
	/* control sleeps while a peer floods it */
	r.control_sleeps = true;
	for (unsigned i = 0; i < 3000; i++)
		rig_raw(&r.peers[0], aspup, sizeof(aspup), 0, 3);
	rig_until(&r, rig_drops(&r, DROP_CONTROL_BUSY) == 3000 - 1024);
	r.control_sleeps = false;
	rig_until(&r, r.events[PE_MESSAGE] == 3 + 1024);
	rig_raw(&r.peers[0], aspup, sizeof(aspup), 0, 3);
	rig_until(&r, r.events[PE_MESSAGE] == 3 + 1024 + 1);
	rig_stop(&r);
}

static void refusals_are_all_counted_but_not_all_told(void **state)
{
	struct m3ua_data d = usual();
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	to_nowhere(&d);
	r.control_sleeps = true;
	for (unsigned i = 0; i < 1000; i++)
		rig_send(&r.peers[0], &d, hello, 5);
	rig_until(&r, rig_drops(&r, DROP_NO_ROUTE) == 1000);
	r.control_sleeps = false;
	rig_until(&r, r.refused[DROP_NO_ROUTE] == 256);
	rig_send(&r.peers[0], &d, hello, 5);
	rig_until(&r, r.refused[DROP_NO_ROUTE] == 257);
	rig_stop(&r);
}

static void too_long_a_message_is_refused_by_the_transport_and_counted(void **state)
{
	static const uint8_t long_message[1100] = {1, 0, 1, 1, 0, 0, 4, 76};
	struct rig r;

	(void)state;
	rig_start(&r, &(struct rig_options){0});
	rig_raw(&r.peers[0], long_message, sizeof(long_message), 1, 3);
	rig_until(&r, rig_drops(&r, DROP_TOO_LONG) == 1);
	rig_stop(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_header_is_the_egress_ones_and_the_label_stays),
		cmocka_unit_test(any_length_up_to_the_limit_passes_whole),
		cmocka_unit_test(flows_use_the_streams_that_were_negotiated),
		cmocka_unit_test(a_target_of_several_ass_sends_nothing_back_to_the_sender),
		cmocka_unit_test(an_association_to_a_node_that_routes_gets_nothing_back),
		cmocka_unit_test(load_sharing_follows_the_sls),
		cmocka_unit_test(a_broadcast_reaches_all_and_the_first_of_a_flow_is_correlated),
		cmocka_unit_test(a_peer_may_have_an_sls_of_5_bits),
		cmocka_unit_test(each_refusal_is_counted_and_told_with_its_reason),
		cmocka_unit_test(an_asp_that_is_not_active_is_refused),
		cmocka_unit_test(without_a_context_two_ass_are_ambiguous_and_one_is_not),
		cmocka_unit_test(malformed_data_stream_0_and_other_protocols_go_no_further),
		cmocka_unit_test(what_a_peer_is_forgiven_passes),
		cmocka_unit_test(anything_but_data_goes_to_control_bounded),
		cmocka_unit_test(refusals_are_all_counted_but_not_all_told),
		cmocka_unit_test(too_long_a_message_is_refused_by_the_transport_and_counted),
	};

	return cmocka_run_group_tests_name("data/forward", tests, NULL, NULL);
}
