/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/inbox.h"

#include <urcu/compiler.h>

#include "base/tsan.h"

void inbox_init(struct inbox *in, void (*wake)(void *), void *wake_arg)
{
	__cds_wfcq_init(&in->head, &in->tail);
	in->wake = wake;
	in->wake_arg = wake_arg;
}

void inbox_post(struct inbox *in, struct note *n)
{
	cds_wfcq_node_init(&n->node);
	TSAN_RELEASE(in);
	/* false: it was empty, and the reader may be asleep */
	if (!cds_wfcq_enqueue(&in->head, &in->tail, &n->node) && in->wake)
		in->wake(in->wake_arg);
}

bool inbox_move(struct inbox *to, struct inbox *from)
{
	TSAN_RELEASE(to);
	return __cds_wfcq_splice_blocking(&to->head, &to->tail, &from->head, &from->tail) ==
	       CDS_WFCQ_RET_DEST_EMPTY;
}

unsigned inbox_drain(struct inbox *in, void (*fn)(struct note *take_n, void *arg), void *arg)
{
	struct __cds_wfcq_head head;
	struct cds_wfcq_tail tail;
	struct cds_wfcq_node *node;
	unsigned n = 0;

	__cds_wfcq_init(&head, &tail);
	if (__cds_wfcq_splice_blocking(&head, &tail, &in->head, &in->tail) == CDS_WFCQ_RET_SRC_EMPTY)
		return 0;
	TSAN_ACQUIRE(in);
	while ((node = __cds_wfcq_dequeue_blocking(&head, &tail))) {
		fn(caa_container_of(node, struct note, node), arg);
		n++;
	}
	return n;
}
