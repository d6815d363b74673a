/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hand-over between threads: a multi-producer queue (liburcu's wfcqueue) that its single reader takes whole,
 * once per loop pass, with one wake-up for as many notes as arrived in between.
 *
 * Order: notes come out in the global order of their posting; so one producer's notes never overtake each
 * other, and what was posted before a table was published is there for whoever sees that table (data/fwd.h
 * relies on it). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <urcu/wfcqueue.h>

/* First member of everything that travels. KIND is the receiver's to define (data/plane.h). */
struct note {
	struct cds_wfcq_node node;
	uint16_t kind;
};

struct inbox {
	struct __cds_wfcq_head head; /* the kind without a lock: there is one reader */
	struct cds_wfcq_tail tail;
	void (*wake)(void *arg); /* thread-safe; called when the queue was empty */
	void *wake_arg;
};

void inbox_init(struct inbox *in, void (*wake)(void *), void *wake_arg);

/* Any thread. Ownership of N goes to the reader. */
void inbox_post(struct inbox *in, struct note *n);

/* Hands over all that is in FROM, whose only producer and reader calls this, behind what TO holds. Nobody is
 * woken: true if TO was empty, so that its reader has to be. */
bool inbox_move(struct inbox *to, struct inbox *from);

/* Reader only: takes all that is there and calls FN for each in order; FN owns the note. Returns how many. */
unsigned inbox_drain(struct inbox *in, void (*fn)(struct note *take_n, void *arg), void *arg);
