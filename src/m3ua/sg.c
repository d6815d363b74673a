/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registry and the door for the plane's events. What a change sets in motion is in sg_settle.c, what a
 * reload does in apply.c, the end in leave.c. */
#include "m3ua/sg.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <talloc.h>

#include "base/log.h"
#include "m3ua/asp_fsm.h"
#include "m3ua/dispatch.h"
#include "m3ua/guest.h"
#include "m3ua/refused.h"
#include "m3ua/role.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"
#include "m3ua/ssnm_tell.h"
#include "wire/mtp3.h"

static uint32_t system_random(void)
{
	uint32_t v = 0;

	if (getrandom(&v, sizeof(v), GRND_NONBLOCK) != sizeof(v))
		v = (uint32_t)random();
	return v;
}

struct sg *sg_new(void *talloc_ctx)
{
	struct sg *sg = talloc_zero(talloc_ctx, struct sg);

	if (!sg)
		return NULL;
	sg->ctx = sg;
	INIT_LLIST_HEAD(&sg->networks);
	INIT_LLIST_HEAD(&sg->listeners);
	INIT_LLIST_HEAD(&sg->templates);
	INIT_LLIST_HEAD(&sg->asps);
	INIT_LLIST_HEAD(&sg->ass);
	INIT_LLIST_HEAD(&sg->moved);
	INIT_LLIST_HEAD(&sg->closing);
	INIT_LLIST_HEAD(&sg->links);
	INIT_LLIST_HEAD(&sg->dead);
	INIT_LLIST_HEAD(&sg->scons.list);
	out_init(&sg->out);
	sg->random = system_random;
	sg->router = router_new(sg);
	if (!sg->router || !router_subscribe(sg->router, &ssnm_listener, sg)) {
		talloc_free(sg);
		return NULL;
	}
	return sg;
}

void sg_set_plane(struct sg *sg, struct plane *p)
{
	sg->plane = p;
	router_set_plane(sg->router, p);
}

void sg_set_others(struct sg *sg, const struct sg_others *others, void *arg)
{
	sg->others = others;
	sg->others_arg = arg;
}

void sg_set_random(struct sg *sg, uint32_t (*random)(void))
{
	sg->random = random;
}

void sg_free(struct sg *sg)
{
	struct as_asp *m;
	struct asp *asp;
	struct as *as;

	if (!sg)
		return;
	llist_for_each_entry (asp, &sg->asps, entry) {
		osmo_timer_del(&asp->reconnect_timer);
		osmo_timer_del(&asp->beat_timer);
		osmo_timer_del(&asp->beat_deadline);
		client_fini(asp);
	}
	llist_for_each_entry (as, &sg->ass, entry) {
		osmo_timer_del(&as->t_r);
		llist_for_each_entry (m, &as->asps, in_as) {
			osmo_timer_del(&m->rx_timer);
			client_as_fini(m);
		}
	}
	osmo_timer_del(&sg->leave.timer);
	osmo_timer_del(&sg->scons.timer);
	osmo_timer_del(&sg->rkm.timer);
	router_free(sg->router);
	talloc_free(sg);
}

/* ---- look-ups ---- */

struct plane *sg_plane(const struct sg *sg)
{
	return sg->plane;
}

struct router *sg_router(const struct sg *sg)
{
	return sg->router;
}

struct llist_head *sg_networks(struct sg *sg)
{
	return &sg->networks;
}

struct llist_head *sg_listeners(struct sg *sg)
{
	return &sg->listeners;
}

struct llist_head *sg_asps(struct sg *sg)
{
	return &sg->asps;
}

struct llist_head *sg_templates(struct sg *sg)
{
	return &sg->templates;
}

struct llist_head *sg_ass(struct sg *sg)
{
	return &sg->ass;
}

const struct sg_stats *sg_stats(const struct sg *sg)
{
	return &sg->stats;
}

struct sg_network *sg_network_by_name(struct sg *sg, const char *name)
{
	struct sg_network *n;

	llist_for_each_entry (n, &sg->networks, entry)
		if (!strcmp(n->name, name))
			return n;
	return NULL;
}

struct sg_listener *sg_listener_by_name(struct sg *sg, const char *name)
{
	struct sg_listener *l;

	llist_for_each_entry (l, &sg->listeners, entry)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

struct asp *sg_asp_by_name(struct sg *sg, const char *name)
{
	struct asp *asp;

	llist_for_each_entry (asp, &sg->asps, entry)
		if (!strcmp(asp->name, name))
			return asp;
	return NULL;
}

struct as *sg_as_by_name(struct sg *sg, const char *name)
{
	struct as *as;

	llist_for_each_entry (as, &sg->ass, entry)
		if (!strcmp(as->name, name))
			return as;
	return NULL;
}

struct as *sg_as_by_number(struct sg *sg, uint32_t number)
{
	const struct route_egress *e = router_egress_by_number(sg->router, number);

	return e && route_egress_ops(e) == &as_egress_ops ? route_egress_owner(e) : NULL;
}

/* ---- events ---- */

typedef void (*event_fn)(struct sg *sg, struct asp *asp, const struct plane_event *ev);

static void on_up(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg, (void)ev;
	asp_assoc_up(asp);
}

static void on_restart(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg, (void)ev;
	LOGP(DSCTP, LOGL_NOTICE, "asp %s: the peer restarted the association\n", asp->name);
	asp_lost(asp, ASPE_RESTARTED, "SCTP restart");
	out_purge(asp); /* answers to what the peer has forgotten */
	client_start(asp);
}

/* Nothing can be sent to it any more; PE_DOWN follows. */
static void on_peer_shutdown(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg, (void)ev;
	asp_lost(asp, ASPE_LOST, "the peer shuts the association down");
	out_purge(asp);
}

static void on_path(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	char text[TP_ADDR_STR];

	(void)sg;
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DSCTP, LOGL_NOTICE, "asp %s: path to %s is %s\n", asp->name,
			tp_addr_str(&ev->addr, text, sizeof(text)), ev->reachable ? "up" : "down");
}

static void on_send_failed(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg;
	asp->undelivered += ev->value;
	if (limit_allows(&asp->undelivered_log, 1, NULL))
		asp_log_undelivered(asp);
}

static void on_too_long(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg;
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DSCTP, LOGL_NOTICE,
			"asp %s: discarded a message of %u octets, longer than max-message\n", asp->name,
			ev->value);
}

static void on_congestion(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	struct as_asp *m;

	(void)sg;
	asp->congestion = (uint8_t)ev->value;
	llist_for_each_entry (m, &asp->ass, in_asp)
		sg_as_stale(m->as);
	if (limit_allows(&asp->log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DSCTP, LOGL_NOTICE, "asp %s: transmit queue at congestion level %u\n", asp->name,
			ev->value);
}

static void on_message(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	(void)sg;
	dispatch_message(asp, mbuf_head(ev->take_mbuf), ev->take_mbuf->len, ev->take_mbuf->stream);
	out_pace(asp);
}

static void on_data_refused(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	if (ev->reason_code == DROP_BAD_PPID) {
		refused_ppid(asp, ev->value);
		return;
	}
	sg->stats.refused_data++;
	refused_data(asp, ev);
}

/* s.3.4.4: SCON "in response to a DATA". */
static void on_congested(struct sg *sg, struct asp *asp, const struct plane_event *ev)
{
	const struct sg_network *network = ev->network < SG_MAX_NETWORKS ? sg->by_index[ev->network] : NULL;
	struct mtp3_label label;

	if (network && mtp3_head_read(mbuf_head(ev->take_mbuf), ev->take_mbuf->len,
			       (enum pc_variant)network->conf->variant, &label) == MTP3_OK)
		ssnm_tell_sender(asp, network, &label);
}

static const event_fn assoc_events[] = {
	[PE_UP] = on_up,
	[PE_RESTART] = on_restart,
	[PE_PATH] = on_path,
	[PE_PEER_SHUTDOWN] = on_peer_shutdown,
	[PE_SEND_FAILED] = on_send_failed,
	[PE_TOO_LONG] = on_too_long,
	[PE_CONGESTION] = on_congestion,
	[PE_MESSAGE] = on_message,
	[PE_DATA_REFUSED] = on_data_refused,
	[PE_CONGESTED] = on_congested,
	[PE_GRACE] = NULL,
};

static void on_down(struct sg *sg, struct asp_link *link, const struct plane_event *ev)
{
	struct asp *asp = link->asp;

	link->asp = NULL;
	if (asp) {
		asp_assoc_gone(asp, ev->reason);
		guest_leave(asp);
	}
	llist_del(&link->entry);
	llist_add_tail(&link->entry, &sg->dead);
	leave_check(sg);
}

static void on_assoc_event(struct sg *sg, const struct plane_event *ev)
{
	struct asp_link *link = assoc_owner(ev->assoc);
	event_fn fn =
		ev->kind < sizeof(assoc_events) / sizeof(assoc_events[0]) ? assoc_events[ev->kind] : NULL;

	if (ev->kind == PE_DOWN)
		on_down(sg, link, ev);
	else if (!link->asp)
		sg->stats.strays += ev->take_mbuf != NULL;
	else if (fn)
		fn(sg, link->asp, ev);
}

/* Told by the plane once a second at most. */
static void on_starved(const struct sg_listener *l, unsigned refused)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_NOFILE, &limit);
	LOGP(DSCTP, LOGL_ERROR,
		"listener %s: no file descriptors left for more peers (%u refused, others wait): raise "
		"LimitNOFILE, now %llu\n",
		l->name, refused, (unsigned long long)limit.rlim_cur);
}

static void on_listener_event(struct sg *sg, const struct plane_event *ev)
{
	struct sg_listener *l = listener_owner(ev->listener);

	switch (ev->kind) {
	case PE_INCOMING: peer_incoming(sg, l, ev->take_incoming); break;
	case PE_LISTENING:
		l->reason[0] = '\0';
		LOGP(DSCTP, LOGL_NOTICE, "listener %s: listening\n", l->name);
		break;
	case PE_STARVED: on_starved(l, ev->value); break;
	case PE_LISTEN_FAILED:
		OSMO_STRLCPY_ARRAY(l->reason, ev->reason);
		LOGP(DSCTP, LOGL_ERROR, "listener %s: cannot listen, trying on: %s\n", l->name, ev->reason);
		break;
	default: break;
	}
}

void sg_on_event(void *user, const struct plane_event *ev)
{
	struct sg *sg = user;

	sg->out.hold = false;
	if (ev->listener)
		on_listener_event(sg, ev);
	else if (ev->assoc)
		on_assoc_event(sg, ev);
	if (ev->take_mbuf)
		plane_free_mbuf(sg->plane, ev->take_mbuf);
	sg->out.hold = false;
}
