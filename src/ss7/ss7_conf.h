/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator configures for the SS7 side: plain rows, filled and owned by conf/, immutable once applied
 * (as in m3ua/sg_conf.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "m2pa/link.h"
#include "mtp3/mtp3.h"

struct ss7_link_conf {
	struct m2pa_link_conf l2; /* begins with the name */
	uint8_t slc;
	bool emergency; /* always emergency proving */
	bool inactive;  /* not activated at the start */
};

struct ss7_linkset_conf {
	const char *name;
	const char *network;
	uint32_t adjacent;
	bool has_local;
	uint32_t local; /* else the network's first own point code */
	bool c_link;    /* joins a mated pair */
	bool has_sls_bits, has_rotation;
	uint8_t sls_bits; /* else the network's */
	uint8_t rotation; /* bits; else those of the network if it is ANSI, but not between a mated pair */
	bool test, restart, timed_changeback;
	uint32_t pending_limit; /* messages that wait during a changeover */
	uint16_t max_sif;       /* octets of label and user part that a message may have */
	const char **links;
	unsigned n_links;
};

/* Of every network. */
struct ss7_mtp3_conf {
	bool transfer, restricted, restart;
	int congestion;                 /* enum mtp3_congestion */
	uint32_t timer_ms[MTP3_TIMERS]; /* 0: the default of the variant */
};

struct ss7_conf {
	struct ss7_mtp3_conf mtp3;
	struct ss7_link_conf *links;
	unsigned n_links;
	struct ss7_linkset_conf *linksets;
	unsigned n_linksets;
};
