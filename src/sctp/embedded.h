/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the embedded transport offers beside transport.h: its counters, for `show`, and the reasons why raw
 * mode may not be had. The counters belong to the process, as usrsctp does. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum emb_stat {
	EMB_RX_PACKETS,
	EMB_TX_PACKETS,
	EMB_RX_CALLS,
	EMB_TX_CALLS,
	EMB_RX_RUNT,
	EMB_RX_BAD_CRC,
	EMB_RX_NO_CRC,
	EMB_TX_NO_CRC,
	EMB_RX_STRAY,
	EMB_TX_STRAY,
	EMB_RX_BAD_INIT,
	EMB_NOT_PERMITTED,
	EMB_HALF_FULL,
	EMB_HALF_EXPIRED,
	EMB_OFFER_EXPIRED,
	EMB_PORT_MOVED,
	EMB_TX_DROPPED,
	EMB_TX_BLOCKED,
	EMB_STATS
};

/* Any thread. */
uint64_t embedded_stat(enum emb_stat s);

/* Name as in `show`, and what it counts. */
const char *embedded_stat_name(enum emb_stat s);
const char *embedded_stat_help(enum emb_stat s);

/* Can IP protocol 132 be had here? If not, WHY says so and what to do. Any thread. */
bool embedded_raw_available(char *why, size_t n);
