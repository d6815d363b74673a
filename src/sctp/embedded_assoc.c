/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The embedded transport's side of usrsctp: its global settings, its sockets and what packets it puts out.
 * Nothing here calls upwards; usrsctp's callbacks only queue. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <usrsctp.h>

#include "base/clock.h"
#include "sctp/crc32c.h"
#include "sctp/embedded_int.h"

enum { FINISH_TRIES = 600, FINISH_STEP_MS = 100, COOKIE_LIFE_MS = 10000 };

static struct sockaddr_conn name_of(const struct emb_peer *p, uint16_t port)
{
	return (struct sockaddr_conn){
		.sconn_family = AF_CONN,
		.sconn_port = htons(port),
		.sconn_addr = (void *)(uintptr_t)(p->slot + 1),
	};
}

/* What leaves tells what the public API does not: our verification tag, and what is sent again (usrsctp puts
 * retransmissions in packets of their own, so the first chunk tells for all). */
static void watch(struct emb_peer *p, const struct sctp_outline *o)
{
	if (o->init_tag)
		p->offered_tag = o->init_tag;
	if (!o->data)
		return;
	if (p->tsn_known && (int32_t)(o->first_tsn - p->next_tsn) < 0)
		p->retransmissions += o->data;
	if (!p->tsn_known || (int32_t)(o->last_tsn + 1 - p->next_tsn) > 0)
		p->next_tsn = o->last_tsn + 1;
	p->tsn_known = true;
}

/* Where it may be left out it is, once the peer has shown that it does so, too. Somebody has to begin: the
 * first INIT goes without, and if it is not answered the next ones go with it. */
static bool omits_crc(struct emb_peer *p, const struct sctp_outline *o)
{
	bool first = p->connecting && o->init_tag && !p->init_sent;

	p->init_sent |= first;
	return crc32c_may_omit(p->crc, p->loopback) && (p->peer_omits || first);
}

static int output(void *addr, void *packet, size_t n, uint8_t tos, uint8_t set_df)
{
	struct emb_peer *p = emb_slot((uintptr_t)addr);
	struct sctp_outline o;
	struct emb_route r;

	(void)set_df;
	if (!p || !p->sock || n < SCTP_COMMON_HEADER)
		return 0;
	sctp_outline(&o, packet, n);
	watch(p, &o);
	r = p->route;
	r.omit_crc = omits_crc(p, &o);
	r.tos = tos & 0xfc; /* the two ECN bits are not ours to set: ECN is off */
	emb_tx_bundle(p, &r, packet, n, &o);
	return 0;
}

/* The two tunables before everything, for usrsctp_init() makes its tables by them; the rest before the first
 * socket. */
void emb_stack_init(void)
{
	usrsctp_tunable_set_sctp_hashtblsize(EMB_BUCKETS); /* and 31 times as many for associations: 1 MiB */
	usrsctp_tunable_set_sctp_pcbtblsize(4);            /* for each endpoint; each has one association */
	usrsctp_init_nothreads(0, output, NULL);
	usrsctp_enable_crc32c_offload(); /* it sends 0 and does not verify: both are ours */
	usrsctp_sysctl_set_sctp_no_csum_on_loopback(0);
	usrsctp_sysctl_set_sctp_max_chunks_on_queue(65536); /* the default 512 is EAGAIN after 512 messages */
	usrsctp_sysctl_set_sctp_max_burst_default(16);
	usrsctp_sysctl_set_sctp_fr_max_burst_default(16);
	/* In turns by stream, DATA would leave before the acknowledgement queued ahead of it on stream 0. */
	usrsctp_sysctl_set_sctp_default_ss_module(SCTP_SS_FIRST_COME);
	usrsctp_sysctl_set_sctp_ecn_enable(0);
	/* Nothing here uses these; what is off cannot be attacked. */
	usrsctp_sysctl_set_sctp_auto_asconf(0);
	usrsctp_sysctl_set_sctp_asconf_enable(0);
	usrsctp_sysctl_set_sctp_auth_enable(0);
	usrsctp_sysctl_set_sctp_reconfig_enable(0);
	usrsctp_sysctl_set_sctp_nrsack_enable(0);
	usrsctp_sysctl_set_sctp_pktdrop_enable(0);
	usrsctp_sysctl_set_sctp_pr_enable(0);
}

/* Endpoints linger on timers; there is no other work, so time may run fast. */
bool emb_stack_fini(void)
{
	for (unsigned i = 0; i < FINISH_TRIES; i++) {
		if (usrsctp_finish() == 0)
			return true;
		usrsctp_handle_timers(FINISH_STEP_MS);
	}
	return false;
}

static void on_upcall(struct socket *so, void *arg, int flags)
{
	struct emb_peer *p = emb_slot((uintptr_t)arg);

	(void)so, (void)flags;
	if (p)
		emb_ready(p);
}

static bool set(struct emb_peer *p, int name, const void *value, size_t n)
{
	return usrsctp_setsockopt(p->so, IPPROTO_SCTP, name, value, (socklen_t)n) == 0;
}

static void set_nodelay(struct emb_peer *p, int on)
{
	set(p, SCTP_NODELAY, &on, sizeof(on));
}

static void subscribe(struct emb_peer *p)
{
	static const uint16_t types[] = {
		SCTP_ASSOC_CHANGE,
		SCTP_PEER_ADDR_CHANGE,
		SCTP_SHUTDOWN_EVENT,
		SCTP_SEND_FAILED_EVENT,
	};

	for (unsigned i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct sctp_event ev = {.se_assoc_id = SCTP_FUTURE_ASSOC, .se_type = types[i], .se_on = 1};

		set(p, SCTP_EVENT, &ev, sizeof(ev));
	}
}

/* Those that may be set again on a living association, when it gets its owner. */
bool emb_assoc_options(struct emb_peer *p, const struct tp_params *par)
{
	struct sctp_rtoinfo rto = {
		.srto_initial = par->rto_initial_ms,
		.srto_min = par->rto_min_ms,
		.srto_max = par->rto_max_ms,
	};
	struct sctp_assocparams assoc = {
		.sasoc_asocmaxrxt = par->assoc_max_retrans,
		.sasoc_cookie_life = COOKIE_LIFE_MS,
	};
	struct sctp_paddrparams path = {
		.spp_address.ss_family = AF_CONN, /* with no address in it: all there are */
		.spp_hbinterval = par->heartbeat_ms,
		.spp_pathmaxrxt = par->path_max_retrans,
		.spp_pathmtu = par->path_mtu ? par->path_mtu : EMB_PATH_MTU,
		.spp_dscp = (uint8_t)(par->dscp << 2),
		.spp_flags =
			SPP_PMTUD_DISABLE | SPP_DSCP | (par->heartbeat_ms ? SPP_HB_ENABLE : SPP_HB_DISABLE),
	};
	struct sctp_sack_info sack = {
		.sack_delay = par->sack_delay_ms,
		.sack_freq = par->sack_delay_ms ? 2 : 1, /* RFC 4960 s.6.2: at least every second packet */
	};
	int snd = (int)par->sndbuf, rcv = (int)par->rcvbuf;
	bool ok = true;

	ok &= set(p, SCTP_RTOINFO, &rto, sizeof(rto));
	ok &= set(p, SCTP_ASSOCINFO, &assoc, sizeof(assoc));
	ok &= set(p, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path));
	ok &= set(p, SCTP_DELAYED_SACK, &sack, sizeof(sack));
	if (snd)
		ok &= usrsctp_setsockopt(p->so, SOL_SOCKET, SO_SNDBUF, &snd, sizeof(snd)) == 0;
	if (rcv)
		ok &= usrsctp_setsockopt(p->so, SOL_SOCKET, SO_RCVBUF, &rcv, sizeof(rcv)) == 0;
	return ok;
}

enum sb_err emb_assoc_open(struct emb_peer *p, const struct tp_params *par)
{
	struct sctp_initmsg init = {
		.sinit_num_ostreams = par->out_streams,
		.sinit_max_instreams = par->max_in_streams,
		.sinit_max_attempts = par->init_max_attempts,
		.sinit_max_init_timeo =
			(uint16_t)(par->init_max_timeout_ms > 65535 ? 65535 : par->init_max_timeout_ms),
	};
	struct sockaddr_conn me = name_of(p, p->lport);
	struct linger hard = {
		.l_onoff = 1, .l_linger = 0}; /* close() never waits: shutdown() is its own call */
	int on = 1;

	p->so = usrsctp_socket(AF_CONN, SOCK_STREAM, IPPROTO_SCTP, NULL, NULL, 0, NULL);
	if (!p->so)
		return SB_ENOMEM;
	usrsctp_set_non_blocking(p->so, 1);
	usrsctp_setsockopt(p->so, SOL_SOCKET, SO_LINGER, &hard, sizeof(hard));
	if (!set(p, SCTP_INITMSG, &init, sizeof(init)) || !set(p, SCTP_RECVRCVINFO, &on, sizeof(on)))
		return SB_EINVAL;
	set_nodelay(p, 1);
	subscribe(p);
	if (!emb_assoc_options(p, par))
		return SB_EINVAL;
	usrsctp_set_upcall(p->so, on_upcall, (void *)(uintptr_t)(p->slot + 1));
	if (usrsctp_bind(p->so, (struct sockaddr *)&me, sizeof(me)) < 0)
		return SB_EADDR;
	return SB_OK;
}

enum sb_err emb_assoc_listen(struct emb_peer *p)
{
	return usrsctp_listen(p->so, 1) < 0 ? SB_ESYS : SB_OK;
}

enum sb_err emb_assoc_connect(struct emb_peer *p)
{
	struct sockaddr_conn peer = name_of(p, p->rport);

	p->connecting = true;
	if (usrsctp_connect(p->so, (struct sockaddr *)&peer, sizeof(peer)) < 0 && errno != EINPROGRESS)
		return SB_ESYS;
	return SB_OK;
}

/* The listening socket has done its work once its only peer is there: a restart (RFC 4960 s.5.2) finds the
 * association itself. */
bool emb_assoc_accept(struct emb_peer *p)
{
	struct socket *so = usrsctp_accept(p->so, NULL, NULL);

	if (!so)
		return false;
	usrsctp_close(p->so);
	p->so = so;
	p->tag = p->offered_tag;
	usrsctp_set_non_blocking(so, 1);
	set_nodelay(p, 1);
	usrsctp_set_upcall(so, on_upcall, (void *)(uintptr_t)(p->slot + 1));
	return true;
}

/* On a path that is unreachable usrsctp sends nothing new, though it may be the only one (RFC 9260 s.8.2
 * leaves it to us), and what it sends again does not make the path good: only the acknowledgement of a
 * HEARTBEAT does. Instead of waiting for the next one, which is seconds: when the path fails, and when
 * something comes in. */
void emb_assoc_probe(struct emb_peer *p)
{
	struct sctp_paddrparams path = {.spp_flags = SPP_HB_DEMAND};
	struct sockaddr_conn peer = name_of(p, p->rport);
	uint64_t now = clock_ms();

	if (!p->so || now - p->probe_ms < EMB_PROBE_MS)
		return;
	p->probe_ms = now;
	memcpy(&path.spp_address, &peer, sizeof(peer));
	set(p, SCTP_PEER_ADDR_PARAMS, &path, sizeof(path));
}

void emb_assoc_feed(struct emb_peer *p, const uint8_t *packet, size_t n)
{
	usrsctp_conninput((void *)(uintptr_t)(p->slot + 1), packet, n, 0);
	if (p->unreachable)
		emb_assoc_probe(p);
	emb_ready(p);
}

/* RFC 4960 s.3.3.10.12: an ABORT may carry the upper layer's reason. */
static void abort_saying(struct emb_peer *p, const char *why)
{
	struct sctp_sndinfo info = {.snd_flags = SCTP_ABORT};

	(void)usrsctp_sendv(p->so, why, strlen(why), NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO, 0);
}

void emb_assoc_close(struct emb_peer *p, const char *why)
{
	if (!p->so)
		return;
	if (why && p->state == EMB_OWNED && p->up && !p->down)
		abort_saying(p, why);
	usrsctp_set_upcall(p->so, NULL, NULL);
	usrsctp_close(p->so);
	p->so = NULL;
}

/* The association is over. Its place among the peers is free at once, so that the same peer may come again
 * before its owner has released this one. */
void emb_assoc_end(struct emb_peer *p, const char *reason)
{
	if (p->down)
		return;
	emb_assoc_close(p, NULL);
	emb_peer_unhash(p);
	p->down = true;
	p->up = false;
	atomic_store_explicit(&p->info_seq, 0, memory_order_release);
	snprintf(p->reason, sizeof(p->reason), "%s", reason);
	emb_ready(p);
	emb_kick(p->e);
}

bool emb_assoc_gone(struct emb_peer *p)
{
	struct sctp_status st = {0};
	socklen_t len = sizeof(st);

	return p->state == EMB_OWNED && p->so &&
	       usrsctp_getsockopt(p->so, IPPROTO_SCTP, SCTP_STATUS, &st, &len) < 0;
}

unsigned emb_assoc_events(struct emb_peer *p)
{
	return p->so ? (unsigned)usrsctp_get_events(p->so) : 0;
}

static int send_one(struct emb_peer *p, const struct mbuf *m)
{
	struct sctp_sndinfo info = {.snd_sid = m->stream, .snd_ppid = htonl(m->ppid)};

	if (usrsctp_sendv(p->so, m->data + m->off, m->len, NULL, 0, &info, sizeof(info), SCTP_SENDV_SNDINFO,
		    0) >= 0)
		return 0;
	return errno;
}

/* Corking, "the flip": Nagle's algorithm is on for all of the burst but the last, which then sends what is
 * held. Where the last does not get through, something is in flight, and its SACK sends the rest: by then
 * Nagle is off. */
unsigned emb_assoc_transmit(struct emb_peer *p, struct mbufq *q)
{
	bool corked = q->n > 1;
	unsigned sent = 0;

	if (!p->up || p->leaving)
		return 0;
	if (corked)
		set_nodelay(p, 0);
	while (q->first) {
		int err;

		if (corked && !q->first->next) {
			set_nodelay(p, 1);
			corked = false;
		}
		err = send_one(p, q->first);
		if (err == EWOULDBLOCK || err == ENOBUFS) {
			p->blocked = true;
			break;
		}
		if (err == EPIPE || err == ENOTCONN || err == ECONNRESET)
			break; /* the news of it is on its way */
		if (err)
			p->failed++; /* can never be sent: no such stream, too long for the send buffer */
		else
			sent++;
		tp_done(&p->conn, mbufq_pop(q));
	}
	if (corked)
		set_nodelay(p, 1);
	if (p->failed) {
		emb_ready(p);
		emb_kick(p->e);
	}
	return sent;
}

void emb_assoc_shutdown(struct emb_peer *p)
{
	p->leaving = true;
	p->asked = true;
	if (usrsctp_shutdown(p->so, SHUT_WR) < 0)
		emb_assoc_end(p, "closed");
}
