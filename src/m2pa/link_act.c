/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a transition sets in motion: commands to the data plane, timers, and what level 3 is told. */
#include "base/log.h"
#include "m2pa/link_int.h"

enum { FILLER_MAX = 252 }; /* fits the smallest max-message */

/* ---- to the peer ---- */

void m2pa_link_status(struct m2pa_link *l, enum m2pa_state state)
{
	bool proving = state == M2PA_PROVING_NORMAL || state == M2PA_PROVING_EMERGENCY;
	uint32_t filler = l->conf->proving_filler;

	if (!l->now)
		return;
	l->tx[state]++;
	m2pa_status(l->now->assoc, state, !proving ? 0 : filler < FILLER_MAX ? filler : FILLER_MAX);
}

/* "not changed by reception of status indications indicating a different status" (Q.703 s.7.2) */
static void send_proving(struct m2pa_link *l)
{
	m2pa_link_status(l, l->emergency ? M2PA_PROVING_EMERGENCY : M2PA_PROVING_NORMAL);
}

/* ---- timers ---- */

static void schedule(struct osmo_timer_list *t, uint32_t ms)
{
	osmo_timer_schedule(t, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

static void on_phase(void *data)
{
	static const struct {
		const char *reason;
		int counter;
	} rows[M2PA_LINK_EVENTS] = {
		[LE_T1] = {"T1 expired: no Ready from the peer", M2LC_T1_EXPIRED},
		[LE_T2] = {"T2 expired: no Alignment from the peer", M2LC_T2_EXPIRED},
		[LE_T3] = {"T3 expired: no Proving from the peer", M2LC_T3_EXPIRED},
		[LE_T4] = {"proved", -1},
	};
	struct m2pa_link *l = data;
	enum m2pa_link_event e = l->phase_event;

	if (rows[e].counter >= 0)
		m2pa_link_count(l, (enum m2pa_link_counter)rows[e].counter);
	m2pa_link_event(l, e == LE_T4 && l->outage ? LE_T4_OUTAGE : e, rows[e].reason);
}

static void run_phase(struct m2pa_link *l, enum m2pa_link_event e, uint32_t ms)
{
	l->phase_event = e;
	schedule(&l->phase, ms);
}

static void run_t4(struct m2pa_link *l)
{
	run_phase(l, LE_T4, l->short_proving ? l->conf->t4e_ms : l->conf->t4n_ms);
}

static void on_t5(void *data)
{
	struct m2pa_link *l = data;

	m2pa_link_status(l, M2PA_BUSY);
	schedule(&l->t5, l->conf->t5_ms);
}

static void on_t6(void *data)
{
	struct m2pa_link *l = data;

	m2pa_link_count(l, M2LC_T6_EXPIRED);
	m2pa_link_event(l, LE_T6, "T6 expired: the peer was busy for too long");
}

static void on_repeat(void *data)
{
	struct m2pa_link *l = data;

	if (l->state == M2PA_LINK_PROVING)
		send_proving(l);
	else
		m2pa_link_status(
			l, M2PA_READY); /* s.4.1.3: "MAY send additional Link Status Ready messages" */
	schedule(&l->repeat,
		l->state == M2PA_LINK_PROVING ? l->conf->proving_interval_ms : M2PA_LINK_READY_AGAIN_MS);
}

void m2pa_link_timers_init(struct m2pa_link *l)
{
	osmo_timer_setup(&l->phase, on_phase, l);
	osmo_timer_setup(&l->t5, on_t5, l);
	osmo_timer_setup(&l->t6, on_t6, l);
	osmo_timer_setup(&l->repeat, on_repeat, l);
}

static void stop_phase(struct m2pa_link *l)
{
	osmo_timer_del(&l->phase);
	osmo_timer_del(&l->repeat);
}

void m2pa_link_timers_stop(struct m2pa_link *l)
{
	stop_phase(l);
	osmo_timer_del(&l->t5);
	osmo_timer_del(&l->t6);
}

/* ---- to level 3 ---- */

static void tell_in_service(struct m2pa_link *l)
{
	if (l->told)
		return;
	l->told = true;
	l->aligning = false;
	l->backoff_ms = 0; /* a peer that got this far may be called again at once */
	m2pa_link_count(l, M2LC_IN_SERVICE);
	l->ops->in_service(l->user);
}

static void tell_out_of_service(struct m2pa_link *l)
{
	if (!l->told && !l->aligning)
		return;
	l->told = l->aligning = false;
	l->ops->out_of_service(l->user, l->reason);
}

/* ---- the association comes and goes ---- */

static void do_none(struct m2pa_link *l)
{
	(void)l;
}

static void do_connected(struct m2pa_link *l)
{
	m2pa_link_count(l, M2LC_RECONNECTS);
	m2pa_link_status(l, M2PA_OUT_OF_SERVICE);
	l->ops->available(l->user, true);
}

/* Figure 8: emergency and local processor outage are cancelled with the link. */
static void close_link(struct m2pa_link *l)
{
	m2pa_link_timers_stop(l);
	l->emergency = l->short_proving = l->outage = l->flush = false;
	l->busy_by = 0;
	l->peer_busy = l->peer_out = l->by_data = false;
	if (l->now)
		m2pa_close(l->now->assoc);
}

static void do_lost(struct m2pa_link *l)
{
	m2pa_link_count(l, M2LC_LOSSES);
	close_link(l);
	tell_out_of_service(l);
	l->ops->available(l->user, false);
}

static void do_refuse(struct m2pa_link *l)
{
	l->emergency = false;
	l->ops->out_of_service(l->user, "no association"); /* s.4.1.3 */
}

static void go_out(struct m2pa_link *l)
{
	close_link(l);
	m2pa_link_status(l, M2PA_OUT_OF_SERVICE); /* s.4.1.6; the association stays */
	tell_out_of_service(l);
}

static void do_not_possible(struct m2pa_link *l)
{
	m2pa_link_count(l, M2LC_NOT_POSSIBLE);
	go_out(l);
}

static void do_fail(struct m2pa_link *l)
{
	m2pa_link_count(l, M2LC_FAILURES);
	go_out(l);
}

static void do_send_oos(struct m2pa_link *l)
{
	m2pa_link_status(l, M2PA_OUT_OF_SERVICE);
}

/* ---- alignment ---- */

static void do_align(struct m2pa_link *l)
{
	m2pa_link_forget_old(l);
	l->now->used = true;
	l->early = -1;
	l->aligning = true;
	m2pa_link_count(l, M2LC_STARTS);
	if (l->emergency)
		m2pa_link_count(l, M2LC_EMERGENCIES);
	m2pa_reset(l->now->assoc);
	m2pa_link_status(l, M2PA_ALIGNMENT);
	run_phase(l, LE_T2, l->conf->t2_ms);
}

static void align_with(struct m2pa_link *l, bool peer_emergency)
{
	l->short_proving = l->emergency || peer_emergency;
	l->early = -1;
	stop_phase(l);
	send_proving(l);
	run_phase(l, LE_T3, l->conf->t3_ms);
}

static void do_aligned(struct m2pa_link *l)
{
	align_with(l, false);
}

static void do_aligned_e(struct m2pa_link *l)
{
	align_with(l, true);
}

static void do_prove(struct m2pa_link *l)
{
	send_proving(l);
	run_t4(l);
	schedule(&l->repeat, l->conf->proving_interval_ms);
}

static void do_prove_e(struct m2pa_link *l)
{
	l->short_proving = true;
	do_prove(l);
}

static void do_shorten(struct m2pa_link *l)
{
	if (l->short_proving)
		return;
	l->short_proving = true;
	run_t4(l);
}

static void do_hurry(struct m2pa_link *l)
{
	send_proving(l);
	if (l->state == M2PA_LINK_PROVING)
		do_shorten(l);
	l->short_proving = true;
}

static void do_remember(struct m2pa_link *l)
{
	l->early = l->event == LE_RX_OUTAGE ? LE_RX_OUTAGE : LE_RX_READY;
}

/* The peer was quicker: its Ready is not repeated for us. */
static void catch_up(struct m2pa_link *l)
{
	int e = l->early;

	l->early = -1;
	if (e >= 0)
		m2pa_link_event(l, (enum m2pa_link_event)e, "aligned, the peer before us");
}

static void do_proved(struct m2pa_link *l)
{
	stop_phase(l);
	m2pa_open(l->now->assoc);
	m2pa_link_status(l, M2PA_READY);
	run_phase(l, LE_T1, l->conf->t1_ms);
	schedule(&l->repeat, M2PA_LINK_READY_AGAIN_MS);
	catch_up(l);
}

static void do_proved_out(struct m2pa_link *l)
{
	stop_phase(l);
	m2pa_open(l->now->assoc);
	m2pa_outage(l->now->assoc);
	l->tx[M2PA_PROCESSOR_OUTAGE]++;
	run_phase(l, LE_T1, l->conf->t1_ms);
	catch_up(l);
}

static void do_go(struct m2pa_link *l)
{
	stop_phase(l);
	m2pa_go(l->now->assoc);
	l->by_data = l->event == LE_RX_DATA;
	tell_in_service(l);
}

/* ---- processor outage (s.4.1.4) ---- */

static void do_out(struct m2pa_link *l)
{
	if (l->state == M2PA_LINK_ALIGNED_NOT_READY)
		osmo_timer_del(&l->repeat); /* T1 runs on */
	else
		stop_phase(l);
	m2pa_link_count(l, M2LC_LOCAL_OUTAGES);
	l->tx[M2PA_PROCESSOR_OUTAGE]++;
	m2pa_outage(l->now->assoc);
}

static void do_recover(struct m2pa_link *l)
{
	l->tx[M2PA_PROCESSOR_RECOVERED]++;
	m2pa_recover(l->now->assoc, l->flush);
}

/* The standard sets no limit to the wait for Ready; a peer that never answers must not block the link for
 * ever. */
static void do_recover_t1(struct m2pa_link *l)
{
	do_recover(l);
	run_phase(l, LE_T1, l->conf->t1_ms);
}

static void do_recovered(struct m2pa_link *l)
{
	stop_phase(l);
	tell_in_service(l);
	l->ops->recovered(l->user);
}

static void do_peer_out(struct m2pa_link *l)
{
	stop_phase(l);
	m2pa_link_count(l, M2LC_REMOTE_OUTAGES);
	l->peer_out = true;
	m2pa_go(l->now->assoc); /* which waits for the peer */
	l->ops->remote_outage(l->user, true);
}

static void do_answer(struct m2pa_link *l)
{
	l->tx[M2PA_READY]++;
	m2pa_answer(l->now->assoc, l->ops->flush_due(l->user));
}

static void do_peer_back(struct m2pa_link *l)
{
	bool was_out = l->peer_out;

	stop_phase(l);
	l->peer_out = false;
	m2pa_go(l->now->assoc);
	do_answer(l);
	tell_in_service(l);
	if (was_out)
		l->ops->remote_outage(l->user, false);
}

/* ---- flow control (s.4.1.5) ---- */

static void do_peer_busy(struct m2pa_link *l)
{
	if (!l->peer_busy)
		m2pa_link_count(l, M2LC_BUSY_RECEIVED);
	l->peer_busy = true;
	if (l->outstanding && !osmo_timer_pending(&l->t6))
		schedule(&l->t6, l->conf->t6_ms);
}

static void do_peer_idle(struct m2pa_link *l)
{
	l->peer_busy = false;
	osmo_timer_del(&l->t6);
}

static void do_busy(struct m2pa_link *l)
{
	m2pa_link_count(l, M2LC_BUSY_SENT);
	l->tx[M2PA_BUSY]++;
	m2pa_busy(l->now->assoc, true);
	if (l->conf->t5_ms)
		schedule(&l->t5, l->conf->t5_ms);
}

static void do_idle(struct m2pa_link *l)
{
	osmo_timer_del(&l->t5);
	l->tx[M2PA_BUSY_ENDED]++;
	m2pa_busy(l->now->assoc, false);
}

void m2pa_link_act(struct m2pa_link *l, enum m2pa_link_action action)
{
	static void (*const acts[M2PA_LINK_ACTIONS])(struct m2pa_link *) = {
		[LX_NONE] = do_none,
		[LX_CONNECTED] = do_connected,
		[LX_LOST] = do_lost,
		[LX_REFUSE] = do_refuse,
		[LX_ALIGN] = do_align,
		[LX_ALIGNED] = do_aligned,
		[LX_ALIGNED_E] = do_aligned_e,
		[LX_PROVE] = do_prove,
		[LX_PROVE_E] = do_prove_e,
		[LX_REALIGN] = do_aligned,
		[LX_HURRY] = do_hurry,
		[LX_SHORTEN] = do_shorten,
		[LX_REMEMBER] = do_remember,
		[LX_PROVED] = do_proved,
		[LX_PROVED_OUT] = do_proved_out,
		[LX_NOT_POSSIBLE] = do_not_possible,
		[LX_FAIL] = do_fail,
		[LX_STOPPED] = go_out,
		[LX_SEND_OOS] = do_send_oos,
		[LX_GO] = do_go,
		[LX_OUT] = do_out,
		[LX_RECOVER] = do_recover,
		[LX_RECOVER_T1] = do_recover_t1,
		[LX_RECOVERED] = do_recovered,
		[LX_PEER_OUT] = do_peer_out,
		[LX_PEER_BACK] = do_peer_back,
		[LX_ANSWER] = do_answer,
		[LX_PEER_BUSY] = do_peer_busy,
		[LX_PEER_IDLE] = do_peer_idle,
		[LX_BUSY] = do_busy,
		[LX_IDLE] = do_idle,
	};

	acts[action](l);
}
