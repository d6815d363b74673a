/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link's sequence part as control sees it: made, commanded, heard and freed. */
#include <stdlib.h>

#include "data/assoc.h"

#define X(id, text) text,
static const char *const failures[] = {M2PA_FAILURES(X)};
#undef X

const char *m2pa_failure_text(uint32_t failure)
{
	return failure < M2PA_FAILURES_COUNT ? failures[failure] : "?";
}

/* ---- life ---- */

struct m2pa *m2pa_new(struct assoc *a, const struct assoc_conf *conf)
{
	struct m2pa *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	a->m2pa = s;
	mbufq_init(&s->waiting);
	mbufq_init(&s->retained);
	mbufq_init(&s->held);
	s->fsn = s->acked = s->rcvd = s->bsn = M2PA_SEQ_START;
	s->t7_ms = conf->t7_ms ? conf->t7_ms : 1;
	m2pa_init_timers(a);
	return s;
}

void m2pa_free(struct assoc *a)
{
	struct m2pa *s = a->m2pa;

	if (!s)
		return;
	mbufq_purge(&s->waiting, a->plane->pool);
	mbufq_purge(&s->retained, a->plane->pool);
	mbufq_purge(&s->held, a->plane->pool);
	free(s);
	a->m2pa = NULL;
}

/* ---- commands ---- */

static void command(struct assoc *a, enum m2pa_command c, uint32_t value)
{
	struct mbuf *m = plane_mbuf(a->plane);

	if (!m) {
		assoc_abort(a, "no buffer for a command");
		return;
	}
	m->peer = a;
	m->note.kind = N_M2PA;
	m->ssn = (uint16_t)c;
	m->aux = value;
	inbox_post(plane_inbox(a->worker), &m->note);
}

void m2pa_reset(struct assoc *a)
{
	a->m2pa->epoch_asked = (a->m2pa->epoch_asked + 1) & M2N_EPOCHS;
	command(a, M2C_RESET, a->m2pa->epoch_asked);
}

void m2pa_open(struct assoc *a)
{
	command(a, M2C_OPEN, 0);
}

void m2pa_go(struct assoc *a)
{
	command(a, M2C_GO, 0);
}

void m2pa_close(struct assoc *a)
{
	command(a, M2C_CLOSE, 0);
}

void m2pa_send_msu(struct assoc *a, struct mbuf *m, uint8_t pri)
{
	m->aux = pri;
	assoc_send(a, m);
}

void m2pa_status(struct assoc *a, enum m2pa_state state, uint32_t filler)
{
	command(a, M2C_STATUS, (uint32_t)state | filler << 8);
}

void m2pa_outage(struct assoc *a)
{
	command(a, M2C_OUTAGE, 0);
}

void m2pa_recover(struct assoc *a, bool flush)
{
	command(a, M2C_RECOVER, flush);
}

void m2pa_answer(struct assoc *a, bool flush)
{
	command(a, M2C_ANSWER, flush);
}

void m2pa_busy(struct assoc *a, bool busy)
{
	command(a, busy ? M2C_BUSY : M2C_BUSY_ENDED, 0);
}

void m2pa_bsnt(struct assoc *a)
{
	command(a, M2C_BSNT, 0);
}

void m2pa_retrieve(struct assoc *a, uint32_t fsnc)
{
	command(a, M2C_RETRIEVE, fsnc);
}

/* ---- what it says ---- */

static void tell(struct assoc *a, struct plane_event ev)
{
	ev.assoc = a;
	if (!a->plane->stopping && !a->free_asked)
		a->plane->fn(a->plane->user, &ev);
	else
		plane_free_mbuf(a->plane, ev.take_mbuf);
}

void m2pa_dispatch(struct plane *p, struct mbuf *m)
{
	struct assoc *a = m->peer;
	struct plane_event ev = {.kind = m->ssn, .value = m->aux};

	if (ev.kind == PE_M2PA_STATUS) {
		ev.outstanding = m->stream;
		counter_add(&a->taken, 1);
		counter_add(&a->worker->taken[TOLD_MESSAGE], 1);
	}
	if (ev.kind == PE_M2PA_RETRIEVED)
		ev.take_mbuf = m;
	else
		plane_free_mbuf(p, m);
	tell(a, ev);
}

void m2pa_dispatch_news(struct assoc *a)
{
	/* first, so that what happens after we look is told again */
	uint32_t news = atomic_exchange(&a->m2pa->news, 0);

	if (news >> M2N_BITS != a->m2pa->epoch_asked)
		return;
	if (news & M2N_DATA)
		tell(a, (struct plane_event){.kind = PE_M2PA_DATA});
	if (news & M2N_CONGESTED)
		tell(a, (struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 1});
	if (news & M2N_ABATED)
		tell(a, (struct plane_event){.kind = PE_M2PA_CONGESTION, .value = 0});
	for (uint32_t why = 0; why < M2PA_FAILURES_COUNT; why++)
		if (news & (uint32_t)M2N_FAULT << why)
			tell(a, (struct plane_event){.kind = PE_M2PA_FAULT, .value = why});
}

void m2pa_seq(const struct assoc *a, struct m2pa_seq *out)
{
	const struct m2pa *s = a->m2pa;

	*out = (struct m2pa_seq){0};
	if (!s)
		return;
	out->fsn = atomic_load_explicit(&s->shown[0], memory_order_relaxed);
	out->bsn = atomic_load_explicit(&s->shown[1], memory_order_relaxed);
	out->waiting = atomic_load_explicit(&s->shown[2], memory_order_relaxed);
	out->retained = atomic_load_explicit(&s->shown[3], memory_order_relaxed);
	out->held = atomic_load_explicit(&s->shown[4], memory_order_relaxed);
}
