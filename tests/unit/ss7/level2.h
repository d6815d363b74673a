/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Level 2 played by the test, in place of m2pa/: what ss7/ asks of a link is written down as words, what a
 * link reports is said by the test. Every link has an association of the fake plane, so that a table can
 * name it.
 *
 * The same goes to fake_journal(), in order with the tables.
 *
 *     start start! (emergency) stop emergency restart outage recover:FLUSH retrieve:FSNC shutdown
 *     SLTM TFP:55 XCO:7 (management)   3#12 (user message number 12, SLS 3) */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "m2pa/link.h"

/* What has been asked of it since the last look. Valid until the next call. */
const char *l2_said(struct m2pa_link *l);
void l2_forget(void); /* of all */

/* What m2pa_link_retrieve_bsnt() leads to: an answer at once (l2_bsnt() otherwise), or none at all. */
enum l2_memory { L2_ANSWERS, L2_ANSWERS_LATER, L2_HAS_NONE };
void l2_remembers(struct m2pa_link *l, enum l2_memory how, uint32_t bsnt);

/* Reports. l2_up() is only for a link that has been started. */
void l2_up(struct m2pa_link *l);
void l2_fail(struct m2pa_link *l, const char *reason);
void l2_bsnt(struct m2pa_link *l, uint32_t bsnt);
void l2_remote_outage(struct m2pa_link *l, bool out);
bool l2_flush_due(struct m2pa_link *l);
void l2_congestion(struct m2pa_link *l, unsigned level);
/* One user message that it gives back, then the end of what it gives back. */
void l2_give_back(struct m2pa_link *l, const uint8_t *msu, uint32_t len);
void l2_given_back(struct m2pa_link *l, uint32_t n);
/* A message for control, from the peer or (REFUSED) from a worker. */
void l2_message(struct m2pa_link *l, const uint8_t *msu, uint32_t len);
void l2_refused(struct m2pa_link *l, const uint8_t *msu, uint32_t len, enum drop_reason why);
/* One that met congestion on its way. */
void l2_shown(struct m2pa_link *l, const uint8_t *head, uint32_t len, uint8_t mp);
/* Every association is gone. */
void l2_all_gone(bool gone);
/* How many events of associations were handed to the links; the last one's kind. */
unsigned l2_events(enum plane_event_kind *last);
/* The last peer that was brought to the links: its listener's name; "" if none was. They adopt it if ADOPT.
 */
const char *l2_incoming(bool adopt);
