/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of the rig share: rig_l2.c (queues, level 2), rig_node.c (routing, traffic and users of a
 * node), rig.c (building, moving, checks). */
#pragma once

#include "rig.h"

/* ---- rig_l2.c ---- */

/* Queues: what is in them is freed by whoever takes it out. */
void mq_init(struct mq *q);
void mq_push(struct mq *q, struct msg *m);
struct msg *mq_pop(struct mq *q);
void mq_purge(struct mq *q);
/* A copy. */
struct msg *msg_of(const uint8_t *data, uint32_t len);

void l2_send(struct l2 *w, const uint8_t *data, uint32_t len);
/* What waits to be sent goes on its way. */
void l2_transmit(struct l2 *w);
struct l2 *l2_of(const struct mtp3_link *l);

/* Level 2's part of rig_ops. */
void l2_op_start(struct mtp3_link *l, bool emergency);
void l2_op_stop(struct mtp3_link *l);
void l2_op_fail(struct mtp3_link *l, const char *reason);
void l2_op_outage(struct mtp3_link *l, bool on);
void l2_op_resume(struct mtp3_link *l, bool flush);
bool l2_op_bsnt(struct mtp3_link *l, uint32_t *bsnt);
bool l2_op_retrieve(struct mtp3_link *l, bool has_fsnc, uint32_t fsnc);
void l2_op_send(struct mtp3_link *l, const uint8_t *msu, uint32_t len);

/* For rig_sent(). */
void rig_record(struct rig *r, const uint8_t *msu, uint32_t len, enum pc_variant v);

/* ---- rig_node.c ---- */

/* Takes M: on its way, into the node's queue, or dropped. */
void node_route(struct node *n, struct msg *take_m);
