/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any datagram, as the embedded transport looks at it before usrsctp: nothing is read past its end, an answer
 * is never longer than it, what is cut out of it for bundling is whole chunks. */
#include "fuzz.h"
#include "sctp/crc32c.h"
#include "sctp/embedded_packet.h"

static void check_answer(const uint8_t *data, size_t size)
{
	uint8_t out[SCTP_ANSWER_MAX], again[SCTP_ANSWER_MAX];
	size_t n = sctp_ootb_answer(data, size, out);
	struct sctp_peek k;

	MUST(n <= size && n <= sizeof(out));
	if (!n)
		return;
	MUST(sctp_peek(&k, out, n));
	MUST(k.chunk == CHUNK_ABORT || k.chunk == CHUNK_SHUTDOWN_COMPLETE);
	MUST(sctp_ootb_answer(out, n, again) == 0); /* two such stacks do not keep each other busy */
}

static void check_outline(const uint8_t *data, size_t size)
{
	struct sctp_outline o;
	size_t cut;

	sctp_outline(&o, data, size);
	MUST(!o.data_only || o.open);
	for (size_t room = 0; room < size + 4; room += 7) {
		cut = sctp_fitting(data, size, room);
		MUST(cut >= SCTP_COMMON_HEADER && cut <= size && cut - SCTP_COMMON_HEADER <= room);
	}
	if (o.open)
		MUST(sctp_fitting(data, size, size) == size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sctp_peek k;
	uint32_t tag;

	check_answer(data, size);
	if (!sctp_peek(&k, data, size))
		return 0;
	(void)crc32c_check(data, size);
	if (sctp_init_ok(data, size, &tag))
		MUST(tag && k.chunk == CHUNK_INIT && k.vtag == 0);
	check_outline(data, size);
	return 0;
}
