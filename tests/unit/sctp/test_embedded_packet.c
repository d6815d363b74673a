/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sctp/embedded_packet.h"

enum { HEADER = 12 };

/* A packet in memory of exactly its size, so that a sanitizer sees a read past its end. */
static uint8_t *packet(const void *chunks, size_t n, uint32_t vtag)
{
	uint8_t *p = calloc(1, HEADER + n);

	assert_non_null(p);
	memcpy(p, "\x13\x89\x0b\x59", 4); /* 5001 -> 2905 */
	for (unsigned i = 0; i < 4; i++)
		p[4 + i] = (uint8_t)(vtag >> (24 - 8 * i));
	memcpy(p + HEADER, chunks, n);
	return p;
}

#define INIT_LEN "\x01\x00\x00\x14"
#define TAG      "\x11\x22\x33\x44"
#define RWND     "\x00\x00\x20\x00"
#define STREAMS  "\x00\x10\x00\x10"
#define TSN      "\x00\x00\x00\x01"

static void an_init_is_taken_only_when_it_is_in_order(void **state)
{
	static const struct {
		const char *chunks;
		size_t n;
		uint32_t vtag;
		bool ok;
	} rows[] = {
		{INIT_LEN TAG RWND STREAMS TSN, 20, 0, true},
		{"\x01\x00\x00\x1a" TAG RWND STREAMS TSN "\x00\x0c\x00\x06\x00\x05\x00\x00", 28, 0, true},
		{INIT_LEN TAG RWND STREAMS TSN, 20, 5, false},                    /* s.8.5.1 A */
		{INIT_LEN "\0\0\0\0" RWND STREAMS TSN, 20, 0, false},             /* tag 0 */
		{INIT_LEN TAG "\0\0\x05\xdb" STREAMS TSN, 20, 0, false},          /* rwnd 1499 */
		{INIT_LEN TAG RWND "\0\0\0\x10" TSN, 20, 0, false},               /* no streams out */
		{INIT_LEN TAG RWND "\0\x10\0\0" TSN, 20, 0, false},               /* none in */
		{INIT_LEN TAG RWND STREAMS, 16, 0, false},                        /* cut */
		{"\x01\x00\x00\x10" TAG RWND STREAMS TSN, 20, 0, false},          /* length lies */
		{"\x01\x00\x00\x40" TAG RWND STREAMS TSN, 20, 0, false},          /* that way, too */
		{INIT_LEN TAG RWND STREAMS TSN "\x0a\x00\x00\x04", 24, 0, false}, /* not alone */
		{"\x0a\x00\x00\x14" TAG RWND STREAMS TSN, 20, 0, false},          /* no INIT */
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t *p = packet(rows[i].chunks, rows[i].n, rows[i].vtag);
		uint32_t tag;

		assert_int_equal(sctp_init_ok(p, HEADER + rows[i].n, &tag), rows[i].ok);
		free(p);
	}
}

static void strays_get_what_rfc_4960_says(void **state)
{
	static const struct {
		const char *chunks;
		size_t n;
		uint32_t vtag;
		uint8_t chunk, flags; /* of the answer; chunk 255: silence */
		uint32_t tag;
	} rows[] = {
		{"\x00\x03\x00\x11\0\0\0\1\0\0\0\0\0\0\0\3x\0\0\0", 20, 77, CHUNK_ABORT, 1, 77},
		{"\x03\x00\x00\x10\0\0\0\1\0\0\0\0\0\0\0\0", 16, 77, CHUNK_ABORT, 1, 77},
		{"\x04\x00\x00\x04", 4, 77, CHUNK_ABORT, 1, 77},
		{"\x06\x00\x00\x04", 4, 77, 255, 0, 0},
		{"\x03\x00\x00\x10\0\0\0\1\0\0\0\0\0\0\0\0\x06\x00\x00\x04", 20, 77, 255, 0,
			0}, /* ABORT anywhere */
		{INIT_LEN TAG RWND STREAMS TSN, 20, 0, CHUNK_ABORT, 0, 0x11223344},
		{INIT_LEN TAG RWND STREAMS TSN, 20, 9, 255, 0, 0},
		{INIT_LEN "\0\0\0\0" RWND STREAMS TSN, 20, 0, 255, 0, 0},
		{"\x0a\x00\x00\x08zzzz", 8, 77, 255, 0, 0},
		{"\x0b\x00\x00\x04", 4, 77, 255, 0, 0},
		{"\x08\x00\x00\x04", 4, 77, CHUNK_SHUTDOWN_COMPLETE, 1, 77},
		{"\x0e\x01\x00\x04", 4, 77, 255, 0, 0},
		{"\x09\x00\x00\x0c\0\3\0\x08\0\0\0\0", 12, 77, 255, 0, 0},
		{"\x09\x00\x00\x0c\0\1\0\x08\0\0\0\0", 12, 77, CHUNK_ABORT, 1, 77},
		{"\x00\x00\x00\x03", 4, 77, 255, 0, 0}, /* a chunk shorter than its header */
		{"\x04\x00\x00", 3, 77, 255, 0, 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t *p = packet(rows[i].chunks, rows[i].n, rows[i].vtag), out[SCTP_ANSWER_MAX];
		size_t n = sctp_ootb_answer(p, HEADER + rows[i].n, out);
		struct sctp_peek k;

		if (rows[i].chunk == 255) {
			assert_int_equal(n, 0);
		} else {
			assert_int_equal(n, HEADER + 4);
			assert_true(n <= HEADER + rows[i].n);
			assert_true(sctp_peek(&k, out, n));
			assert_int_equal(k.sport, 2905);
			assert_int_equal(k.dport, 5001);
			assert_int_equal(k.vtag, rows[i].tag);
			assert_int_equal(k.chunk, rows[i].chunk);
			assert_int_equal(out[HEADER + 1], rows[i].flags);
		}
		free(p);
	}
}

static void garbage_of_any_length_is_survived_and_never_amplified(void **state)
{
	uint32_t x = 1;

	(void)state;
	for (unsigned round = 0; round < 50000; round++) {
		size_t n = round % 80;
		uint8_t *p = malloc(n ? n : 1), out[SCTP_ANSWER_MAX];
		struct sctp_outline o;
		uint32_t tag;
		struct sctp_peek k;

		assert_non_null(p);
		for (size_t i = 0; i < n; i++) {
			x = x * 1664525u + 1013904223u;
			p[i] = i == HEADER       ? (uint8_t)(x >> 24) % 16
			       : i == HEADER + 2 ? 0
						 : (uint8_t)(x >> 24) % 40;
		}
		assert_true(sctp_ootb_answer(p, n, out) <= n);
		if (n >= HEADER) {
			sctp_outline(&o, p, n);
			assert_true(sctp_fitting(p, n, 30) <= n);
		}
		if (sctp_peek(&k, p, n))
			(void)sctp_init_ok(p, n, &tag);
		free(p);
	}
}

#define DATA_1 "\x00\x03\x00\x14\x00\x00\x00\x07\0\0\0\0\0\0\0\3\x61\x62\x63\x64"
#define DATA_2 "\x00\x03\x00\x11\x00\x00\x00\x08\0\0\0\0\0\0\0\3\x61\0\0\0"
#define SACK   "\x03\x00\x00\x10\0\0\0\1\0\0\0\0\0\0\0\0"

static void an_outline_tells_what_may_be_joined(void **state)
{
	static const struct {
		const char *chunks;
		size_t n;
		unsigned data;
		bool data_only, open;
	} rows[] = {
		{DATA_1, 20, 1, true, true},
		{DATA_1 DATA_2, 40, 2, true, true},
		{SACK DATA_1, 36, 1, false, true},
		{SACK, 16, 0, false, true},
		{DATA_1 SACK, 36, 1, false, false},               /* control is not to come behind DATA */
		{"\x04\x00\x00\x04" DATA_1, 24, 1, false, false}, /* HEARTBEAT: left as it is */
		{INIT_LEN TAG RWND STREAMS TSN, 20, 0, false, false},
		{DATA_1 DATA_2, 37, 2, false, false}, /* the last padding is missing */
		{DATA_1 "\x00\x03\x00", 23, 1, false, false},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t *p = packet(rows[i].chunks, rows[i].n, 7);
		struct sctp_outline o;

		sctp_outline(&o, p, HEADER + rows[i].n);
		assert_int_equal(o.data, rows[i].data);
		assert_int_equal(o.open, rows[i].open);
		assert_int_equal(o.data_only, rows[i].data_only);
		if (o.data)
			assert_int_equal(o.first_tsn, 7);
		assert_int_equal(o.init_tag, p[HEADER] == CHUNK_INIT ? 0x11223344 : 0);
		free(p);
	}
}

static void only_whole_chunks_move(void **state)
{
	uint8_t *p = packet(DATA_1 DATA_2 DATA_1, 60, 7);

	(void)state;
	assert_int_equal(sctp_fitting(p, HEADER + 60, 19), HEADER);
	assert_int_equal(sctp_fitting(p, HEADER + 60, 20), HEADER + 20);
	assert_int_equal(sctp_fitting(p, HEADER + 60, 39), HEADER + 20);
	assert_int_equal(sctp_fitting(p, HEADER + 60, 40), HEADER + 40);
	assert_int_equal(sctp_fitting(p, HEADER + 60, 1000), HEADER + 60);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_init_is_taken_only_when_it_is_in_order),
		cmocka_unit_test(strays_get_what_rfc_4960_says),
		cmocka_unit_test(garbage_of_any_length_is_survived_and_never_amplified),
		cmocka_unit_test(an_outline_tells_what_may_be_joined),
		cmocka_unit_test(only_whole_chunks_move),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
