/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry of links, the primitives of level 3, and the door for the plane's events. */
#include "m2pa/link.h"

#include <osmocom/core/utils.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "m2pa/link_int.h"

#define X(id, name, text) [M2LC_##id] = {name, text},
const struct counter_row m2pa_link_counter_rows[M2LC_COUNT] = {M2PA_LINK_COUNTERS(X)};
#undef X

enum { BUSY_BY_MANAGEMENT = 1, BUSY_BY_CONGESTION = 2 };

/* ---- the registry ---- */

static uint32_t system_random(void)
{
	uint32_t v = 0;

	if (getrandom(&v, sizeof(v), GRND_NONBLOCK) != sizeof(v))
		v = (uint32_t)random();
	return v;
}

struct m2pa_links *m2pa_links_new(void *talloc_ctx)
{
	struct m2pa_links *ls = talloc_zero(talloc_ctx, struct m2pa_links);

	if (!ls)
		return NULL;
	ls->ctx = ls;
	ls->random = system_random;
	INIT_LLIST_HEAD(&ls->links);
	INIT_LLIST_HEAD(&ls->assocs);
	return ls;
}

void m2pa_links_set_plane(struct m2pa_links *ls, struct plane *p)
{
	ls->plane = p;
}

void m2pa_links_set_random(struct m2pa_links *ls, uint32_t (*random)(void))
{
	ls->random = random;
}

static void stop_timers(struct m2pa_link *l)
{
	m2pa_link_timers_stop(l);
	osmo_timer_del(&l->reconnect);
}

void m2pa_links_free(struct m2pa_links *ls)
{
	struct m2pa_link *l;

	if (!ls)
		return;
	llist_for_each_entry (l, &ls->links, entry)
		stop_timers(l);
	talloc_free(ls);
}

void m2pa_links_shutdown(struct m2pa_links *ls)
{
	struct m2pa_link *l;

	ls->leaving = true;
	llist_for_each_entry (l, &ls->links, entry) {
		osmo_timer_del(&l->reconnect);
		m2pa_link_stop(l);
		if (l->now)
			assoc_shutdown(l->now->assoc);
	}
}

bool m2pa_links_are_gone(const struct m2pa_links *ls)
{
	const struct m2pa_link_assoc *la;

	llist_for_each_entry (la, &ls->assocs, entry)
		if (!la->down)
			return false;
	return true;
}

/* ---- links ---- */

void m2pa_link_conf_default(struct m2pa_link_conf *c)
{
	*c = (struct m2pa_link_conf){.txq_limit = 4096,
		.reconnect_min_ms = 1000,
		.reconnect_max_ms = 30000,
		.t1_ms = 45000,
		.t2_ms = 30000,
		.t3_ms = 1500,
		.t4n_ms = 8200,
		.t4e_ms = 500,
		.t5_ms = 0,
		.t6_ms = 4500,
		.t7_ms = 1500,
		.proving_interval_ms = 100,
		.proving_filler = 100};
	tp_params_default(&c->tp);
	c->tp.out_streams = c->tp.max_in_streams = 2; /* s.4.1.2 */
}

static void reconnect_due(void *data)
{
	m2pa_link_connect(data);
}

struct m2pa_link *m2pa_link_new(
	struct m2pa_links *ls, const struct m2pa_link_conf *conf, const struct m2pa_link_ops *ops, void *user)
{
	struct m2pa_link *l = talloc_zero(ls->ctx, struct m2pa_link);

	if (!l)
		return NULL;
	l->name = talloc_strdup(l, conf->name);
	l->links = ls;
	l->conf = conf;
	l->ops = ops;
	l->user = user;
	l->state = M2PA_LINK_NO_ASSOCIATION;
	l->since_ms = clock_ms();
	l->reason = "configured";
	l->early = -1;
	m2pa_link_timers_init(l);
	osmo_timer_setup(&l->reconnect, reconnect_due, l);
	llist_add_tail(&l->entry, &ls->links);
	m2pa_link_connect(l);
	return l;
}

void m2pa_link_remove(struct m2pa_link *l)
{
	if (!l)
		return;
	stop_timers(l);
	m2pa_link_orphan(l);
	llist_del(&l->entry);
	talloc_free(l);
}

void m2pa_link_reconfigure(struct m2pa_link *l, const struct m2pa_link_conf *conf)
{
	l->conf = conf;
}

/* ---- level 3's primitives ---- */

void m2pa_link_start(struct m2pa_link *l, bool emergency)
{
	if (l->state <= M2PA_LINK_OUT_OF_SERVICE)
		l->emergency = emergency;
	m2pa_link_event(l, LE_START, "started");
}

void m2pa_link_stop(struct m2pa_link *l)
{
	m2pa_link_event(l, LE_STOP, "stopped");
}

void m2pa_link_emergency(struct m2pa_link *l, bool emergency)
{
	bool news = emergency && !l->emergency;

	l->emergency = emergency;
	if (news)
		m2pa_link_event(l, LE_EMERGENCY, "emergency");
}

void m2pa_link_processor_outage(struct m2pa_link *l, bool out, bool flush)
{
	if (out == l->outage || l->state <= M2PA_LINK_OUT_OF_SERVICE)
		return;
	l->outage = out;
	l->flush = !out && flush;
	m2pa_link_event(l, out ? LE_OUTAGE : LE_OUTAGE_ENDS,
		out ? "local processor outage" : "local processor recovered");
}

static bool is_open(const struct m2pa_link *l)
{
	return l->state >= M2PA_LINK_ALIGNED_READY;
}

static void set_busy(struct m2pa_link *l, uint8_t by, bool busy)
{
	uint8_t was = l->busy_by;

	if (!is_open(l))
		return;
	l->busy_by = (uint8_t)(busy ? was | by : was & ~by);
	if (!was != !l->busy_by)
		m2pa_link_event(l, l->busy_by ? LE_BUSY : LE_BUSY_ENDS, "receive congestion");
}

void m2pa_link_busy(struct m2pa_link *l, bool busy)
{
	set_busy(l, BUSY_BY_MANAGEMENT, busy);
}

/* ---- for show ---- */

void m2pa_link_info(const struct m2pa_link *l, struct m2pa_link_info *out)
{
	*out = (struct m2pa_link_info){.conf = l->conf,
		.state = l->state,
		.since_ms = l->since_ms,
		.reason = l->reason,
		.down_reason = l->down_reason,
		.emergency = l->emergency,
		.local_outage = l->outage,
		.local_busy = l->busy_by != 0,
		.remote_busy = l->peer_busy,
		.congestion = l->congestion,
		.assoc = m2pa_link_assoc(l)};
	if (out->assoc)
		m2pa_seq(out->assoc, &out->seq);
	m2pa_link_traffic(l, &out->traffic);
	memcpy(out->c, l->c, sizeof(out->c));
	memcpy(out->rx, l->rx, sizeof(out->rx));
	memcpy(out->tx, l->tx, sizeof(out->tx));
}

const char *m2pa_link_name(const struct m2pa_link *l)
{
	return l->name;
}

enum m2pa_link_state m2pa_link_state(const struct m2pa_link *l)
{
	return l->state;
}

struct assoc *m2pa_link_assoc(const struct m2pa_link *l)
{
	return l->now ? l->now->assoc : NULL;
}

void *m2pa_link_user(const struct m2pa_link *l)
{
	return l->user;
}

/* ---- events of the plane ---- */

static void on_up(struct m2pa_link *l, const struct plane_event *ev)
{
	(void)ev;
	m2pa_link_event(l, LE_UP, "association up");
}

static void on_restart(struct m2pa_link *l, const struct plane_event *ev)
{
	(void)ev;
	m2pa_link_event(l, LE_LOST, "the peer restarted the association");
	m2pa_link_event(l, LE_UP, "association restarted");
}

static void on_peer_shutdown(struct m2pa_link *l, const struct plane_event *ev)
{
	(void)ev;
	l->now->ending = true;
	m2pa_link_event(l, LE_LOST, "the peer shuts the association down");
}

static void on_send_failed(struct m2pa_link *l, const struct plane_event *ev)
{
	(void)ev;
	m2pa_link_count(l, M2LC_OTHER_FAULTS);
	m2pa_link_event(l, LE_FAULT, "SCTP could not send");
}

static void on_congestion(struct m2pa_link *l, const struct plane_event *ev)
{
	if (l->congestion == ev->value)
		return;
	l->congestion = ev->value;
	l->ops->congestion(l->user, ev->value);
}

static void on_status(struct m2pa_link *l, const struct plane_event *ev)
{
	static const struct {
		enum m2pa_link_event event;
		const char *reason;
	} rows[M2PA_LINK_STATUSES] = {
		[M2PA_ALIGNMENT] = {LE_RX_ALIGNMENT, "the peer aligns"},
		[M2PA_PROVING_NORMAL] = {LE_RX_NORMAL, "the peer proves"},
		[M2PA_PROVING_EMERGENCY] = {LE_RX_EMERGENCY, "the peer proves, emergency"},
		[M2PA_READY] = {LE_RX_READY, "the peer is ready"},
		[M2PA_PROCESSOR_OUTAGE] = {LE_RX_OUTAGE, "processor outage of the peer"},
		[M2PA_PROCESSOR_RECOVERED] = {LE_RX_RECOVERED, "the peer's processor has recovered"},
		[M2PA_BUSY] = {LE_RX_BUSY, "the peer is busy"},
		[M2PA_BUSY_ENDED] = {LE_RX_BUSY_ENDED, "the peer is busy no more"},
		[M2PA_OUT_OF_SERVICE] = {LE_RX_OOS, "the peer is out of service"},
	};
	enum m2pa_link_event e = rows[ev->value].event;

	l->rx[ev->value]++;
	l->outstanding = ev->outstanding;
	/* User Data of stream 1 may overtake the end of alignment on stream 0 */
	if (l->by_data && (e == LE_RX_NORMAL || e == LE_RX_EMERGENCY))
		return;
	if (e == LE_RX_READY)
		l->by_data = false;
	m2pa_link_event(l, e, rows[ev->value].reason);
}

static void on_data(struct m2pa_link *l, const struct plane_event *ev)
{
	(void)ev;
	m2pa_link_event(l, LE_RX_DATA, "the peer sends User Data");
}

static void on_fault(struct m2pa_link *l, const struct plane_event *ev)
{
	m2pa_link_count(l, ev->value == M2PA_F_T7 ? M2LC_T7_EXPIRED : M2LC_OTHER_FAULTS);
	m2pa_link_event(l, LE_FAULT, m2pa_failure_text(ev->value));
}

static void on_rx_congestion(struct m2pa_link *l, const struct plane_event *ev)
{
	set_busy(l, BUSY_BY_CONGESTION, ev->value);
}

/* Of the association that the link has now. */
static void on_present(struct m2pa_link *l, const struct plane_event *ev)
{
	static void (*const on[])(struct m2pa_link *, const struct plane_event *) = {
		[PE_UP] = on_up,
		[PE_RESTART] = on_restart,
		[PE_PEER_SHUTDOWN] = on_peer_shutdown,
		[PE_SEND_FAILED] = on_send_failed,
		[PE_CONGESTION] = on_congestion,
		[PE_M2PA_STATUS] = on_status,
		[PE_M2PA_DATA] = on_data,
		[PE_M2PA_FAULT] = on_fault,
		[PE_M2PA_CONGESTION] = on_rx_congestion,
		[PE_GRACE] = NULL,
	};

	if (on[ev->kind])
		on[ev->kind](l, ev);
}

/* Of that one, or of one before it: what was acknowledged is delivered, what is retrieved is handed over.
 * True: it was such, and its buffer is the user's. */
static bool on_any(struct m2pa_link *l, struct m2pa_link_assoc *la, const struct plane_event *ev)
{
	switch (ev->kind) {
	case PE_MESSAGE: l->ops->message(l->user, ev->take_mbuf); return true;
	case PE_DATA_REFUSED:
		l->ops->refused(l->user, ev->take_mbuf, ev->reason_code, ev->value);
		return true;
	case PE_CONGESTED: l->ops->congested(l->user, ev->take_mbuf, (uint8_t)ev->value); return true;
	case PE_M2PA_BSNT: l->ops->bsnt(l->user, ev->value); return true;
	case PE_M2PA_RETRIEVED: l->ops->retrieved(l->user, ev->take_mbuf); return true;
	case PE_M2PA_RETRIEVAL_DONE: m2pa_link_retrieval_done(l, la, ev->value); return true;
	default: return false;
	}
}

void m2pa_links_on_event(struct m2pa_links *ls, const struct plane_event *ev)
{
	struct m2pa_link_assoc *la = assoc_owner(ev->assoc);
	struct m2pa_link *l = la->link;

	if (ev->kind == PE_DOWN) {
		m2pa_link_assoc_down(la, ev->reason);
		return;
	}
	if (l && on_any(l, la, ev))
		return;
	plane_free_mbuf(ls->plane, ev->take_mbuf);
	if (l && la == l->now)
		on_present(l, ev);
}
