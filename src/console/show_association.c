/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show association: the SCTP (or TCP) side of an ASP or a link; it goes by its name. */
#include <stdatomic.h>
#include <stdio.h>

#include "console/holder.h"
#include "console/show.h"
#include "data/plane.h"
#include "sctp/addr.h"

/* Where the peer is: as the transport tells it, or, before it does, as it is configured. */
static void walk_remote(struct show *s, const struct holder *h, const struct tp_info *info)
{
	const struct tp_params *p = h->assoc ? assoc_params(h->assoc) : h->tp;
	unsigned n = info ? info->n_paths : p->n_remote;

	walk_list(s->w, "remote-addresses");
	for (unsigned i = 0; i < n; i++) {
		char text[TP_ADDR_STR];
		walk_item(s->w, tp_addr_str(info ? &info->paths[i].addr : &p->remote[i], text, sizeof(text)));
	}
	walk_list_end(s->w);
	walk_u64(s->w, "remote-port", info ? info->remote_port : p->remote_port);
}

/* INFO if the transport has any. */
static const struct tp_info *info_of(const struct holder *h, struct tp_info *info)
{
	*info = (struct tp_info){0};
	return h->assoc && assoc_info(h->assoc, info) == SB_OK ? info : NULL;
}

static void walk_row(void *arg, const struct holder *h)
{
	struct show *s = arg;
	const struct assoc *a = h->assoc;
	struct tp_info buf;
	struct assoc_stats st;

	if (!a)
		return;
	assoc_stats(a, &st);
	walk_object(s->w, NULL);
	walk_str(s->w, "name", assoc_name(a));
	walk_str(s->w, "protocol", h->protocol);
	walk_str(s->w, "state", assoc_state_name(assoc_state(a)));
	show_since(s, "since", assoc_since_ms(a));
	walk_str(s->w, "transport", assoc_transport(a)->name);
	walk_u64(s->w, "worker", assoc_worker(a));
	walk_u64(s->w, "streams-in", assoc_in_streams(a));
	walk_u64(s->w, "streams-out", assoc_out_streams(a));
	walk_u64(s->w, "queued", st.txq);
	walk_u64(s->w, "congestion", st.congestion);
	walk_remote(s, h, info_of(h, &buf));
	walk_object_end(s->w);
}

static void show_association(struct show *s)
{
	walk_table(s->w, "associations");
	holder_each(s, walk_row, s);
	walk_table_end(s->w);
}

static void walk_local(struct show *s, const struct tp_info *info)
{
	walk_list(s->w, "local-addresses");
	for (unsigned i = 0; i < info->n_local; i++) {
		char text[TP_ADDR_STR];
		walk_item(s->w, tp_addr_str(&info->local[i], text, sizeof(text)));
	}
	walk_list_end(s->w);
	walk_u64(s->w, "local-port", info->local_port);
}

static void walk_live(struct show *s, const struct holder *h, const struct tp_info *info)
{
	walk_remote(s, h, info);
	if (!info)
		return;
	walk_local(s, info);
	if (info->remote_udp_port) {
		walk_u64(s->w, "local-udp-port", info->local_udp_port);
		walk_u64(s->w, "remote-udp-port", info->remote_udp_port);
	}
	walk_u64(s->w, "unacknowledged", info->unacked);
	walk_u64(s->w, "pending", info->pending);
	walk_u64(s->w, "peer-window", info->peer_rwnd);
	walk_u64(s->w, "retransmissions", info->retransmissions);
	walk_str(s->w, "checksum", info->crc);
}

static void walk_params(struct show *s, const struct tp_params *p)
{
	walk_object(s->w, "parameters");
	walk_ms(s->w, "rto-initial", p->rto_initial_ms);
	walk_ms(s->w, "rto-min", p->rto_min_ms);
	walk_ms(s->w, "rto-max", p->rto_max_ms);
	walk_u64(s->w, "path-max-retrans", p->path_max_retrans);
	walk_u64(s->w, "assoc-max-retrans", p->assoc_max_retrans);
	walk_ms(s->w, "heartbeat", p->heartbeat_ms);
	walk_ms(s->w, "sack-delay", p->sack_delay_ms);
	walk_u64(s->w, "dscp", p->dscp);
	walk_u64(s->w, "send-buffer", p->sndbuf);
	walk_u64(s->w, "receive-buffer", p->rcvbuf);
	walk_object_end(s->w);
}

static void walk_paths(struct show *s, const struct tp_info *info)
{
	walk_table(s->w, "paths");
	for (unsigned i = 0; info && i < info->n_paths; i++) {
		const struct tp_path_info *p = &info->paths[i];
		char text[TP_ADDR_STR];
		walk_object(s->w, NULL);
		walk_str(s->w, "address", tp_addr_str(&p->addr, text, sizeof(text)));
		walk_str(s->w, "state", p->active ? "active" : "unreachable");
		walk_bool(s->w, "primary", p->primary);
		walk_ms(s->w, "srtt", p->srtt_ms);
		walk_ms(s->w, "rto", p->rto_ms);
		walk_u64(s->w, "cwnd", p->cwnd);
		walk_u64(s->w, "mtu", p->mtu);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void walk_queue(struct show *s, const struct assoc_stats *st)
{
	walk_u64(s->w, "queued", st->txq);
	walk_u64(s->w, "queue-limit", st->txq_limit);
	walk_u64(s->w, "congestion", st->congestion);
	walk_u64(s->w, "memory", st->memory);
}

/* The association of argument 0; false after a show_error(). */
static bool arg_association(struct show *s, struct holder *h)
{
	if (!holder_find(s, s->argv[0], h)) {
		show_error(s, "no association named %s (see show association)", s->argv[0]);
		return false;
	}
	if (h->assoc)
		return true;
	show_error(s, "association %s is down: %s", s->argv[0],
		h->down_reason[0] ? h->down_reason : "the peer has not connected yet");
	return false;
}

static void show_association_one(struct show *s)
{
	struct holder h;
	struct tp_info buf;
	struct assoc_stats st;

	if (!arg_association(s, &h))
		return;
	const struct assoc *a = h.assoc;
	const struct tp_info *info = info_of(&h, &buf);
	assoc_stats(a, &st);
	walk_object(s->w, "association");
	walk_str(s->w, "name", assoc_name(a));
	walk_str(s->w, "protocol", h.protocol);
	walk_u64(s->w, "id", assoc_id(a));
	walk_str(s->w, "state", assoc_state_name(assoc_state(a)));
	show_since(s, "since", assoc_since_ms(a));
	walk_str(s->w, "transport", assoc_transport(a)->name);
	walk_str(s->w, "chosen-because", assoc_transport_why(a));
	walk_u64(s->w, "worker", assoc_worker(a));
	walk_u64(s->w, "streams-in", assoc_in_streams(a));
	walk_u64(s->w, "streams-out", assoc_out_streams(a));
	walk_live(s, &h, info);
	walk_queue(s, &st);
	walk_params(s, assoc_params(a));
	walk_paths(s, info);
	show_counters(s, st.c);
	show_drops(s, st.drops);
	walk_object_end(s->w);
}

static void show_association_paths(struct show *s)
{
	struct holder h;
	struct tp_info buf;

	if (arg_association(s, &h))
		walk_paths(s, info_of(&h, &buf));
}

struct streams {
	struct show *s;
	const char *direction;
	bool sequenced; /* the transport tells the sequence numbers of what comes in */
};

static bool walk_stream(uint32_t i, void *elem, void *arg)
{
	const struct stream_state *st = elem;
	struct streams *d = arg;
	struct walk *w = d->s->w;
	uint64_t messages = atomic_load_explicit(&st->messages, memory_order_relaxed);
	uint32_t last = atomic_load_explicit(&st->last_ms, memory_order_relaxed);

	if (!messages)
		return true; /* its page exists, it was never used */
	walk_object(w, NULL);
	walk_str(w, "direction", d->direction);
	walk_u64(w, "stream", i);
	walk_u64(w, "messages", messages);
	walk_ms(w, "last", (uint32_t)d->s->now_ms - last); /* modulo 2^32 as it is stored */
	if (d->sequenced) {
		walk_u64(w, "next-ssn", atomic_load_explicit(&st->ssn, memory_order_relaxed));
		walk_u64(w, "faults", atomic_load_explicit(&st->faults, memory_order_relaxed));
	} else {
		walk_null(w, "next-ssn");
		walk_null(w, "faults");
	}
	walk_object_end(w);
	return true;
}

static void show_association_streams(struct show *s)
{
	struct holder h;

	if (!arg_association(s, &h))
		return;
	walk_table(s->w, "streams");
	for (int outbound = 0; outbound <= 1; outbound++) {
		struct streams d = {.s = s,
			.direction = outbound ? "out" : "in",
			.sequenced = !outbound && assoc_transport(h.assoc)->gives_ssn};
		const struct paged *p = assoc_streams(h.assoc, outbound);
		if (p)
			paged_foreach(p, walk_stream, &d);
	}
	walk_table_end(s->w);
}

#define ASSOCIATION "SCTP associations and TCP connections\n"

const struct show_row show_association_rows[] = {
	{"association", ASSOCIATION, show_association},
	{"association NAME", ASSOCIATION "The one of this ASP or link, in detail\n", show_association_one},
	{"association NAME streams",
		ASSOCIATION "The one of this ASP or link\nStreams that have carried messages\n",
		show_association_streams},
	{"association NAME paths",
		ASSOCIATION "The one of this ASP or link\nThe peer's addresses and how they do\n",
		show_association_paths},
	{0},
};
