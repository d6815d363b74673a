/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link's inside, shared by the files of m2pa/ and by nobody else. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <osmocom/core/timer.h>

#include "base/limit.h"
#include "data/m2pa.h"
#include "m2pa/link_fsm.h"

enum { M2PA_LINK_LOGS_PER_SECOND = 20, M2PA_LINK_READY_AGAIN_MS = 1000 };

/* What an association's owner pointer is. It lives until PE_DOWN has been told and nobody wants its buffers
 * any more, so it may outlive its link, and the link's next association. */
struct m2pa_link_assoc {
	struct llist_head entry; /* in links.assocs */
	struct m2pa_link *link;  /* NULL: nobody's any more */
	struct assoc *assoc;
	bool used;   /* has been aligned: there may be something in its buffers */
	bool ending; /* PE_DOWN will come soon */
	bool down;   /* and has */
	bool wants_bsnt,
		wants_messages; /* asked while it was ending: half sent messages come back with PE_DOWN */
	uint32_t fsnc;
};

struct m2pa_link {
	struct llist_head entry; /* in links.links */
	struct m2pa_links *links;
	const struct m2pa_link_conf *conf;
	const struct m2pa_link_ops *ops;
	void *user;
	char *name;
	struct m2pa_link_assoc *now; /* the association; NULL: none */
	struct m2pa_link_assoc *old; /* one before it, for its buffers */
	struct assoc_stats past;     /* of those that are gone */

	enum m2pa_link_state state;
	uint64_t since_ms;
	const char *reason;
	char down_reason[TP_REASON];
	bool emergency;     /* level 3's: prove quickly */
	bool short_proving; /* T4 is the emergency period: ours or the peer's */
	bool outage, flush; /* our processor outage; what its end is to do */
	uint8_t busy_by;    /* why we are busy: Busy is sent */
	bool peer_busy;
	bool outstanding; /* with the status that is being handled: our messages are not acknowledged */
	bool by_data;     /* in service by the peer's User Data: its Ready, and Proving before that, may still
			     come */
	bool told;        /* level 3 knows it is in service */
	bool hushed;      /* its peer is away, and that was logged: what repeats itself is no news */
	bool aligning;    /* level 3 waits for in_service() or out_of_service() */
	bool peer_out;
	int early;                  /* enum m2pa_link_event that came while we were still proving; -1: none */
	enum m2pa_link_event event; /* that is being handled */
	unsigned congestion;
	uint64_t c[M2LC_COUNT], rx[M2PA_LINK_STATUSES], tx[M2PA_LINK_STATUSES];
	struct limit log;
	/* T1, T2, T3 and T4 never run together: PHASE is the one that does */
	struct osmo_timer_list phase, t5, t6, repeat, reconnect;
	enum m2pa_link_event phase_event;
	uint32_t backoff_ms;
};

struct m2pa_links {
	void *ctx;
	struct plane *plane;
	uint32_t (*random)(void);
	struct llist_head links, assocs;
	bool leaving;
};

static inline void m2pa_link_count(struct m2pa_link *l, enum m2pa_link_counter c)
{
	l->c[c]++;
}

/* ---- m2pa_link_act.c ---- */

void m2pa_link_act(struct m2pa_link *l, enum m2pa_link_action action);
/* Sends a Link Status that control decides about, on stream 0. */
void m2pa_link_status(struct m2pa_link *l, enum m2pa_state state);
void m2pa_link_timers_init(struct m2pa_link *l);
void m2pa_link_timers_stop(struct m2pa_link *l);

/* ---- m2pa_link_assoc.c ---- */

void m2pa_link_connect(struct m2pa_link *l);
/* The present association is given up: its buffers stay. */
void m2pa_link_abandon(struct m2pa_link *l, const char *why);
/* Nobody wants the buffers of the old association any more. */
void m2pa_link_forget_old(struct m2pa_link *l);
/* PE_DOWN. */
void m2pa_link_assoc_down(struct m2pa_link_assoc *la, const char *why);
void m2pa_link_retrieval_done(struct m2pa_link *l, struct m2pa_link_assoc *la, uint32_t n);
/* What all its associations have carried. */
void m2pa_link_traffic(const struct m2pa_link *l, struct assoc_stats *out);
/* The link is removed: all its associations are nobody's. */
void m2pa_link_orphan(struct m2pa_link *l);
