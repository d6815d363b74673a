/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notifications of the kernel (RFC 6458 s.6) become the transport's events. Unknown ones are ignored, as
 * s.6.1 wants it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sctp/kernel_int.h"

void kernel_over(struct kernel_conn *c, const char *why)
{
	if (c->over)
		return;
	c->over = true;
	snprintf(c->over_reason, sizeof(c->over_reason), "%s", why);
}

/* What the socket's error was, whether recvmmsg() has met it already or not. */
static int socket_error(struct kernel_conn *c)
{
	int err = 0;
	socklen_t len = sizeof(err);

	if (!c->err && getsockopt(c->s.fd, SOL_SOCKET, SO_ERROR, &err, &len) == 0)
		c->err = err;
	return c->err;
}

/* An ABORT that was received comes with the notification (RFC 6458 s.6.1.1, sac_info). Without one it was our
 * side that gave up. */
static const char *lost_reason(struct kernel_conn *c, const struct sctp_assoc_change *ac)
{
	int err = socket_error(c);

	if (ac->sac_length > sizeof(*ac) || err == ECONNRESET)
		return "aborted by peer";
	return "path failure";
}

/* In a one-to-one socket the kernel keeps what it could not deliver and tells of it only by numbers. */
static void count_undelivered(struct kernel_conn *c)
{
	c->s.failed += kernel_undelivered(c);
	if (c->s.failed)
		sock_tell(&c->s, TP_SEND_FAILED);
}

static void restarted(struct kernel_conn *c, const struct sctp_assoc_change *ac)
{
	/* what was begun is of the peer's former life */
	mbuf_free(c->s.conn.loop->pool, c->part);
	c->part = NULL;
	c->skip = 0;
	c->s.in_streams = ac->sac_inbound_streams;
	c->s.out_streams = ac->sac_outbound_streams;
	sock_tell(&c->s, TP_RESTART);
}

static void assoc_change(struct kernel_conn *c, const union sctp_notification *n)
{
	const struct sctp_assoc_change *ac = &n->sn_assoc_change;

	switch (ac->sac_state) {
	case SCTP_RESTART: restarted(c, ac); break;
	case SCTP_COMM_LOST:
		count_undelivered(c);
		kernel_over(c, lost_reason(c, ac));
		break;
	case SCTP_SHUTDOWN_COMP:
		kernel_over(c, c->s.state == SOCK_CLOSING ? "shut down" : "closed by peer");
		break;
	default: /* COMM_UP was seen by connect() or accept() */ break;
	}
}

static void addr_change(struct kernel_conn *c, const union sctp_notification *n)
{
	const struct sctp_paddr_change *pc = &n->sn_paddr_change;
	struct tp_event ev = {.kind = TP_PATH};

	if (pc->spc_state != SCTP_ADDR_AVAILABLE && pc->spc_state != SCTP_ADDR_UNREACHABLE)
		return;
	ev.reachable = pc->spc_state == SCTP_ADDR_AVAILABLE;
	kernel_address(&ev.addr, &pc->spc_aaddr);
	c->s.conn.loop->up->event(c->s.conn.user, &ev);
}

static void send_failed(struct kernel_conn *c, const union sctp_notification *n)
{
	const struct sctp_send_failed_event *sf = (const void *)n;
	enum { FRAGMENT = 3, BEGIN = 2 }; /* B and E bits of the DATA chunk (RFC 9260 s.3.3.1) */

	/* the kernel tells of each chunk: a message is counted by its first */
	if ((sf->ssfe_info.snd_flags & FRAGMENT) && !(sf->ssfe_info.snd_flags & BEGIN))
		return;
	c->s.failed++;
	sock_tell(&c->s, TP_SEND_FAILED);
}

static void peer_shutdown(struct kernel_conn *c, const union sctp_notification *n)
{
	(void)n;
	if (c->s.state == SOCK_OPEN)
		sock_tell(&c->s, TP_PEER_SHUTDOWN);
}

static void partial_delivery(struct kernel_conn *c, const union sctp_notification *n)
{
	(void)n; /* SCTP_PARTIAL_DELIVERY_ABORTED is the only one: no more of that message will come */
	mbuf_free(c->s.conn.loop->pool, c->part);
	c->part = NULL;
	c->skip = 0;
}

static const struct {
	uint16_t type;
	size_t size; /* at least so many bytes */
	void (*handle)(struct kernel_conn *c, const union sctp_notification *n);
} notifications[] = {
	{SCTP_ASSOC_CHANGE, sizeof(struct sctp_assoc_change), assoc_change},
	{SCTP_PEER_ADDR_CHANGE, sizeof(struct sctp_paddr_change), addr_change},
	{SCTP_SEND_FAILED_EVENT, sizeof(struct sctp_send_failed_event), send_failed},
	{SCTP_SHUTDOWN_EVENT, sizeof(struct sctp_shutdown_event), peer_shutdown},
	{SCTP_PARTIAL_DELIVERY_EVENT, sizeof(struct sctp_pdapi_event), partial_delivery},
};

void kernel_notification(struct kernel_conn *c, const uint8_t *p, size_t len)
{
	union sctp_notification n;

	memset(&n, 0, sizeof(n));
	memcpy(&n, p, len < sizeof(n) ? len : sizeof(n));
	for (size_t i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++)
		if (notifications[i].type == n.sn_header.sn_type && len >= notifications[i].size)
			notifications[i].handle(c, &n);
}
