/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Destinations: what routes lead to, and how it can be reached; computed from the routes, never set. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct router;
struct route;
struct route_egress;

enum dest_status { DEST_UNKNOWN, DEST_AVAILABLE, DEST_RESTRICTED, DEST_UNAVAILABLE };

struct dest {
	uint16_t network;
	uint32_t pc;
	uint8_t mask;            /* that many low bits do not matter; all of them: the default route */
	enum dest_status status; /* the best of its routes' */
	uint8_t congestion;      /* level 0..3: the highest of the routes in use */
	uint64_t since_ms;
	uint64_t transitions; /* of its status */
	uint32_t n_egresses;  /* that have a route to it */
	uint32_t n_selectors; /* kinds of messages, by SI and OPC, that have routes of their own */
	const struct route *routes;
	uint32_t n_routes;
	bool held; /* its traffic waits before it goes by other routes (route_hold) */
};

const char *dest_status_name(enum dest_status s); /* "available", ... */
/* The destination, or NULL if no route names exactly this point code. */
const struct dest *dest_find(const struct router *r, uint16_t network, uint32_t pc);
/* The one that a message to PC goes by: exact, or of the longest match, or NULL. */
const struct dest *dest_match(const struct router *r, uint16_t network, uint32_t pc);
/* The same for all of a range: the narrowest one that holds it. */
const struct dest *dest_cover(const struct router *r, uint16_t network, uint32_t pc, uint8_t mask);
/* Every destination of a network until FN returns false: the exact ones by rising point code, then the masked
 * ones by rising mask. */
void dest_foreach(
	const struct router *r, uint16_t network, bool (*fn)(const struct dest *d, void *arg), void *arg);
/* A network's exact destinations by rising point code; *N of them. */
const struct dest *dest_list(const struct router *r, uint16_t network, unsigned *n);
/* The index of the first one that is not below PC. */
unsigned dest_lower_bound(const struct dest *list, unsigned n, uint32_t pc);
/* Does a route to D lead through E? */
bool dest_is_served_by(const struct dest *d, const struct route_egress *e);
