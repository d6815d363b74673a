/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One worker with two links and an ASP, and one label in networks of every variant: what the tests of MSUs
 * share. */
#pragma once

#include "bare.h"
#include "data/congested.h"
#include "wire/mtp3.h"

enum { LINK_A, LINK_B, ASP, ENDS }; /* associations, and the numbers of their linksets and AS */
enum { NI = 2, NA = 7, RC = 20, MAX_PAYLOAD = 600, OWN_PC = 9 };
enum { MSU_ROWS = 4 };

/* One label in each variant: as fields, and as it lies on a link, SIO first. Its priority is in the SIO, but
 * in Japan. */
extern const struct variant_row {
	enum pc_variant variant;
	struct mtp3_label label;
	uint8_t head[MTP3_HEAD_MAX];
	uint32_t head_len;
} msu_rows[MSU_ROWS];

struct msu_rig {
	struct bare b;
	struct assoc *end[ENDS];
	uint32_t fsn[ENDS]; /* of the peers */
	enum pc_variant variant;
	/* the table */
	struct fwd_key key;
	bool inactive, unserved, empty;
	bool has_priorities;
	uint8_t level; /* of the congestion of what KEY is about */
	uint16_t max_sif;
	uint8_t sls_bits, rotate;
	struct fwd_hold *closed;         /* the slots */
	void (*amid)(struct msu_rig *r); /* msu_publish(): the table is there, the pass goes on */
	struct fwd_table *table;
	struct fwd_routing *routing;
	struct fwd_congestion *congestion;
	struct fwd_as *as[ENDS];
	struct fwd_ingress *in[ENDS];
	/* refused */
	unsigned n_refused;
	enum drop_reason reason;
	uint32_t value;
	/* congested */
	unsigned n_shown;
	uint8_t shown[MTP3_HEAD_MAX];
	uint32_t shown_len, shown_mp;
	bool busy; /* control does not get to them */
};

/* What left last. */
extern struct msu_out {
	unsigned n;
	uint32_t ppid, len;
	uint8_t bytes[1024];
} msu_out;

void msu_start(struct msu_rig *r, enum pc_variant v);
/* All that comes for the label of ROW goes to END. */
void msu_start_row(struct msu_rig *r, const struct variant_row *row, uint32_t end);
/* The worker goes from the old table to the new one before the old one is freed. */
void msu_publish(struct msu_rig *r);
void msu_stop(struct msu_rig *r);

void msu_arrive(struct msu_rig *r, unsigned end, struct mbuf *m);
/* An MSU of END, next in sequence. */
struct mbuf *msu_of_link(struct msu_rig *r, unsigned end, const uint8_t *head, uint32_t head_len, uint8_t pri,
	uint32_t payload);
void msu_link_brings(struct msu_rig *r, unsigned end, const uint8_t *head, uint32_t head_len, uint8_t pri,
	uint32_t payload);
void msu_asp_brings(struct msu_rig *r, const struct mtp3_label *label, uint32_t payload);
/* The priority that M2PA carries for ROW: Japan's. */
uint8_t msu_pri(const struct variant_row *row);

void assert_msu_left(const uint8_t *head, uint32_t head_len, uint8_t pri, uint32_t payload);
void assert_data_left(const struct mtp3_label *label, uint32_t payload);
