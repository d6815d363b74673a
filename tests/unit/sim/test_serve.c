/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_tp.h"
#include "sim/serve.h"

static struct fake_env e;
static struct asp a;
static struct as_opts conf;

static void on_changed(struct asp *asp)
{
	(void)asp;
}

static void on_ssnm(struct asp *asp, const struct m3ua_msg *m)
{
	(void)asp;
	(void)m;
}

static const struct asp_upcalls up = {.changed = on_changed, .ssnm = on_ssnm};

static void connected(enum asp_role role)
{
	conf = (struct as_opts){
		.name = "sg", .has_rc = true, .rc = 10, .has_pc = true, .pc = 33, .role = role, .asps = 1};
	if (role == ASP_ROLE_IPSP_DE) {
		conf.has_peer_rc = true;
		conf.peer_rc = 20;
	}
	fake_env_init(&e, &up);
	asp_init(&a, &e.env, NULL, &conf, 0);
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_event(&a, TP_UP);
}

static int end(void **state)
{
	(void)state;
	asp_want(&a, ASP_GOAL_OFF);
	fake_event(&a, TP_DOWN);
	asp_fini(&a);
	fake_env_fini(&e);
	return 0;
}

/* The N-th message sent is of TYPE; with TAG, it has this value. */
static void assert_sent(unsigned nth, uint16_t type, uint16_t tag, uint32_t want)
{
	struct m3ua_msg m;
	struct m3ua_fault f;
	uint32_t v;

	assert_int_equal(fake_sent(nth), type);
	if (type == 0xffff || !tag)
		return;
	assert_true(m3ua_parse(mbuf_head(fake_tp.sent[nth]), fake_tp.sent[nth]->len, &m, &f));
	assert_true(m3ua_find_u32(&m, tag, &v));
	assert_int_equal(v, want);
}

static const uint32_t as_inactive = M3UA_NTFY_AS_STATE << 16 | M3UA_AS_INACTIVE;
static const uint32_t as_active = M3UA_NTFY_AS_STATE << 16 | M3UA_AS_ACTIVE;

static void sgp_is_active(void)
{
	connected(ASP_ROLE_SGP);
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	assert_int_equal(a.state, ASP_ACTIVE);
	fake_forget();
}

static void an_sgp_answers_and_notifies(void **state)
{
	(void)state;
	connected(ASP_ROLE_SGP);
	assert_sent(0, 0xffff, 0, 0); /* the gateway begins */
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	assert_sent(0, M3UA_ASPUP_ACK, 0, 0);
	assert_sent(1, M3UA_NTFY, M3UA_P_STATUS, as_inactive);
	assert_false(asp_may_send(&a));
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(2, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(3, M3UA_NTFY, M3UA_P_STATUS, as_active);
	assert_true(asp_may_send(&a) && asp_settled(&a));
	fake_peer(&a, M3UA_ASPIA, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(4, M3UA_ASPIA_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(5, M3UA_NTFY, M3UA_P_STATUS, as_inactive);
	fake_peer(&a, M3UA_ASPDN, 0, 0);
	assert_sent(6, M3UA_ASPDN_ACK, 0, 0);
	assert_sent(7, 0xffff, 0, 0);
	assert_int_equal(a.state, ASP_DOWN);
	assert_int_equal(a.c[ASP_C_REQUESTS], 4);
}

static void an_sgp_never_answers_with_silence(void **state)
{
	(void)state;
	connected(ASP_ROLE_SGP);
	fake_peer(&a, M3UA_ASPAC, 0, 0);
	assert_sent(0, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_UNEXPECTED);
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	fake_forget();
	fake_peer(&a, M3UA_ASPUP, 0, 0); /* repeated: acknowledged, nothing new to notify */
	assert_sent(0, M3UA_ASPUP_ACK, 0, 0);
	assert_sent(1, 0xffff, 0, 0);
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 11);
	assert_sent(1, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_NO_AS);
	assert_sent(1, M3UA_ERR, M3UA_P_ROUTING_CONTEXT, 11);
	fake_peer(&a, M3UA_ASPAC, 0, 0);
	fake_forget();
	fake_peer(&a, M3UA_ASPUP, 0, 0); /* s.4.3.4.1 */
	assert_sent(0, M3UA_ASPUP_ACK, 0, 0);
	assert_sent(1, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_UNEXPECTED);
	assert_int_equal(a.state, ASP_INACTIVE);
	fake_forget();
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0); /* not of an ASP */
	assert_sent(0, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_UNEXPECTED);
}

static void an_operator_of_an_sgp_takes_back_and_locks(void **state)
{
	(void)state;
	sgp_is_active();
	asp_want(&a, ASP_GOAL_INACTIVE);
	asp_pass(&e.env);
	assert_sent(0, M3UA_ASPIA_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(1, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_REFUSED);
	asp_want(&a, ASP_GOAL_DOWN);
	asp_pass(&e.env);
	assert_sent(2, M3UA_ASPDN_ACK, 0, 0);
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	assert_sent(3, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_REFUSED);
	assert_int_equal(a.state, ASP_DOWN);
	asp_want(&a, ASP_GOAL_ACTIVE);
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	assert_int_equal(a.state, ASP_INACTIVE);
}

static void an_sgp_leaves_with_aspdn_ack(void **state)
{
	(void)state;
	sgp_is_active();
	asp_want(&a, ASP_GOAL_OFF);
	asp_pass(&e.env);
	assert_sent(0, M3UA_ASPDN_ACK, 0, 0);
	assert_int_equal(fake_tp.shutdowns, 1);
	assert_int_equal(a.state, ASP_LEAVING);
}

static void an_sgp_answers_audits_and_reports(void **state)
{
	(void)state;
	connected(ASP_ROLE_SGP);
	fake_peer(&a, M3UA_DAUD, M3UA_P_AFFECTED_PC, 33);
	assert_sent(0, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_UNEXPECTED); /* not before ASPAC */
	fake_peer(&a, M3UA_ASPUP, 0, 0);
	fake_peer(&a, M3UA_ASPAC, 0, 0);
	fake_forget();
	fake_peer(&a, M3UA_DAUD, M3UA_P_AFFECTED_PC, 33);
	assert_sent(0, M3UA_DAVA, M3UA_P_AFFECTED_PC, 33);
	fake_peer(&a, M3UA_DAUD, M3UA_P_AFFECTED_PC, 34); /* nobody here */
	assert_sent(1, M3UA_DUNA, M3UA_P_AFFECTED_PC, 34);
	serve_reachable(&a, false);
	asp_pass(&e.env);
	assert_sent(2, M3UA_DUNA, M3UA_P_AFFECTED_PC, 33);
	fake_peer(&a, M3UA_DAUD, M3UA_P_AFFECTED_PC, 33);
	assert_sent(3, M3UA_DUNA, M3UA_P_AFFECTED_PC, 33);
	serve_reachable(&a, true);
	asp_pass(&e.env);
	assert_sent(4, M3UA_DAVA, M3UA_P_ROUTING_CONTEXT, 10);
}

static void a_restart_of_an_sgp_begins_again(void **state)
{
	(void)state;
	sgp_is_active();
	fake_event(&a, TP_RESTART);
	assert_int_equal(a.state, ASP_DOWN);
	assert_sent(0, 0xffff, 0, 0);
}

static void single_exchange_is_moved_by_either_side(void **state)
{
	(void)state;
	connected(ASP_ROLE_IPSP_SE);
	assert_sent(0, M3UA_ASPUP, 0, 0);
	fake_peer(&a, M3UA_ASPUP, 0, 0); /* they cross */
	assert_sent(1, M3UA_ASPUP_ACK, 0, 0);
	assert_sent(2, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(3, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_true(asp_may_send(&a) && asp_settled(&a));
	fake_peer(&a, M3UA_ASPAC_ACK, 0, 0);
	assert_int_equal(a.state, ASP_ACTIVE);
	assert_sent(4, 0xffff, 0, 0); /* no NTFY, no T(ack) */
	assert_false(ev_is_active(&a.t_ack));
	fake_peer(&a, M3UA_ASPIA, 0, 0);
	assert_sent(4, M3UA_ASPIA_ACK, 0, 0);
	assert_sent(5, 0xffff, 0, 0); /* it is not asked to return */
	assert_int_equal(a.state, ASP_INACTIVE);
}

static void double_exchange_has_two_directions(void **state)
{
	(void)state;
	connected(ASP_ROLE_IPSP_DE);
	fake_peer(&a, M3UA_ASPUP_ACK, 0, 0);
	assert_int_equal(a.peer, ASP_INACTIVE); /* s.4.3.4.1.2 */
	assert_sent(1, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	fake_peer(&a, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 10);
	assert_int_equal(a.state, ASP_ACTIVE);
	assert_false(asp_may_send(&a) || asp_settled(&a)); /* its own is not active yet */
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 10);
	assert_sent(2, M3UA_ERR, M3UA_P_ERROR_CODE, M3UA_E_NO_AS);
	fake_peer(&a, M3UA_ASPAC, M3UA_P_ROUTING_CONTEXT, 20);
	assert_sent(3, M3UA_ASPAC_ACK, M3UA_P_ROUTING_CONTEXT, 20);
	assert_true(asp_may_send(&a) && asp_settled(&a));
	asp_want(&a, ASP_GOAL_INACTIVE); /* ours only */
	fake_peer(&a, M3UA_ASPIA_ACK, 0, 0);
	assert_int_equal(a.state, ASP_INACTIVE);
	assert_true(asp_may_send(&a));
	fake_event(&a, TP_RESTART);
	assert_int_equal(a.peer, ASP_DOWN);
	fake_event(&a, TP_DOWN);
	assert_int_equal(a.peer, ASP_OFF);
}

#define CASE(f) cmocka_unit_test_teardown(f, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(an_sgp_answers_and_notifies),
		CASE(an_sgp_never_answers_with_silence),
		CASE(an_operator_of_an_sgp_takes_back_and_locks),
		CASE(an_sgp_leaves_with_aspdn_ack),
		CASE(an_sgp_answers_audits_and_reports),
		CASE(a_restart_of_an_sgp_begins_again),
		CASE(single_exchange_is_moved_by_either_side),
		CASE(double_exchange_has_two_directions),
	};

	return cmocka_run_group_tests_name("sim/serve", tests, NULL, NULL);
}
