/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The status of destinations, and telling it to those concerned (RFC 4666 s.4.5): SSNM. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct asp;
struct sg;
struct sg_network;

enum dest_status { DEST_UNKNOWN, DEST_AVAILABLE, DEST_RESTRICTED, DEST_UNAVAILABLE };

struct dest {
	uint16_t network;
	uint32_t pc;
	enum dest_status status;
	uint8_t congestion; /* level 0..3 */
	uint64_t since_ms;
	uint32_t n_as; /* ASs with a routing key for it */
};

const char *dest_status_name(enum dest_status s); /* "available", ... */
/* The destination, or NULL if no routing key names it. */
const struct dest *dest_find(struct sg *sg, uint16_t network, uint32_t pc);
/* Every destination of a network by rising point code, until FN returns false. */
void dest_foreach(struct sg *sg, uint16_t network, bool (*fn)(const struct dest *d, void *arg), void *arg);

/* ---- within m3ua/ ---- */

/* A network's destinations by rising point code; *N of them. */
const struct dest *dest_list(struct sg *sg, uint16_t network, unsigned *n);
/* The index of the first one that is not below PC. */
unsigned dest_lower_bound(const struct dest *list, unsigned n, uint32_t pc);
/* Is PC a destination of an AS in which ASP is active? */
bool dest_served_by(const struct asp *asp, const struct sg_network *network, uint32_t pc);
/* The routing keys changed: the destinations anew, their status kept. */
void dest_rebuild(struct sg *sg);
/* The network is gone: another one may take its index. */
void dest_forget(struct sg *sg, uint16_t network);
/* Looks at the destinations of every AS in sg.stale again and tells what changed (DUNA, DAVA, DRST, SCON) to
 * the active ASPs of the other ASs of the network. */
void dest_tell(struct sg *sg);
