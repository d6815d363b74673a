/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links as level 3 sees them: alignment, outage, flow control, changeover, associations that come and go. */
#include "rig.h"

#include <string.h>

static uint64_t count(const struct side *s, enum m2pa_link_counter c)
{
	struct m2pa_link_info info;

	m2pa_link_info(s->l, &info);
	return info.c[c];
}

/* ---- alignment (RFC 4165 s.4.1.3) ---- */

static struct rig *two_links(struct side **a, struct side **b)
{
	struct rig *r = rig_new();

	*a = rig_link(r, "a", false);
	*b = rig_link(r, "b", true);
	rig_join(*a, *b);
	rig_up(*a);
	rig_up(*b);
	rig_pass_ms(r, 0);
	return r;
}

static void both_ends_come_into_service_after_proving(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	assert_said(a, "connect S:Out of Service +up");
	assert_said(b, "adopt S:Out of Service +up");
	m2pa_link_start(a->l, false);
	rig_pass_ms(r, 1000); /* B has not started: its end stays out of service */
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_NOT_ALIGNED);
	m2pa_link_start(b->l, false);
	rig_pass_ms(r, 8000);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_PROVING);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_PROVING);
	rig_pass_ms(r, 300);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	assert_non_null(strstr(a->said, "+in"));
	/* proving goes on at its interval */
	assert_in_range(a->l->tx[M2PA_PROVING_NORMAL], 75, 90);
	assert_int_equal(count(a, M2LC_IN_SERVICE), 1);
	rig_free(r);
}

static void an_emergency_at_one_end_shortens_proving_at_both(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	m2pa_link_start(a->l, true);
	m2pa_link_start(b->l, false);
	rig_pass_ms(r, 600);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	/* each says what it is itself (Q.703 s.7.2) */
	assert_true(a->l->rx[M2PA_PROVING_NORMAL] && !a->l->rx[M2PA_PROVING_EMERGENCY]);
	assert_true(b->l->rx[M2PA_PROVING_EMERGENCY] && !b->l->rx[M2PA_PROVING_NORMAL]);
	rig_free(r);
}

static void an_emergency_that_arises_while_proving_shortens_it(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	m2pa_link_start(a->l, false);
	m2pa_link_start(b->l, false);
	rig_pass_ms(r, 2000);
	m2pa_link_emergency(b->l, true);
	rig_pass_ms(r, 600);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void t2_ends_an_alignment_that_the_peer_does_not_join(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, false);
	a->said[0] = '\0';
	rig_pass_ms(r, a->conf.t2_ms + 10);
	assert_said(a, "close S:Out of Service +out(T2 expired: no Alignment from the peer)");
	assert_int_equal(count(a, M2LC_T2_EXPIRED), 1);
	assert_int_equal(count(a, M2LC_NOT_POSSIBLE), 1);
	rig_free(r);
}

static void t3_ends_an_alignment_in_which_the_peer_does_not_prove(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, false);
	rig_status(a, M2PA_ALIGNMENT, false);
	a->said[0] = '\0';
	rig_pass_ms(r, a->conf.t3_ms + 10);
	assert_said(a, "close S:Out of Service +out(T3 expired: no Proving from the peer)");
	rig_free(r);
}

static void t1_ends_the_wait_for_a_peer_that_is_never_ready(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, true);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_pass_ms(r, 510);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_ALIGNED_READY);
	a->said[0] = '\0';
	rig_pass_ms(r, 2100); /* Ready is sent again */
	assert_said(a, "S:Ready S:Ready");
	rig_pass_ms(r, a->conf.t1_ms);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	assert_int_equal(count(a, M2LC_T1_EXPIRED), 1);
	rig_free(r);
}

static void a_peer_that_has_proved_first_need_not_repeat_itself(void **state)
{
	static const struct {
		enum m2pa_state early;
		enum m2pa_link_state then;
	} rows[] = {
		{M2PA_READY, M2PA_LINK_IN_SERVICE},
		{M2PA_PROCESSOR_OUTAGE, M2PA_LINK_REMOTE_OUTAGE},
	};

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct rig *r = rig_new();
		struct side *a = rig_link(r, "a", false);

		rig_up(a);
		m2pa_link_start(a->l, true);
		rig_status(a, M2PA_PROVING_NORMAL, false);
		rig_status(a, M2PA_PROVING_NORMAL, false);
		rig_status(a, rows[i].early, false);
		assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_PROVING);
		rig_pass_ms(r, 510);
		assert_int_equal(m2pa_link_state(a->l), rows[i].then);
		rig_free(r);
	}
}

static void user_data_that_overtakes_ready_brings_into_service(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	m2pa_link_start(a->l, true);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_pass_ms(r, 510);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_DATA});
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	/* what it has overtaken is no failure */
	rig_status(a, M2PA_PROVING_NORMAL, false);
	rig_status(a, M2PA_READY, false);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_status(a, M2PA_PROVING_NORMAL, false);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	rig_free(r);
}

static void a_failed_link_aligns_again(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	a->starts = b->starts = true;
	m2pa_link_start(a->l, true);
	m2pa_link_start(b->l, true);
	rig_pass_ms(r, 1000);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_T7});
	assert_non_null(strstr(a->said, "+out(T7)"));
	rig_pass_ms(r, 10000);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(count(a, M2LC_T7_EXPIRED), 1);
	assert_int_equal(count(b, M2LC_FAILURES), 1);
	rig_free(r);
}

static void another_version_is_answered_out_of_service(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_up(a);
	a->said[0] = '\0';
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_OTHER_VERSION});
	assert_said(a, "S:Out of Service");
	m2pa_link_start(a->l, false);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_OTHER_VERSION});
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	rig_free(r);
}

/* ---- processor outage (s.4.1.4) ---- */

static void outage_and_recovery_as_in_figure_15(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	m2pa_link_start(a->l, true);
	m2pa_link_start(b->l, true);
	rig_pass_ms(r, 1000);
	a->said[0] = b->said[0] = '\0';
	m2pa_link_processor_outage(a->l, true, false);
	rig_pass_ms(r, 5);
	assert_said(a, "outage");
	assert_said(b, "go +remote:1");
	b->flush = true;
	m2pa_link_processor_outage(a->l, false, true);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_RECOVERING);
	rig_pass_ms(r, 5);
	assert_said(a, "recover:1 +recovered");
	assert_said(b, "go answer:1 +remote:0");
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void outages_at_both_ends_end_one_after_the_other(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	m2pa_link_start(a->l, true);
	m2pa_link_start(b->l, true);
	rig_pass_ms(r, 1000);
	m2pa_link_processor_outage(a->l, true, false);
	m2pa_link_processor_outage(b->l, true, false);
	rig_pass_ms(r, 5);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_BOTH_OUTAGES);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_BOTH_OUTAGES);
	m2pa_link_processor_outage(a->l, false, false);
	rig_pass_ms(r, 5);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_REMOTE_OUTAGE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_LOCAL_OUTAGE);
	m2pa_link_processor_outage(b->l, false, false);
	rig_pass_ms(r, 5);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void an_outage_during_alignment_is_told_in_the_place_of_ready(void **state)
{
	struct side *a, *b;
	struct rig *r = two_links(&a, &b);

	(void)state;
	m2pa_link_start(a->l, true);
	m2pa_link_start(b->l, true);
	m2pa_link_processor_outage(a->l, true, false);
	rig_pass_ms(r, 1000);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_LOCAL_OUTAGE);
	assert_int_equal(m2pa_link_state(b->l), M2PA_LINK_REMOTE_OUTAGE);
	assert_null(strstr(b->said, "+in"));
	m2pa_link_processor_outage(a->l, false, false);
	rig_pass_ms(r, 5);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	assert_non_null(strstr(b->said, "answer:0 +in +remote:0"));
	rig_free(r);
}

static void an_outage_ends_with_the_link(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	m2pa_link_processor_outage(a->l, true, false);
	m2pa_link_stop(a->l);
	a->said[0] = '\0';
	m2pa_link_processor_outage(a->l, false, false);
	m2pa_link_processor_outage(a->l, true, false);
	assert_said(a, "");
	rig_free(r);
}

/* ---- flow control (s.4.1.5) ---- */

static void t6_runs_from_the_first_busy_if_messages_are_outstanding(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_status(a, M2PA_BUSY, false);
	rig_pass_ms(r, a->conf.t6_ms + 10);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_status(a, M2PA_BUSY_ENDED, false);
	rig_status(a, M2PA_BUSY, true);
	rig_pass_ms(r, a->conf.t6_ms - 500);
	rig_status(a, M2PA_BUSY, true); /* does not reset it */
	rig_pass_ms(r, 510);
	assert_said(a, "close S:Out of Service +out(T6 expired: the peer was busy for too long)");
	assert_int_equal(count(a, M2LC_BUSY_RECEIVED), 2);
	rig_free(r);
}

static void busy_ended_stops_t6(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_status(a, M2PA_BUSY, true);
	rig_pass_ms(r, 1000);
	rig_status(a, M2PA_BUSY_ENDED, true);
	rig_pass_ms(r, a->conf.t6_ms + 10);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_IN_SERVICE);
	rig_free(r);
}

static void we_are_busy_as_long_as_anything_makes_us_so(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 1});
	m2pa_link_busy(a->l, true);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 0});
	assert_said(a, "busy:1");
	rig_pass_ms(r, 1000); /* once: "SHOULD NOT be transmitted continuously" */
	assert_said(a, "");
	m2pa_link_busy(a->l, false);
	assert_said(a, "busy:0");
	/* unless T5 is set */
	a->conf.t5_ms = 100;
	m2pa_link_busy(a->l, true);
	rig_pass_ms(r, 210);
	assert_said(a, "busy:1 S:Busy S:Busy");
	m2pa_link_busy(a->l, false);
	rig_pass_ms(r, 210);
	assert_said(a, "busy:0");
	rig_free(r);
}

static void congestion_is_told_with_its_level(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 2});
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 2});
	rig_event(a, &(struct plane_event){.kind = PE_CONGESTION, .value = 0});
	assert_said(a, "+congestion:2 +congestion:0");
	rig_free(r);
}

/* ---- associations ---- */

static void a_start_without_an_association_is_out_of_service(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	m2pa_link_start(a->l, false);
	assert_said(a, "connect +out(no association)");
	rig_free(r);
}

static void clients_reconnect_for_ever_with_back_off(void **state)
{
	static const uint32_t waits[] = {750, 1500, 3000, 6000, 6000};
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	for (unsigned i = 0; i < sizeof(waits) / sizeof(waits[0]); i++) {
		unsigned before = rig_assocs();

		rig_down(a);
		rig_pass_ms(r, waits[i] - 10);
		assert_int_equal(rig_assocs(), before);
		rig_pass_ms(r, 20);
		assert_int_equal(rig_assocs(), before + 1);
	}
	rig_in_service(a); /* that peer may be called again soon */
	rig_down(a);
	rig_pass_ms(r, 760);
	assert_said(a, "close +out(association lost) +down connect");
	rig_free(r);
}

static void a_loss_is_told_once_and_the_link_is_out_of_service(void **state)
{
	static const enum plane_event_kind kinds[] = {PE_PEER_SHUTDOWN, PE_DOWN, PE_RESTART, PE_SEND_FAILED};

	(void)state;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct rig *r = rig_new();
		struct side *a = rig_link(r, "a", false);

		rig_in_service(a);
		rig_event(a, &(struct plane_event){.kind = kinds[i]});
		assert_non_null(strstr(a->said, "+out("));
		assert_int_equal(m2pa_link_state(a->l), kinds[i] == PE_RESTART || kinds[i] == PE_SEND_FAILED
								? M2PA_LINK_OUT_OF_SERVICE
								: M2PA_LINK_NO_ASSOCIATION);
		a->said[0] = '\0';
		if (kinds[i] != PE_DOWN) {
			rig_down(a);
			assert_null(strstr(a->said, "+out("));
		}
		rig_free(r);
	}
}

static void a_returning_peer_replaces_its_association(void **state)
{
	struct rig *r = rig_new();
	struct side *b = rig_link(r, "b", true);

	(void)state;
	rig_in_service(b);
	assert_true(rig_arrive(r, "links", "127.0.0.1", 3565));
	assert_said(b, "close +out(replaced by a new association of the peer) +down abort adopt");
	assert_int_equal(count(b, M2LC_REPLACED), 1);
	/* its end is for nobody's ears */
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_FAULT});
	rig_event_of(0, &(struct plane_event){.kind = PE_DOWN});
	assert_said(b, "");
	rig_event(b, &(struct plane_event){.kind = PE_UP});
	m2pa_link_start(b->l, false);
	assert_said(b, "S:Out of Service +up free reset S:Alignment");
	rig_free(r);
}

static void a_peer_finds_its_link(void **state)
{
	struct rig *r = rig_new();
	struct side *any = rig_link(r, "any", true), *ported = rig_link(r, "ported", true);

	(void)state;
	any->conf.tp.n_remote = 0;
	any->conf.listener = "links";
	ported->conf.tp.remote_port = 3565;
	assert_false(rig_arrive(r, "others", "127.0.0.2", 3565));
	assert_false(rig_arrive(r, "others", "127.0.0.1", 4000));
	assert_true(rig_arrive(r, "others", "127.0.0.1", 3565));
	assert_said(ported, "adopt");
	assert_true(rig_arrive(r, "links", "10.0.0.1", 4000));
	assert_said(any, "adopt");
	rig_link(r, "client", false);
	m2pa_links_shutdown(r->ls);
	assert_false(rig_arrive(r, "links", "10.0.0.1", 4000));
	rig_free(r);
}

/* ---- changeover ---- */

static void a_changeover_with_the_association_up(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	assert_false(m2pa_link_retrieve_bsnt(a->l));
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_FAULT, .value = M2PA_F_T7});
	a->said[0] = '\0';
	assert_true(m2pa_link_send(a->l, NULL)); /* is retrieved with the others */
	assert_true(m2pa_link_retrieve_bsnt(a->l));
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_BSNT, .value = 7});
	assert_true(m2pa_link_retrieve(a->l, 5));
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_RETRIEVED});
	rig_event(a, &(struct plane_event){.kind = PE_M2PA_RETRIEVAL_DONE, .value = 1});
	assert_said(a, "send bsnt +bsnt:7 retrieve:5 +got +done:1");
	assert_false(m2pa_link_retrieve(a->l, 5));
	assert_false(m2pa_link_send(a->l, NULL));
	m2pa_link_start(a->l, false);
	assert_true(m2pa_link_send(a->l, NULL));
	rig_free(r);
}

static void a_changeover_from_an_association_that_is_gone(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_down(a);
	rig_pass_ms(r, 1000);
	rig_up(a); /* a new one is there before level 3 has got round to it */
	a->said[0] = '\0';
	assert_true(m2pa_link_retrieve_bsnt(a->l));
	assert_true(m2pa_link_retrieve(a->l, 9));
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_BSNT, .value = 7});
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_RETRIEVED});
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_RETRIEVAL_DONE, .value = 1});
	assert_said(a, "bsnt retrieve:9 +bsnt:7 +got free +done:1");
	assert_false(m2pa_link_retrieve(a->l, 9));
	rig_free(r);
}

static void a_changeover_waits_for_the_end_of_the_association(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_PEER_SHUTDOWN});
	a->said[0] = '\0';
	assert_true(m2pa_link_retrieve_bsnt(a->l));
	assert_true(m2pa_link_retrieve(a->l, M2PA_NO_FSNC));
	assert_said(a, ""); /* a half sent message is still with the transport */
	rig_down(a);
	assert_said(a, "bsnt retrieve:16777216");
	rig_free(r);
}

static void messages_are_kept_past_associations_that_never_carried_any(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_down(a);
	rig_pass_ms(r, 1000);
	rig_up(a);
	rig_down(a); /* lost before it was aligned */
	rig_pass_ms(r, 2000);
	rig_up(a);
	a->said[0] = '\0';
	assert_true(m2pa_link_retrieve(a->l, 9));
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_RETRIEVAL_DONE, .value = 0});
	assert_said(a, "retrieve:9 free +done:0");
	rig_free(r);
}

static void what_was_acknowledged_is_delivered_even_late(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	rig_event(a, &(struct plane_event){.kind = PE_RESTART});
	a->said[0] = '\0';
	rig_event(a, &(struct plane_event){.kind = PE_MESSAGE});
	rig_event(a, &(struct plane_event){.kind = PE_DATA_REFUSED});
	assert_said(a, "+msg +refused");
	rig_free(r);
}

/* ---- management ---- */

static void a_removed_link_leaves_nothing_behind(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	m2pa_link_remove(a->l);
	assert_said(a, "abort");
	assert_false(m2pa_links_are_gone(r->ls));
	rig_event_of(0, &(struct plane_event){.kind = PE_M2PA_STATUS, .value = M2PA_READY});
	rig_event_of(0, &(struct plane_event){.kind = PE_DOWN});
	assert_said(a, "free");
	assert_true(m2pa_links_are_gone(r->ls));
	r->n_sides = 0;
	rig_free(r);
}

static void restart_and_shutdown(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);

	(void)state;
	rig_in_service(a);
	m2pa_link_restart(a->l);
	assert_said(a, "abort");
	rig_down(a);
	a->said[0] = '\0';
	m2pa_link_restart(a->l); /* does not wait */
	assert_said(a, "connect");
	rig_in_service(a);
	m2pa_links_shutdown(r->ls);
	assert_said(a, "close S:Out of Service +out(stopped) shutdown");
	rig_down(a);
	rig_pass_ms(r, 20000);
	assert_said(a, "close +down");
	assert_true(m2pa_links_are_gone(r->ls));
	rig_free(r);
}

static void timers_and_limits_change_in_place(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);
	struct m2pa_link_conf changed;
	struct m2pa_link_info info;

	(void)state;
	rig_up(a);
	changed = a->conf;
	changed.t2_ms = 100;
	m2pa_link_reconfigure(a->l, &changed);
	m2pa_link_start(a->l, true);
	m2pa_link_info(a->l, &info);
	assert_ptr_equal(info.conf, &changed);
	assert_true(info.emergency);
	assert_int_equal(info.state, M2PA_LINK_NOT_ALIGNED);
	assert_ptr_equal(info.assoc, m2pa_link_assoc(a->l));
	rig_pass_ms(r, 110);
	assert_int_equal(m2pa_link_state(a->l), M2PA_LINK_OUT_OF_SERVICE);
	for (unsigned c = 0; c < M2LC_COUNT; c++)
		assert_non_null(m2pa_link_counter_rows[c].name);
	rig_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(both_ends_come_into_service_after_proving),
		cmocka_unit_test(an_emergency_at_one_end_shortens_proving_at_both),
		cmocka_unit_test(an_emergency_that_arises_while_proving_shortens_it),
		cmocka_unit_test(t2_ends_an_alignment_that_the_peer_does_not_join),
		cmocka_unit_test(t3_ends_an_alignment_in_which_the_peer_does_not_prove),
		cmocka_unit_test(t1_ends_the_wait_for_a_peer_that_is_never_ready),
		cmocka_unit_test(a_peer_that_has_proved_first_need_not_repeat_itself),
		cmocka_unit_test(user_data_that_overtakes_ready_brings_into_service),
		cmocka_unit_test(a_failed_link_aligns_again),
		cmocka_unit_test(another_version_is_answered_out_of_service),
		cmocka_unit_test(outage_and_recovery_as_in_figure_15),
		cmocka_unit_test(outages_at_both_ends_end_one_after_the_other),
		cmocka_unit_test(an_outage_during_alignment_is_told_in_the_place_of_ready),
		cmocka_unit_test(an_outage_ends_with_the_link),
		cmocka_unit_test(t6_runs_from_the_first_busy_if_messages_are_outstanding),
		cmocka_unit_test(busy_ended_stops_t6),
		cmocka_unit_test(we_are_busy_as_long_as_anything_makes_us_so),
		cmocka_unit_test(congestion_is_told_with_its_level),
		cmocka_unit_test(a_start_without_an_association_is_out_of_service),
		cmocka_unit_test(clients_reconnect_for_ever_with_back_off),
		cmocka_unit_test(a_loss_is_told_once_and_the_link_is_out_of_service),
		cmocka_unit_test(a_returning_peer_replaces_its_association),
		cmocka_unit_test(a_peer_finds_its_link),
		cmocka_unit_test(a_changeover_with_the_association_up),
		cmocka_unit_test(a_changeover_from_an_association_that_is_gone),
		cmocka_unit_test(a_changeover_waits_for_the_end_of_the_association),
		cmocka_unit_test(messages_are_kept_past_associations_that_never_carried_any),
		cmocka_unit_test(what_was_acknowledged_is_delivered_even_late),
		cmocka_unit_test(a_removed_link_leaves_nothing_behind),
		cmocka_unit_test(restart_and_shutdown),
		cmocka_unit_test(timers_and_limits_change_in_place),
	};

	return cmocka_run_group_tests_name("m2pa/link", tests, NULL, NULL);
}
