/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kernel SCTP and TCP have in common: a connection is a non-blocking descriptor in a libev loop, with
 * the life cycle that transport.h promises. The two differ in a struct sock_kind.
 *
 * No upcall ever comes from inside a call of transport.h: what a call finds out (up, send failed, down) is
 * put down in `due` and told by a timer of zero length. The descriptor's number stays valid until release(),
 * for info() on other threads; but the socket behind it is closed with the connection (sock_die), so that
 * its port and the peer's state are free at once. */
#pragma once

#include <ev.h>

#include "sctp/transport.h"

enum sock_state {
	SOCK_CONNECTING, /* or adopted, and TP_UP is due */
	SOCK_OPEN,
	SOCK_CLOSING, /* shutdown() was called: still receives */
	SOCK_DEAD,    /* TP_DOWN is due or told */
};

enum { SOCK_DUE_UP = 1, SOCK_DUE_FAILED = 2, SOCK_DUE_DOWN = 4, SOCK_DUE_READ = 8 };

struct sock {
	struct tp_conn conn;
	const struct sock_kind *kind;
	int fd;
	_Atomic enum sock_state state; /* info() reads it on other threads */
	unsigned due;
	bool stalled; /* transmit() left messages: TP_WRITABLE is owed */
	bool held;    /* it is not read */
	uint32_t failed;
	uint16_t in_streams, out_streams;
	ev_io rd, wr;
	ev_timer later;
	char reason[TP_REASON];
};

struct sock_listener {
	struct tp_loop *loop;
	const struct sock_kind *kind;
	void *user;
	unsigned n;
	ev_io io[TP_MAX_ADDRS];
	ev_timer pause; /* out of descriptors: accepts again when it ends */
	uint16_t port;
};

/* Each kind's per-loop structure begins with this. */
struct sock_loop {
	int tomb; /* what a dead connection's descriptor refers to */
};

struct sock_kind {
	const struct tp_ops *ops;
	enum tp_kind kind;
	size_t conn_size, loop_size;

	/* Sockets that listen for P, into FDS; n_fds is at least 1 on success. */
	enum sb_err (*open_listeners)(const struct tp_params *p, int fds[TP_MAX_ADDRS], unsigned *n_fds);
	/* All addresses of the peer on FD; 0 if it has gone. */
	unsigned (*peer_addrs)(int fd, union tp_addr addrs[TP_MAX_ADDRS], uint16_t *port);
	/* Opens s->fd and starts to connect. */
	enum sb_err (*start)(struct sock *s, const struct tp_params *p);
	/* Connecting failed with ERR. True if it has started another attempt. May be NULL. */
	bool (*retry)(struct sock *s, int err);
	/* An accepted descriptor gets the options of its own association. */
	void (*adopted)(struct sock *s, const struct tp_params *p);
	/* It is established: fills in the streams. False if it is not any more. */
	bool (*established)(struct sock *s);
	void (*readable)(struct sock *s);
	/* Sends what transmit() has taken and could not send. True if nothing is left. May be NULL. */
	bool (*flush)(struct sock *s);
	/* Nothing more will be sent: tells the peer. */
	void (*leave)(struct sock *s);
	/* TP_DOWN follows: hands back what transmit() has taken and not sent. May be NULL. */
	void (*down)(struct sock *s);
	/* Frees what it holds beside struct sock; the descriptor is closed. May be NULL. */
	void (*fini)(struct sock *s);
};

/* The loop's own structure of this kind, made on first use; NULL without memory or descriptors. */
struct sock_loop *sock_loop(struct tp_loop *l, const struct sock_kind *kind);
void sock_loop_fini(struct tp_loop *l, const struct sock_kind *kind);

/* The ops that need no more than a kind. */
enum sb_err sock_listen(const struct sock_kind *kind, struct tp_loop *l, const struct tp_params *p,
	void *user, struct tp_listener **out) SB_MUST_USE;
void sock_unlisten(struct tp_listener *take_ls);
enum sb_err sock_connect(const struct sock_kind *kind, struct tp_loop *l, const struct tp_params *p,
	void *user, struct tp_conn **out) SB_MUST_USE;
enum sb_err sock_adopt(const struct sock_kind *kind, struct tp_loop *l, struct tp_incoming *take_in,
	const struct tp_params *p, void *user, struct tp_conn **out) SB_MUST_USE;
void sock_reject(struct tp_incoming *take_in);
void sock_shutdown(struct tp_conn *c);
void sock_abort(struct tp_conn *c, const char *why);
void sock_release(struct tp_conn *take_c);
void sock_hold(struct tp_conn *c, bool held);

/* It is over. ABORT: the peer is told so at once (ABORT, RST); else what was sent still goes out. */
void sock_die(struct sock *s, bool abort, const char *why);

/* Upcall, from the loop only. */
void sock_tell(struct sock *s, enum tp_event_kind kind);

/* transmit() could not send all of its queue: TP_WRITABLE when it can. */
void sock_stall(struct sock *s);

/* A message that transmit() took could not be sent: TP_SEND_FAILED. */
void sock_failed(struct sock *s, uint32_t n);

/* An English word for an errno of a connection, as operators know it. */
const char *sock_reason(int err);

/* Socket options shared by both. Failures are not errors: the connection works, just not as wished. */
void sock_set_buffers(int fd, const struct tp_params *p);
void sock_set_dscp(int fd, uint8_t dscp);
void sock_set_int(int fd, int level, int option, int value);

/* N addresses as the kernel wants them in one socket of FAMILY (IPv4 mapped into AF_INET6), with PORT. */
int sock_family(const struct tp_params *p);
void sock_address(union tp_addr *out, const union tp_addr *a, int family, uint16_t port);
/* The wildcard address of FAMILY. */
void sock_any(union tp_addr *out, int family, uint16_t port);
