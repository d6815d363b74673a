/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `show` wants to know of a kernel association: system calls on its descriptor, from any thread. */
#include <string.h>

#include "sctp/kernel_int.h"
#include "sctp/offload.h"

#define GET(fd, option, value)                                                                               \
	({                                                                                                   \
		socklen_t get_len_ = sizeof(value);                                                          \
		getsockopt((fd), IPPROTO_SCTP, (option), &(value), &get_len_) == 0;                          \
	})

static uint32_t pending(const struct kernel_conn *c, uint64_t *retransmissions)
{
	struct sctp_assoc_stats st = {0};
	uint64_t accepted = atomic_load_explicit(&c->accepted, memory_order_relaxed);

	if (!GET(c->s.fd, SCTP_GET_ASSOC_STATS, st))
		return 0;
	*retransmissions = st.sas_rtxchunks;
	/* Linux has no count of what waits to be sent (its sstat_penddata is about receiving): it is what we
	 * gave less what went out. A fragmented message goes out as several chunks and makes this too small.
	 */
	return accepted > st.sas_oodchunks ? (uint32_t)(accepted - st.sas_oodchunks) : 0;
}

uint32_t kernel_undelivered(const struct kernel_conn *c)
{
	struct sctp_status st = {0};
	uint64_t ignored;

	if (!GET(c->s.fd, SCTP_STATUS, st))
		return 0;
	return st.sstat_unackdata + pending(c, &ignored);
}

static void path_info(const struct kernel_conn *c, const struct sctp_status *st, struct tp_path_info *path)
{
	struct sctp_paddrinfo pi = {0};
	union tp_addr primary;
	uint16_t port;

	port = kernel_address(&primary, &st->sstat_primary.spinfo_address);
	path->primary = tp_addr_same(&primary, &path->addr);
	memcpy(&pi.spinfo_address, &path->addr, tp_addr_len(&path->addr));
	tp_addr_set_port((union tp_addr *)(void *)&pi.spinfo_address, port);
	if (!GET(c->s.fd, SCTP_GET_PEER_ADDR_INFO, pi))
		return;
	/* potentially failed is a state of an active path (RFC 7829 s.3) */
	path->active = pi.spinfo_state == SCTP_ACTIVE || pi.spinfo_state == SCTP_PF;
	path->srtt_ms = pi.spinfo_srtt;
	path->rto_ms = pi.spinfo_rto;
	path->cwnd = pi.spinfo_cwnd;
	path->mtu = pi.spinfo_mtu;
}

static void addresses(const struct kernel_conn *c, const struct sctp_status *st, struct tp_info *out)
{
	union tp_addr peers[TP_MAX_ADDRS];
	struct sockaddr *list = NULL;
	int n = sctp_getpaddrs(c->s.fd, 0, &list);

	if (n > 0) {
		out->n_paths = (uint8_t)kernel_unpack(list, n, peers, &out->remote_port);
		sctp_freepaddrs(list);
	}
	for (unsigned i = 0; i < out->n_paths; i++) {
		out->paths[i].addr = peers[i];
		path_info(c, st, &out->paths[i]);
	}
	n = sctp_getladdrs(c->s.fd, 0, &list);
	if (n > 0) {
		out->n_local = (uint8_t)kernel_unpack(list, n, out->local, &out->local_port);
		sctp_freeladdrs(list);
	}
}

enum sb_err kernel_info(const struct tp_conn *conn, struct tp_info *out)
{
	const struct kernel_conn *c = (const struct kernel_conn *)conn;
	struct sctp_status st = {0};

	memset(out, 0, sizeof(*out));
	if ((c->s.state != SOCK_OPEN && c->s.state != SOCK_CLOSING) || !GET(c->s.fd, SCTP_STATUS, st))
		return SB_ESTATE;
	addresses(c, &st, out);
	out->in_streams = st.sstat_instrms;
	out->out_streams = st.sstat_outstrms;
	out->unacked = st.sstat_unackdata;
	out->peer_rwnd = st.sstat_rwnd;
	out->pending = pending(c, &out->retransmissions);
	out->crc = offload_summary(out->local, out->n_local);
	return SB_OK;
}
