/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links over a plane that is played: what a link commands and what it tells level 3 is written down, in
 * order, as text. Two links may be joined: what one sends as Link Status then arrives at the other. Time is
 * the test's.
 *
 *     commands: connect adopt abort shutdown free reset open go close outage recover:FLUSH answer:FLUSH
 * busy:ON bsnt retrieve:FSNC send "S:Ready" (a Link Status) told:     +up +down +in +out(reason) +remote:OUT
 * +recovered +congestion:N +bsnt:N +got +done:N +msg +refused */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "data/m2pa.h"
#include "m2pa/link_int.h"

enum { RIG_LINKS = 4, RIG_ASSOCS = 64 };

struct rig;

/* Level 3 of one link. */
struct side {
	struct rig *rig;
	struct m2pa_link *l;
	struct m2pa_link_conf conf;
	struct side *peer; /* NULL: it sends into the void */
	bool flush;        /* the answer to flush_due() */
	bool starts; /* m2pa_link_start() when an association is there or the link went out of service */
	char said[4096];
};

struct rig {
	struct m2pa_links *ls;
	struct side sides[RIG_LINKS];
	unsigned n_sides;
};

struct rig *rig_new(void);
void rig_free(struct rig *r);

/* A link; a server if SERVER, else a client that has begun to connect. */
struct side *rig_link(struct rig *r, const char *name, bool server);
void rig_join(struct side *a, struct side *b);
/* The association of a client is established; a peer arrives at a server. */
void rig_up(struct side *s);
bool rig_arrive(struct rig *r, const char *listener, const char *ip, uint16_t port);
/* Up, proved, in service, nothing said. */
void rig_in_service(struct side *s);

/* Events of the present association, or of the I-th that the fake plane made. */
void rig_event(struct side *s, const struct plane_event *ev);
void rig_event_of(unsigned i, const struct plane_event *ev);
void rig_status(struct side *s, enum m2pa_state state, bool outstanding);
void rig_down(struct side *s);
unsigned rig_assocs(void);

uint64_t rig_count(const struct side *s, enum m2pa_link_counter c);

void rig_pass_ms(struct rig *r, uint32_t ms);

/* What has been said since the last time is WANT. */
void assert_said(struct side *s, const char *want);
