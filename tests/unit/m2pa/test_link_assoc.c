/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link's associations: they come, go and are replaced; what they have is retrieved and counted. */
#include "rig.h"

#include <string.h>

/* ---- coming and going ---- */

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
	assert_int_equal(rig_count(b, M2LC_REPLACED), 1);
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

/* ---- what is counted ---- */

static void a_link_counts_what_all_its_associations_carried(void **state)
{
	struct rig *r = rig_new();
	struct side *a = rig_link(r, "a", false);
	struct m2pa_link_info info;

	(void)state;
	rig_in_service(a);
	assert_true(m2pa_link_send(a->l, NULL));
	assert_true(m2pa_link_send(a->l, NULL));
	rig_down(a);
	m2pa_link_info(a->l, &info);
	assert_int_equal(info.traffic.c[AC_TX_DATA], 2);
	assert_int_equal(info.traffic.txq, 0); /* there is none that it could wait in */
	rig_pass_ms(r, 1000);
	rig_in_service(a); /* with that the first one's buffers are gone */
	assert_true(m2pa_link_send(a->l, NULL));
	m2pa_link_info(a->l, &info);
	assert_int_equal(info.traffic.c[AC_TX_DATA], 3);
	assert_int_equal(info.traffic.txq, 3);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(a_link_counts_what_all_its_associations_carried),
		cmocka_unit_test(a_removed_link_leaves_nothing_behind),
		cmocka_unit_test(restart_and_shutdown),
	};

	return cmocka_run_group_tests_name("m2pa/link_assoc", tests, NULL, NULL);
}
