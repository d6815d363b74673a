/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the kernel transport among themselves: kernel.c (ops, life), kernel_opts.c (options and
 * addresses), kernel_io.c (messages), kernel_notify.c (notifications), kernel_info.c (what `show` sees). */
#pragma once

#include <netinet/in.h>
#include <netinet/sctp.h>
#include <stdatomic.h>

#include "sctp/sock.h"

enum {
	KERNEL_BATCH = 64,
	KERNEL_SPILL = 65536,
};

/* Control message of one sent message, of one received. */
union kernel_snd {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(struct sctp_sndinfo))];
};
union kernel_rcv {
	struct cmsghdr align;
	char buf[CMSG_SPACE(sizeof(struct sctp_rcvinfo))];
};

struct kernel_loop {
	struct sock_loop base;
	struct mmsghdr tx[KERNEL_BATCH], rx[KERNEL_BATCH];
	struct iovec tx_iov[KERNEL_BATCH], rx_iov[KERNEL_BATCH];
	union kernel_snd tx_control[KERNEL_BATCH];
	union kernel_rcv rx_control[KERNEL_BATCH];
	struct mbuf *rx_buf[KERNEL_BATCH]; /* empty between passes */
	uint8_t spill[KERNEL_SPILL]; /* read into when there is no buffer, so that notifications go on */
};

struct kernel_conn {
	struct sock s;
	_Atomic uint64_t accepted; /* messages that the kernel has taken: info() reads it */
	bool held;                 /* the last message went with MSG_MORE: the stack may hold some back */
	unsigned rx_batch;         /* buffers offered at a time: grows with the traffic */

	struct mbuf *part;    /* begun, no MSG_EOR yet */
	uint32_t skip;        /* bytes so far of a message that is refused, 0 if none */
	bool skip_too_long;   /* why */
	bool in_notification; /* one that came in parts: only the first is looked at */

	int err;   /* what the socket's pending error was */
	bool eof;  /* nothing more will be read */
	bool over; /* the association has ended: what is still queued is read first, then it is down */
	char over_reason[TP_REASON];
};

/* kernel_opts.c */

/* Before connect() or listen(): everything. */
void kernel_set_options(int fd, const struct tp_params *p);
/* On an accepted association: what is not fixed by its handshake. */
void kernel_set_assoc_options(int fd, const struct tp_params *p);
/* An open socket with options, bound to P's local addresses and port. */
enum sb_err kernel_open(const struct tp_params *p, int family, int *fd) SB_MUST_USE;
/* ADDRS behind each other, as sctp_bindx() and sctp_connectx() want them. OUT has room for TP_MAX_ADDRS. */
void kernel_pack(uint8_t *out, const union tp_addr *addrs, unsigned n, uint16_t port);
/* The N packed addresses at P into ADDRS, unmapped, without ports. Returns how many; they share *PORT. */
unsigned kernel_unpack(const struct sockaddr *p, int n, union tp_addr addrs[TP_MAX_ADDRS], uint16_t *port);
/* One of the kernel's addresses: unmapped, without port. Returns the port. */
uint16_t kernel_address(union tp_addr *out, const void *sockaddr);
void kernel_demand_heartbeat(int fd);

/* kernel_io.c */
void kernel_readable(struct sock *s);
unsigned kernel_transmit(struct tp_conn *conn, struct mbufq *q);

/* kernel_notify.c: LEN bytes of a notification, or of its first part. */
void kernel_notification(struct kernel_conn *c, const uint8_t *p, size_t len);
/* The association has ended for WHY: sock_die() when all has been read. The first reason stays. */
void kernel_over(struct kernel_conn *c, const char *why);

/* kernel_info.c */
enum sb_err kernel_info(const struct tp_conn *conn, struct tp_info *out);
/* Messages that the kernel has and the peer has not acknowledged. */
uint32_t kernel_undelivered(const struct kernel_conn *c);
