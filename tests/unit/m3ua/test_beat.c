/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M3UA BEAT both ways (RFC 4666 s.4.3.4.6). */
#include <string.h>

#include "rig.h"

static uint32_t beat(uint8_t *out, uint32_t cap, uint32_t data_len)
{
	struct wr w = wr_over(out, cap);
	uint8_t data[8192];

	for (uint32_t i = 0; i < data_len; i++)
		data[i] = (uint8_t)(i * 7);
	m3ua_begin(&w, M3UA_BEAT);
	m3ua_put_bytes(&w, M3UA_P_HEARTBEAT_DATA, data, data_len);
	return m3ua_end(&w);
}

static void data_comes_back_unchanged_of_any_length(void **state)
{
	static const uint32_t lengths[] = {0, 1, 2, 3, 4, 255, 5000, 8000};
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		uint8_t bytes[8192];
		uint32_t len = beat(bytes, sizeof(bytes), lengths[i]), got;
		uint16_t stream;
		const uint8_t *answer;

		fake_rx(r->plane, a, 5, bytes, len);
		answer = fake_last(a, &got, &stream);
		bytes[3] = M3UA_BEAT_ACK & 0xff;
		assert_int_equal(got, len);
		assert_memory_equal(answer, bytes, len);
		assert_int_equal(stream, 5);
		fake_sent(a);
	}
	rig_free(r);
}

static void unknown_parameters_come_back_too(void **state)
{
	static const uint8_t bytes[] = {
		1, 0, 3, 3, 0, 0, 0, 24, 0, 9, 0, 6, 'a', 'b', 0, 0, 0x77, 1, 0, 8, 1, 2, 3, 4};
	struct rig *r = rig_new();
	struct assoc *a;
	uint32_t len;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	fake_rx(r->plane, a, 0, bytes, sizeof(bytes));
	assert_memory_equal(fake_last(a, &len, NULL) + 8, bytes + 8, sizeof(bytes) - 8);
	assert_int_equal(len, sizeof(bytes));
	rig_free(r);
}

static void beat_is_answered_in_every_state(void **state)
{
	struct rig *r = rig_new();
	struct assoc *a;

	(void)state;
	rig_start(r);
	a = rig_connect(r, "hlr-1");
	rig_say(r, a, "BEAT");
	rig_expect(a, "BEAT_ACK");
	rig_say(r, a, "ASPUP");
	rig_forget(r);
	rig_say(r, a, "BEAT hb=x");
	rig_expect(a, "BEAT_ACK hb=78");
	rig_say(r, a, "ASPAC");
	rig_forget(r);
	rig_say(r, a, "BEAT");
	rig_expect(a, "BEAT_ACK");
	rig_free(r);
}

static struct rig *rig_that_beats(struct assoc **a)
{
	struct rig *r = rig_new();

	rig_asp_conf(r, "hlr-1")->beat_ms = 1000;
	rig_asp_conf(r, "hlr-1")->beat_timeout_ms = 1500;
	rig_start(r);
	*a = rig_connect(r, "hlr-1");
	return r;
}

static void own_beat_unanswered_aborts_the_association(void **state)
{
	struct assoc *a;
	struct rig *r = rig_that_beats(&a);

	(void)state;
	rig_pass_ms(r, 999);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "BEAT hb=00000001");
	rig_pass_ms(r, 1000);
	rig_expect(a, "BEAT hb=00000002");
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->beats_unanswered, 2);
	rig_pass_ms(r, 499);
	rig_expect(a, "");
	rig_pass_ms(r, 1);
	rig_expect(a, "<abort: M3UA heartbeat unanswered>");
	fake_down(r->plane, a, "M3UA heartbeat unanswered");
	rig_pass_ms(r, 5000);
	assert_true(fake_freed(a));
	rig_free(r);
}

static void own_beat_answered_goes_on(void **state)
{
	struct assoc *a;
	struct rig *r = rig_that_beats(&a);

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		rig_pass_ms(r, 1000);
		assert_true(strncmp(fake_sent(a), "BEAT ", 5) == 0);
		rig_say(r, a, "BEAT_ACK hb=x");
		rig_expect(a, "");
	}
	assert_int_equal(sg_asp_by_name(r->sg, "hlr-1")->beats_unanswered, 0);
	rig_free(r);
}

/* "If no Heartbeat Ack message (or any other M3UA message) is received" */
static void any_message_will_do(void **state)
{
	struct assoc *a;
	struct rig *r = rig_that_beats(&a);

	(void)state;
	rig_pass_ms(r, 2400);
	rig_say(r, a, "ASPUP");
	fake_sent(a);
	rig_pass_ms(r, 1900);
	assert_null(strstr(fake_sent(a), "abort"));
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(data_comes_back_unchanged_of_any_length),
		cmocka_unit_test(unknown_parameters_come_back_too),
		cmocka_unit_test(beat_is_answered_in_every_state),
		cmocka_unit_test(own_beat_unanswered_aborts_the_association),
		cmocka_unit_test(own_beat_answered_goes_on),
		cmocka_unit_test(any_message_will_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
