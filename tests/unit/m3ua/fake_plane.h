/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A data plane without threads or transports: it records what control sends, and lets a test play the peers.
 * Grace periods end when the test says so. */
#pragma once

#include "data/plane.h"

struct sg;

struct plane *fake_plane_new(struct sg *sg);
void fake_plane_free(struct plane *p);

/* A peer arrives at the listener NAME. The association that control made of it, or NULL if it was rejected.
 */
struct assoc *fake_arrive(struct plane *p, const char *listener, const char *ip, uint16_t port);
/* The youngest association that control opened for the ASP NAME. */
struct assoc *fake_assoc(struct plane *p, const char *name);

void fake_event(
	struct plane *p, struct assoc *a, enum plane_event_kind kind, uint32_t value, const char *reason);
void fake_up(struct plane *p, struct assoc *a);
void fake_down(struct plane *p, struct assoc *a, const char *reason);
/* A message from the peer; then control settles. */
void fake_rx(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len);
/* The same without settling: several in one batch. */
void fake_rx_more(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len);
void fake_refused(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len,
	enum drop_reason reason, uint32_t value);
/* Ends every grace period that control waits for, and those that this starts. */
void fake_grace(struct plane *p);
bool fake_grace_pending(const struct plane *p);

/* What control has sent to A since the last call, one line per message: "ASPUP_ACK\nNTFY st=1/2 rc=1\n"; and
 * "<shutdown>", "<abort: why>". Valid until the next call. */
const char *fake_sent(struct assoc *a);
/* The bytes of the last message sent. */
const uint8_t *fake_last(struct assoc *a, uint32_t *len, uint16_t *stream);
/* So many messages wait on A's transmit queue. */
void fake_backlog(struct assoc *a, uint32_t messages);
bool fake_freed(const struct assoc *a);
/* Does the published table name A, as a way out or in? */
bool fake_named(const struct plane *p, const struct assoc *a);
/* Is it not to be read? */
bool fake_restrained(const struct assoc *a);
/* Would a worker send to it? */
bool fake_sends_to(const struct plane *p, const struct assoc *a);
unsigned fake_publications(const struct plane *p);
/* Has any table held back what is for this target? (the first 64) */
bool fake_was_pending(const struct plane *p, uint32_t number);
unsigned fake_permitted(const struct plane *p, const char *listener);
unsigned fake_buffers_out(const struct plane *p);
/* Every publication and every message in order: "table\n", "hlr-1 ASPAC_ACK rc=1\n". */
const char *fake_journal(struct plane *p);
/* A line of the test's own in it: "WHO WHAT\n". */
void fake_note(struct plane *p, const char *who, const char *what);
