/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The snapshot of an association that its own thread refreshes and any other may read: a sequence lock over
 * atomic words, so that there is no lock and no data race. */
#include <string.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "sctp/crc32c.h"
#include "sctp/embedded_int.h"

static void publish(struct emb_peer *p, const struct tp_info *info)
{
	uint64_t w[EMB_INFO_WORDS] = {0};
	unsigned seq = atomic_load_explicit(&p->info_seq, memory_order_relaxed);

	memcpy(w, info, sizeof(*info));
	atomic_store_explicit(&p->info_seq, seq + 1, memory_order_relaxed);
	for (unsigned i = 0; i < EMB_INFO_WORDS; i++) /* release: who sees a word sees the odd number, too */
		atomic_store_explicit(&p->info[i], w[i], memory_order_release);
	atomic_store_explicit(&p->info_seq, seq + 2, memory_order_release);
}

static const char *crc_text(const struct emb_peer *p)
{
	if (crc32c_may_omit(p->crc, p->loopback))
		return p->peer_omits ? "left out on loopback (trust-local)"
				     : "computed by the gateway (ISA-L): the peer is not trust-local";
	return "computed by the gateway (ISA-L)";
}

static void fill_path(struct emb_peer *p, const struct sctp_status *st, struct tp_info *info)
{
	struct tp_path_info *path = &info->paths[0];

	info->n_paths = 1;
	path->addr = p->route.to;
	tp_addr_set_port(&path->addr, 0);
	path->active = (st->sstat_primary.spinfo_state & SCTP_ACTIVE) != 0;
	path->primary = true;
	path->srtt_ms = st->sstat_primary.spinfo_srtt;
	path->rto_ms = st->sstat_primary.spinfo_rto;
	path->cwnd = st->sstat_primary.spinfo_cwnd;
	path->mtu = st->sstat_primary.spinfo_mtu;
}

void emb_info_refresh(struct emb_peer *p)
{
	struct sctp_status st;
	socklen_t len = sizeof(st);
	struct tp_info info;

	memset(&info, 0, sizeof(info));
	memset(&st, 0, sizeof(st));
	p->info_ms = clock_ms();
	if (!p->so || usrsctp_getsockopt(p->so, IPPROTO_SCTP, SCTP_STATUS, &st, &len) < 0)
		return;
	fill_path(p, &st, &info);
	info.n_local = 1;
	info.local[0] = p->route.from.sa.sa_family ? p->route.from : p->sock->local;
	tp_addr_set_port(&info.local[0], 0);
	info.local_port = p->lport;
	info.remote_port = p->rport;
	info.local_udp_port = p->sock->raw ? 0 : p->sock->port;
	info.remote_udp_port = tp_addr_port(&p->route.to);
	info.in_streams = p->in_streams;
	info.out_streams = p->out_streams;
	info.unacked = st.sstat_unackdata;
	info.pending = st.sstat_penddata;
	info.peer_rwnd = st.sstat_rwnd;
	info.retransmissions = p->retransmissions;
	info.crc = crc_text(p);
	publish(p, &info);
}

enum sb_err emb_info(const struct tp_conn *c, struct tp_info *out)
{
	struct emb_peer *p = (struct emb_peer *)(uintptr_t)c; /* atomic loads want it writable */
	uint64_t w[EMB_INFO_WORDS];
	unsigned seq;

	do {
		seq = atomic_load_explicit(&p->info_seq, memory_order_acquire);
		if (!seq)
			return SB_ESTATE;
		for (unsigned i = 0; i < EMB_INFO_WORDS; i++)
			w[i] = atomic_load_explicit(&p->info[i], memory_order_acquire);
	} while ((seq & 1) || seq != atomic_load_explicit(&p->info_seq, memory_order_relaxed));
	memcpy(out, w, sizeof(*out));
	return SB_OK;
}
