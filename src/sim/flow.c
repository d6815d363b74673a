/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/flow.h"

#include <stdlib.h>
#include <string.h>

#include "sctp/transport.h"

bool flow_sends(const struct flow *f)
{
	return party_here(&f->from);
}

bool flow_receives(const struct flow *f)
{
	return party_here(&f->to);
}

bool flow_init(struct flow *f, const struct flow_opts *o, const struct party *from, const struct party *to,
	const struct opts *all)
{
	*f = (struct flow){.o = o, .from = *from, .to = *to, .run = all->run, .queue = all->queue};
	snprintf(f->name, sizeof(f->name), "%s>%s", o->from_text, o->to_text);
	memset(f->place, 0xff, sizeof(f->place));
	if (!o->n_sls)
		return false;
	for (int i = 0; i < o->n_sls; i++)
		f->place[o->sls[i]] = (int16_t)i;
	f->n_sets = party_sets(to);
	f->seq = calloc(o->n_sls, sizeof(*f->seq));
	f->track = calloc(o->n_sls, sizeof(*f->track));
	for (int i = 0; f->track && i < o->n_sls; i++)
		f->track[i].divert_ns = all->divert_ns;
	f->expected = calloc(f->n_sets, sizeof(*f->expected));
	f->checks = calloc((size_t)f->n_sets * o->n_sls, sizeof(*f->checks));
	if (f->expected && f->n_sets == 1)
		f->expected[0] = true; /* another process may begin before us */
	return f->seq && f->track && f->expected && f->checks;
}

void flow_fini(struct flow *f)
{
	replay_free(&f->replay);
	free(f->seq);
	free(f->track);
	free(f->expected);
	free(f->checks);
}

void flow_start(struct flow *f, uint64_t start_ns, uint64_t seed)
{
	f->rng.s = seed;
	pace_init(&f->pace, f->o->pace, f->o->rate, start_ns + f->o->start_ns, rng_next(&f->rng));
	f->stop_ns = f->o->stop_ns ? start_ns + f->o->stop_ns : UINT64_MAX;
	for (unsigned i = 0; i < f->n_sets; i++)
		f->expected[i] = party_expects(&f->to, i);
}

/* ---- sending ---- */

static unsigned copies(const struct flow *f)
{
	unsigned n = 0;

	for (unsigned i = 0; i < f->n_sets; i++)
		n += f->expected[i];
	return n ? n : 1;
}

uint64_t flow_in_flight(const struct flow *f)
{
	uint64_t back = (f->unique + f->corrupted) / copies(f) + f->given_up;

	return f->sent > back ? f->sent - back : 0;
}

static bool finished(const struct flow *f, uint64_t due)
{
	return !flow_sends(f) || (f->o->count && f->sent >= f->o->count) || due >= f->stop_ns;
}

/* A dress has room for so much data only. */
static uint32_t draw_len(struct flow *f)
{
	uint32_t len = size_draw(&f->o->size, &f->rng), max = dress_max(f->o->dress);
	uint32_t min = dress_min(f->o->dress, f->o->si);

	return len < min ? min : len > max ? max : len;
}

/* Message K of the capture is the K-th that is sent. */
static void put_replayed(const struct flow *f, struct mbuf *m, struct mtp3_label *label)
{
	const struct replay_msg *r = &f->replay.msg[f->sent % f->replay.n];

	memcpy(mbuf_head(m), r->p, r->len);
	m->len = r->len;
	label->si = r->si;
}

static bool send_one(
	struct flow *f, struct mbuf_pool *pool, const struct party_way *way, unsigned place, uint64_t due)
{
	struct mtp3_label label = {.opc = f->o->opc,
		.dpc = f->o->dpc,
		.si = f->o->si,
		.ni = f->o->ni,
		.mp = f->o->mp,
		.sls = f->o->sls[place]};
	struct payload p = {.flow = f->o->id,
		.run = f->run,
		.sls = f->o->sls[place],
		.seq = f->seq[place],
		.due_ns = due};
	struct mbuf *m = mbuf_alloc(pool);

	if (!m)
		return false;
	if (!f->next_len)
		f->next_len = draw_len(f);
	m->len = f->next_len;
	if (f->replay.n)
		put_replayed(f, m, &label);
	else
		dress_write(f->o->dress, mbuf_head(m), m->len, f->o->si, &p);
	party_send(way, &label, m);
	f->next_len = 0;
	f->seq[place]++;
	f->sent++;
	pace_advance(&f->pace);
	return true;
}

static void earlier(uint64_t *wake_ns, uint64_t t)
{
	if (t < *wake_ns)
		*wake_ns = t;
}

enum flow_status flow_run(
	struct flow *f, struct mbuf_pool *pool, uint64_t now, unsigned budget, uint64_t *wake_ns)
{
	if (f->paused && f->resume_ns && now >= f->resume_ns)
		flow_resume(f, now);
	while (true) {
		uint64_t due = pace_due(&f->pace, now);
		unsigned place = (unsigned)(f->sent % f->o->n_sls);
		struct party_way way;

		if (finished(f, due))
			return FLOW_DONE;
		if (f->paused) {
			earlier(wake_ns, f->resume_ns ? f->resume_ns : UINT64_MAX);
			return FLOW_BLOCKED;
		}
		if (due > now) {
			earlier(wake_ns, due);
			return FLOW_WAITING;
		}
		if (f->o->window && flow_receives(f) && flow_in_flight(f) >= f->o->window)
			return FLOW_BLOCKED;
		if (!party_way(&f->from, f->o->dpc, f->o->sls[place], &f->track[place], now, wake_ns, &way) ||
			party_waiting(&way) >= f->queue)
			return FLOW_BLOCKED;
		if (!budget--)
			return FLOW_READY;
		if (!send_one(f, pool, &way, place, due))
			return FLOW_BLOCKED;
	}
}

void flow_stop(struct flow *f, uint64_t now)
{
	if (now < f->stop_ns)
		f->stop_ns = now;
}

void flow_pause(struct flow *f, uint64_t now, uint64_t until_ns)
{
	if (!f->paused)
		f->paused_ns = now;
	f->paused = true;
	f->resume_ns = until_ns;
}

/* What would have been due in the pause never was. */
void flow_resume(struct flow *f, uint64_t now)
{
	if (f->paused)
		pace_shift(&f->pace, now - f->paused_ns);
	f->paused = false;
	f->resume_ns = 0;
}

/* ---- receiving ---- */

bool flow_may_arrive(const struct flow *f, const struct party *at)
{
	return party_same(&f->to, at) || (at->node && node_serves(at->node, f->o->dpc));
}

bool flow_label_matches(const struct flow *f, const struct arrival *a)
{
	const struct mtp3_label *l = &a->label;

	return flow_may_arrive(f, &a->at) && l->opc == f->o->opc && l->dpc == f->o->dpc &&
	       (f->replay.n || l->si == f->o->si) && f->place[l->sls] >= 0;
}

bool flow_find_replayed(
	const struct flow *f, const struct arrival *a, const uint8_t *p, uint32_t len, struct payload *out)
{
	unsigned set = f->n_sets > 1 ? a->member : 0, place = (unsigned)f->place[a->label.sls];
	uint64_t next = f->checks[set * f->o->n_sls + place].next;
	uint32_t crc = replay_crc(p, len);

	for (uint64_t d = 0; d < 2 * CHECK_WINDOW; d++) {
		uint64_t seq = d % 2 ? next - d / 2 - 1 : next + d / 2;

		if (d % 2 && d / 2 >= next)
			continue;
		if (!replay_is(&f->replay, seq * f->o->n_sls + place, p, len, crc, a->label.si))
			continue;
		*out = (struct payload){.flow = f->o->id,
			.run = f->run,
			.sls = a->label.sls,
			.seq = (uint32_t)seq,
			.due_ns = a->rx_ns}; /* when it was due, nothing in it says */
		return true;
	}
	return false;
}

static bool label_intact(const struct flow *f, const struct arrival *a, uint8_t sls)
{
	const struct mtp3_label *l = &a->label;

	return l->opc == f->o->opc && l->dpc == f->o->dpc && (f->replay.n || l->si == f->o->si) &&
	       l->ni == f->o->ni && l->mp == f->o->mp && l->sls == sls && !a->wrong;
}

void flow_receive(struct flow *f, const struct arrival *a, const struct payload *p)
{
	unsigned set = f->n_sets > 1 ? a->member : 0;
	int16_t place = f->place[p->sls];
	uint64_t rx_ns = a->rx_ns;

	if (place < 0 || !label_intact(f, a, p->sls))
		f->mislabelled++;
	if (place < 0)
		return;
	if (!f->first_ns)
		f->first_ns = rx_ns;
	f->last_ns = rx_ns;
	switch (check_seen(&f->checks[set * f->o->n_sls + (unsigned)place], p->seq)) {
	case CHECK_REPEATED: f->repeated++; return;
	case CHECK_STALE: f->stale++; return;
	case CHECK_LATE: f->late++; break;
	case CHECK_NEW: break;
	}
	f->unique += f->expected[set];
	if (!f->replay.n)
		hist_add(&f->latency, rx_ns > p->due_ns ? rx_ns - p->due_ns : 0);
}

/* ---- accounts ---- */

/* From here: what was sent and did not come. From elsewhere: what is missing below the greatest number that
 * came; the tail is known only if the flow has a count. */
static uint64_t due_in(const struct flow *f, unsigned place, const struct check *c)
{
	if (flow_sends(f))
		return f->seq[place];
	if (f->o->count)
		return f->o->count / f->o->n_sls + (place < f->o->count % f->o->n_sls);
	return c->next;
}

uint64_t flow_lost(const struct flow *f)
{
	uint64_t lost = 0;

	if (!flow_receives(f))
		return 0;
	for (unsigned set = 0; set < f->n_sets; set++) {
		for (unsigned i = 0; f->expected[set] && i < f->o->n_sls; i++) {
			const struct check *c = &f->checks[set * f->o->n_sls + i];
			uint64_t due = due_in(f, i, c);

			lost += due > c->unique ? due - c->unique : 0;
		}
	}
	/* A broken message has arrived: it is counted as that. */
	return lost > f->corrupted ? lost - f->corrupted : 0;
}

uint64_t flow_unsent(const struct flow *f, uint64_t now)
{
	uint64_t until = now < f->stop_ns ? now : f->stop_ns, first, behind;

	if (!flow_sends(f) || f->paused || f->o->pace == PACE_MAX)
		return 0;
	first = pace_due(&f->pace, now);
	if (finished(f, first) || first >= until)
		return 0;
	behind =
		1 + (uint64_t)((double)(until - 1 - first) / f->pace.period_ns); /* Poisson: on the average */
	if (f->o->count && behind > f->o->count - f->sent)
		behind = f->o->count - f->sent;
	return behind;
}
