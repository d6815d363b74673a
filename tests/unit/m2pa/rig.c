/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <osmocom/core/application.h>
#include <osmocom/core/timer_compat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"

/* ---- the plane that is played ---- */

struct assoc {
	void *owner;
	struct side *side;
	char name[32];
	bool freed;
	/* Link Status on its way to the peer */
	enum m2pa_state sent[64];
	unsigned n_sent, carried;
};

static struct assoc assocs[RIG_ASSOCS];
static unsigned n_assocs;
static struct rig *rig;
static bool refuse_to_connect;

static void say(struct side *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct side *s, const char *fmt, ...)
{
	size_t used = strlen(s->said);
	va_list ap;

	if (used)
		used += (size_t)snprintf(s->said + used, sizeof(s->said) - used, " ");
	va_start(ap, fmt);
	vsnprintf(s->said + used, sizeof(s->said) - used, fmt, ap);
	va_end(ap);
}

static struct assoc *make(const struct assoc_conf *conf, const char *how)
{
	struct assoc *a = &assocs[n_assocs++];

	assert_true(n_assocs <= RIG_ASSOCS);
	assert_int_equal(conf->proto, ASSOC_M2PA);
	*a = (struct assoc){.owner = conf->owner};
	snprintf(a->name, sizeof(a->name), "%s", conf->name);
	for (unsigned i = 0; i < rig->n_sides; i++)
		if (!strcmp(rig->sides[i].conf.name, conf->name))
			a->side = &rig->sides[i];
	say(a->side, "%s", how);
	return a;
}

struct assoc *assoc_connect(struct plane *p, const struct assoc_conf *conf, char *why)
{
	(void)p;
	snprintf(why, TP_REASON, "no such transport");
	return refuse_to_connect ? NULL : make(conf, "connect");
}

struct assoc *assoc_adopt(struct plane *p, struct tp_incoming *in, const struct assoc_conf *conf, char *why)
{
	(void)p;
	(void)in;
	(void)why;
	return make(conf, "adopt");
}

void *assoc_owner(const struct assoc *a)
{
	return a->owner;
}

void assoc_send(struct assoc *a, struct mbuf *m)
{
	(void)m;
	a->carried++;
	say(a->side, "send");
}

void assoc_abort(struct assoc *a, const char *why)
{
	(void)why;
	say(a->side, "abort");
}

void assoc_shutdown(struct assoc *a)
{
	say(a->side, "shutdown");
}

void assoc_free(struct assoc *a)
{
	assert_false(a->freed);
	a->freed = true;
	say(a->side, "free");
}

void assoc_stats(const struct assoc *a, struct assoc_stats *out)
{
	*out = (struct assoc_stats){.c = {[AC_TX_DATA] = a->carried}, .txq = 3};
}

void plane_free_mbuf(struct plane *p, struct mbuf *m)
{
	(void)p;
	(void)m;
}

void m2pa_reset(struct assoc *a)
{
	say(a->side, "reset");
}

void m2pa_open(struct assoc *a)
{
	say(a->side, "open");
}

void m2pa_go(struct assoc *a)
{
	say(a->side, "go");
}

void m2pa_close(struct assoc *a)
{
	say(a->side, "close");
}

static void send_status(struct assoc *a, enum m2pa_state state)
{
	if (a->n_sent < sizeof(a->sent) / sizeof(a->sent[0]))
		a->sent[a->n_sent++] = state;
}

void m2pa_status(struct assoc *a, enum m2pa_state state, uint32_t filler)
{
	assert_true(!filler || state == M2PA_PROVING_NORMAL || state == M2PA_PROVING_EMERGENCY);
	say(a->side, "S:%s", m2pa_state_name(state));
	send_status(a, state);
}

void m2pa_outage(struct assoc *a)
{
	say(a->side, "outage");
	send_status(a, M2PA_PROCESSOR_OUTAGE);
}

void m2pa_recover(struct assoc *a, bool flush)
{
	say(a->side, "recover:%d", flush);
	send_status(a, M2PA_PROCESSOR_RECOVERED);
}

void m2pa_answer(struct assoc *a, bool flush)
{
	say(a->side, "answer:%d", flush);
	send_status(a, M2PA_READY);
}

void m2pa_busy(struct assoc *a, bool busy)
{
	say(a->side, "busy:%d", busy);
	send_status(a, busy ? M2PA_BUSY : M2PA_BUSY_ENDED);
}

void m2pa_bsnt(struct assoc *a)
{
	say(a->side, "bsnt");
}

void m2pa_retrieve(struct assoc *a, uint32_t fsnc)
{
	say(a->side, "retrieve:%u", fsnc);
}

void m2pa_seq(const struct assoc *a, struct m2pa_seq *out)
{
	(void)a;
	*out = (struct m2pa_seq){0};
}

const char *m2pa_failure_text(uint32_t failure)
{
	return failure == M2PA_F_T7 ? "T7" : "another failure";
}

/* ---- level 3 ---- */

static void on_available(void *user, bool up)
{
	struct side *s = user;

	say(s, up ? "+up" : "+down");
	if (up && s->starts)
		m2pa_link_start(s->l, false);
}

static void on_in_service(void *user)
{
	say(user, "+in");
}

static void on_out_of_service(void *user, const char *reason)
{
	struct side *s = user;

	say(s, "+out(%s)", reason);
	if (s->starts && m2pa_link_state(s->l) == M2PA_LINK_OUT_OF_SERVICE)
		m2pa_link_start(s->l, false);
}

static void on_remote_outage(void *user, bool out)
{
	say(user, "+remote:%d", out);
}

static void on_recovered(void *user)
{
	say(user, "+recovered");
}

static bool on_flush_due(void *user)
{
	return ((struct side *)user)->flush;
}

static void on_congestion(void *user, unsigned level)
{
	say(user, "+congestion:%u", level);
}

static void on_bsnt(void *user, uint32_t bsnt)
{
	say(user, "+bsnt:%u", bsnt);
}

static void on_retrieved(void *user, struct mbuf *m)
{
	(void)m;
	say(user, "+got");
}

static void on_retrieval_done(void *user, uint32_t n)
{
	say(user, "+done:%u", n);
}

static void on_message(void *user, struct mbuf *m)
{
	(void)m;
	say(user, "+msg");
}

static void on_refused(void *user, struct mbuf *m, enum drop_reason why, uint32_t value)
{
	(void)m;
	(void)why;
	(void)value;
	say(user, "+refused");
}

static const struct m2pa_link_ops ops = {
	.available = on_available,
	.in_service = on_in_service,
	.out_of_service = on_out_of_service,
	.remote_outage = on_remote_outage,
	.recovered = on_recovered,
	.flush_due = on_flush_due,
	.congestion = on_congestion,
	.bsnt = on_bsnt,
	.retrieved = on_retrieved,
	.retrieval_done = on_retrieval_done,
	.message = on_message,
	.refused = on_refused,
};

/* ---- the rig ---- */

static uint64_t now_ns;

static void set_clock(uint64_t ns)
{
	now_ns = ns;
	clock_freeze_ns(ns);
	osmo_gettimeofday_override = true;
	osmo_gettimeofday_override_time = (struct timeval){
		.tv_sec = (time_t)(ns / 1000000000u), .tv_usec = (suseconds_t)(ns % 1000000000u / 1000)};
	osmo_clock_override_enable(CLOCK_MONOTONIC, true);
	*osmo_clock_override_gettimespec(CLOCK_MONOTONIC) =
		(struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

static uint32_t no_jitter(void)
{
	return 0;
}

struct rig *rig_new(void)
{
	static bool logging;
	struct rig *r = calloc(1, sizeof(*r));

	if (!logging) {
		log_setup(NULL);
		log_set_log_level(osmo_stderr_target, LOGL_FATAL);
	}
	logging = true;
	rig = r;
	n_assocs = 0;
	refuse_to_connect = false;
	set_clock(1000000000000u);
	r->ls = m2pa_links_new(NULL);
	m2pa_links_set_random(r->ls, no_jitter);
	return r;
}

void rig_free(struct rig *r)
{
	m2pa_links_free(r->ls);
	free(r);
}

struct side *rig_link(struct rig *r, const char *name, bool server)
{
	struct side *s = &r->sides[r->n_sides++];

	s->rig = r;
	m2pa_link_conf_default(&s->conf);
	s->conf.name = name;
	s->conf.side = server ? M2PA_LINK_SERVER : M2PA_LINK_CLIENT;
	s->conf.reconnect_max_ms = 8000;
	s->conf.tp.n_remote = 1;
	assert_int_equal(tp_addr_parse(&s->conf.tp.remote[0], "127.0.0.1"), SB_OK);
	s->l = m2pa_link_new(r->ls, &s->conf, &ops, s);
	return s;
}

void rig_join(struct side *a, struct side *b)
{
	a->peer = b;
	b->peer = a;
}

bool rig_arrive(struct rig *r, const char *listener, const char *ip, uint16_t port)
{
	struct tp_incoming in = {.n_addrs = 1, .remote_port = port};

	assert_int_equal(tp_addr_parse(&in.addrs[0], ip), SB_OK);
	return m2pa_links_incoming(r->ls, listener, &in);
}

void rig_event_of(unsigned i, const struct plane_event *ev)
{
	struct plane_event e = *ev;

	assert_true(i < n_assocs && !assocs[i].freed);
	e.assoc = &assocs[i];
	m2pa_links_on_event(rig->ls, &e);
}

static unsigned present(const struct side *s)
{
	for (unsigned i = n_assocs; i-- > 0;)
		if (&assocs[i] == m2pa_link_assoc(s->l))
			return i;
	fail_msg("link %s has no association", m2pa_link_name(s->l));
	return 0;
}

void rig_event(struct side *s, const struct plane_event *ev)
{
	rig_event_of(present(s), ev);
}

unsigned rig_assocs(void)
{
	return n_assocs;
}

void rig_status(struct side *s, enum m2pa_state state, bool outstanding)
{
	rig_event(
		s, &(struct plane_event){.kind = PE_M2PA_STATUS, .value = state, .outstanding = outstanding});
}

void rig_down(struct side *s)
{
	rig_event(s, &(struct plane_event){.kind = PE_DOWN, .reason = "path failure"});
}

void rig_up(struct side *s)
{
	if (s->conf.side == M2PA_LINK_SERVER)
		assert_true(rig_arrive(s->rig, "links", "127.0.0.1", 3565));
	rig_event(s, &(struct plane_event){.kind = PE_UP});
}

void rig_in_service(struct side *s)
{
	rig_up(s);
	m2pa_link_start(s->l, true);
	rig_status(s, M2PA_ALIGNMENT, false);
	rig_status(s, M2PA_PROVING_NORMAL, false);
	rig_pass_ms(s->rig, 600);
	rig_status(s, M2PA_READY, false);
	assert_int_equal(m2pa_link_state(s->l), M2PA_LINK_IN_SERVICE);
	s->said[0] = '\0';
}

/* Hands Link Status over between joined links, until nothing is under way. */
static void exchange(struct rig *r)
{
	for (bool more = true; more;) {
		more = false;
		for (unsigned i = 0; i < r->n_sides; i++) {
			struct side *s = &r->sides[i];
			struct assoc *a = m2pa_link_assoc(s->l);
			enum m2pa_state state;

			if (!a || !a->n_sent)
				continue;
			state = a->sent[0];
			memmove(a->sent, a->sent + 1, --a->n_sent * sizeof(a->sent[0]));
			more = true;
			if (s->peer && m2pa_link_assoc(s->peer->l))
				rig_status(s->peer, state, false);
		}
	}
}

void rig_pass_ms(struct rig *r, uint32_t ms)
{
	exchange(r);
	for (uint32_t t = 0; t < ms; t += 5) {
		set_clock(now_ns + 5000000u);
		osmo_timers_prepare();
		osmo_timers_update();
		exchange(r);
	}
}

void assert_said(struct side *s, const char *want)
{
	assert_string_equal(s->said, want);
	s->said[0] = '\0';
}

uint64_t rig_count(const struct side *s, enum m2pa_link_counter c)
{
	struct m2pa_link_info info;

	m2pa_link_info(s->l, &info);
	return info.c[c];
}
