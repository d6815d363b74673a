/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an association has for its owner: messages, notifications, and the upcalls they become. Runs from the
 * loop only, never inside usrsctp. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <usrsctp.h>

#include "sctp/embedded_int.h"

static void tell(struct emb_peer *p, struct tp_event *ev)
{
	p->conn.loop->up->event(p->conn.user, ev);
}

static void tell_kind(struct emb_peer *p, enum tp_event_kind kind)
{
	struct tp_event ev = {.kind = kind, .in_streams = p->in_streams, .out_streams = p->out_streams};

	tell(p, &ev);
}

/* Before TP_DOWN and before anything that may depend on it. */
static void tell_failed(struct emb_peer *p)
{
	struct tp_event ev = {.kind = TP_SEND_FAILED, .count = p->failed};

	p->failed = 0;
	if (ev.count)
		tell(p, &ev);
}

/* usrsctp says who ended it only in the socket's error, and there only half of it. */
static const char *lost_reason(struct emb_peer *p)
{
	socklen_t len = sizeof(p->error);

	if (p->so && !p->error)
		(void)usrsctp_getsockopt(p->so, SOL_SOCKET, SO_ERROR, &p->error, &len);
	switch (p->error) {
	case ECONNREFUSED: return "refused";
	case ECONNRESET: return "aborted by peer";
	case ETIMEDOUT: return "no answer from the peer";
	case ECONNABORTED:
		return p->unreachable ? "path failure: no answer from the peer"
				      : "protocol violation by the peer";
	default: return p->up_told ? "association lost" : "could not be established";
	}
}

/* ABORT with a User-Initiated Abort cause (RFC 4960 s.3.3.10.12): its text is for operators. */
static void end_lost(struct emb_peer *p, const struct sctp_assoc_change *sac, const uint8_t *raw, size_t n)
{
	enum { CAUSE_USER = 12, CHUNK_AND_CAUSE = 8 };
	const uint8_t *info = raw + sizeof(*sac);
	char text[TP_REASON];
	size_t len, i;

	if (n < sizeof(*sac) + CHUNK_AND_CAUSE || info[0] != CHUNK_ABORT || info[4] != 0 ||
		info[5] != CAUSE_USER) {
		emb_assoc_end(p, lost_reason(p));
		return;
	}
	len = (size_t)(info[6] << 8 | info[7]);
	len = len > 4 ? len - 4 : 0;
	if (len > n - sizeof(*sac) - CHUNK_AND_CAUSE)
		len = n - sizeof(*sac) - CHUNK_AND_CAUSE;
	i = (size_t)snprintf(text, sizeof(text), "aborted by peer%s", len ? ": " : "");
	for (size_t k = 0; k < len && i + 1 < sizeof(text); k++) {
		uint8_t c = info[CHUNK_AND_CAUSE + k];

		text[i++] = c >= ' ' && c < 0x7f ? (char)c : '.';
	}
	text[i] = '\0';
	emb_assoc_end(p, text);
}

static void came_up(struct emb_peer *p, const struct sctp_assoc_change *sac, enum tp_event_kind kind)
{
	p->up = true;
	p->up_told = true;
	p->connecting = false;
	p->blocked = false;
	p->leaving = p->asked = false;
	p->error = 0;
	p->unreachable = false;
	p->tag = p->offered_tag;
	p->tsn_known = false;
	p->in_streams = sac->sac_inbound_streams;
	p->out_streams = sac->sac_outbound_streams;
	emb_info_refresh(p);
	tell_failed(p);
	tell_kind(p, kind);
}

static void on_assoc_change(struct emb_peer *p, const uint8_t *raw, size_t n)
{
	struct sctp_assoc_change sac;

	if (n < sizeof(sac))
		return;
	memcpy(&sac, raw, sizeof(sac));
	switch (sac.sac_state) {
	case SCTP_COMM_UP: came_up(p, &sac, TP_UP); break;
	case SCTP_RESTART: came_up(p, &sac, p->up_told ? TP_RESTART : TP_UP); break;
	case SCTP_SHUTDOWN_COMP: emb_assoc_end(p, p->asked ? "closed" : "closed by peer"); break;
	case SCTP_COMM_LOST:
	case SCTP_CANT_STR_ASSOC: end_lost(p, &sac, raw, n); break;
	default: break;
	}
}

static void on_path_change(struct emb_peer *p, const uint8_t *raw, size_t n)
{
	struct tp_event ev = {.kind = TP_PATH, .addr = p->route.to};
	struct sctp_paddr_change spc;

	if (n < sizeof(spc))
		return;
	memcpy(&spc, raw, sizeof(spc));
	if (spc.spc_state != SCTP_ADDR_AVAILABLE && spc.spc_state != SCTP_ADDR_UNREACHABLE)
		return;
	ev.reachable = spc.spc_state == SCTP_ADDR_AVAILABLE;
	p->unreachable = !ev.reachable;
	if (p->unreachable)
		emb_assoc_probe(p);
	emb_info_refresh(p);
	tell(p, &ev);
}

static void on_notification(struct emb_peer *p, const uint8_t *raw, size_t n)
{
	struct {
		uint16_t type, flags;
		uint32_t length;
	} head;

	if (n < sizeof(head))
		return;
	memcpy(&head, raw, sizeof(head));
	switch (head.type) {
	case SCTP_ASSOC_CHANGE: on_assoc_change(p, raw, n); break;
	case SCTP_PEER_ADDR_CHANGE: on_path_change(p, raw, n); break;
	case SCTP_SEND_FAILED_EVENT: p->failed++; break;
	case SCTP_SHUTDOWN_EVENT:
		p->leaving = true;
		tell_kind(p, TP_PEER_SHUTDOWN);
		break;
	default: break;
	}
}

/* Where the next bytes go: behind what there is of the message, or where nobody looks. */
struct space {
	uint8_t *at;
	size_t n;
};

static struct space space(struct emb_peer *p)
{
	struct tp_loop *l = p->conn.loop;
	struct mbuf *m;

	if (!p->part && !p->skipped)
		p->part = mbuf_alloc(l->pool);
	m = p->part;
	if (!m)
		return (struct space){p->e->scratch, sizeof(p->e->scratch)};
	/* one byte more than allowed tells a message that is too long */
	return (struct space){m->data + m->off + m->len, l->max_message + 1u - m->len};
}

static void discard(struct emb_peer *p, size_t n, bool end)
{
	uint32_t len;

	p->skipped += (uint32_t)n;
	if (!end)
		return;
	len = p->skipped;
	p->skipped = 0;
	if (p->conn.loop->up->refused)
		p->conn.loop->up->refused(p->conn.user, len, p->skip_long);
	p->skip_long = false;
}

static void on_data(struct emb_peer *p, size_t n, const struct sctp_rcvinfo *ri, bool end)
{
	struct tp_loop *l = p->conn.loop;
	struct mbuf *m = p->part;

	if (!m) { /* no buffer, or in the middle of what is too long */
		p->skip_long |= p->skipped + n > l->max_message;
		discard(p, n, end);
		return;
	}
	m->len += (uint32_t)n;
	if (m->len > l->max_message) {
		n = m->len;
		m->len = 0;
		mbuf_free(l->pool, m);
		p->part = NULL;
		p->skip_long = true;
		discard(p, n, end);
		return;
	}
	if (!end)
		return;
	p->part = NULL;
	m->stream = ri->rcv_sid;
	m->ssn = ri->rcv_ssn;
	m->ppid = ntohl(ri->rcv_ppid);
	m->rx_ns = p->e->rx_ns;
	l->up->message(p->conn.user, m);
}

/* usrsctp gives a socket's error once, ahead of the notification that explains it, and then goes on. */
static bool on_error(struct emb_peer *p, int err)
{
	if (err == EWOULDBLOCK)
		return false;
	if (p->error == err || err == ENOTCONN) {
		if (!p->connecting || err != ENOTCONN)
			emb_assoc_end(p, lost_reason(p));
		return false;
	}
	p->error = err;
	return true;
}

/* False: there is no more for now. */
static bool read_one(struct emb_peer *p)
{
	struct space to = space(p);
	struct sctp_rcvinfo ri;
	socklen_t ri_len = sizeof(ri);
	unsigned ri_type = 0;
	int flags = 0;
	ssize_t n = usrsctp_recvv(p->so, to.at, to.n, NULL, NULL, &ri, &ri_len, &ri_type, &flags);

	if (n < 0)
		return on_error(p, errno);
	if (n == 0) {
		emb_assoc_end(p, p->asked ? "closed" : "closed by peer");
		return false;
	}
	if (flags & MSG_NOTIFICATION)
		on_notification(p, to.at, (size_t)n);
	else
		on_data(p, (size_t)n, &ri, (flags & MSG_EOR) != 0);
	return true;
}

static void read_all(struct emb_peer *p)
{
	unsigned budget = EMB_READ_BUDGET;

	while (!p->down && !p->held && (emb_assoc_events(p) & (SCTP_EVENT_READ | SCTP_EVENT_ERROR))) {
		if (!budget--) { /* others want to live too */
			emb_ready(p);
			break;
		}
		if (!read_one(p))
			break;
	}
	if (p->part && !p->part->len) {
		mbuf_free(p->conn.loop->pool, p->part);
		p->part = NULL;
	}
}

void emb_read(struct emb_peer *p)
{
	read_all(p);
	tell_failed(p);
	if (p->blocked && !p->down && (emb_assoc_events(p) & SCTP_EVENT_WRITE)) {
		p->blocked = false;
		tell_kind(p, TP_WRITABLE);
	}
	if (p->down && !p->down_told) {
		struct tp_event ev = {.kind = TP_DOWN};

		p->down_told = true;
		snprintf(ev.reason, sizeof(ev.reason), "%s", p->reason);
		tell(p, &ev);
	}
}
