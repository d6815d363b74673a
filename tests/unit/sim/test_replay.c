/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "sim/replay.h"
#include "wire/cursor.h"
#include "wire/m2pa.h"
#include "wire/m3ua_data.h"
#include "wire/mtp3.h"

static uint8_t image[2048];

static void chunk(struct wr *w, uint8_t flags, uint32_t ppid, const uint8_t *p, uint32_t len)
{
	wr_u8(w, 0);
	wr_u8(w, flags);
	wr_u16(w, (uint16_t)(16 + len));
	wr_u32(w, 1);
	wr_u32(w, 1 << 16);
	wr_u32(w, ppid);
	wr_bytes(w, p, len);
	while (wr_len(w) % 4)
		wr_u8(w, 0);
}

/* An SCTP packet with a SACK, M3UA DATA, a fragment, M2PA User Data, M2PA management and something else. */
static uint32_t sctp_packet(uint8_t *out, uint32_t cap)
{
	static const uint8_t sack[] = {3, 0, 0, 16, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0};
	struct m3ua_data d = {.label = {.opc = 1, .dpc = 2, .si = 3, .ni = 2}};
	struct mtp3_label label = {.opc = 1, .dpc = 2, .si = 5, .ni = 2};
	uint8_t buf[256], *p = buf + 64, *sio = buf + 64;
	struct wr w = wr_over(out, cap);
	uint32_t total;

	wr_bytes(&w, "\x0b\x59\x0b\x59\0\0\0\1\0\0\0\0", 12);
	wr_bytes(&w, sack, sizeof(sack));
	memcpy(p, "first", 5);
	p = m3ua_data_write(p, 5, &d, &total);
	chunk(&w, 3, 3, p, total);
	chunk(&w, 2, 3, p, total);
	assert_int_equal(mtp3_head_write(sio, PC_ITU, &label), MTP3_OK);
	memcpy(sio + 5, "second", 6);
	p = m2pa_user_write(sio, 11, 0, 0, 0);
	chunk(&w, 3, 5, p, 11 + M2PA_USER_HEADER);
	*sio = 0x80; /* network management */
	chunk(&w, 3, 5, p, 11 + M2PA_USER_HEADER);
	chunk(&w, 3, 46, p, 11);
	assert_false(w.fault);
	return wr_len(&w);
}

static uint32_t ethernet_packet(uint8_t *out, uint32_t cap)
{
	uint32_t len = sctp_packet(out + 38, cap - 38);
	struct wr w = wr_over(out, 38);

	wr_bytes(&w, "\1\2\3\4\5\6\1\2\3\4\5\6\x81\0\0\7\x08\0", 18); /* with a VLAN tag */
	wr_bytes(&w, "\x45\0", 2);
	wr_u16(&w, (uint16_t)(20 + len));
	wr_bytes(&w, "\0\0\x40\0\x40\x84\0\0\x7f\0\0\1\x7f\0\0\1", 16);
	assert_int_equal(wr_len(&w), 38);
	return 38 + len;
}

static uint32_t pcap(uint32_t link)
{
	uint8_t packet[1024];
	uint32_t len =
		link == 1 ? ethernet_packet(packet, sizeof(packet)) : sctp_packet(packet, sizeof(packet));
	struct wr w = wr_over(image, sizeof(image));

	wr_u32(&w, 0xa1b2c3d4);
	wr_u32(&w, 2 << 16 | 4);
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, 65535);
	wr_u32(&w, link);
	wr_u32(&w, 0);
	wr_u32(&w, 0);
	wr_u32(&w, len);
	wr_u32(&w, len);
	wr_bytes(&w, packet, len);
	return wr_len(&w);
}

static void ng_block(struct wr *w, uint32_t type, const uint8_t *p, uint32_t len)
{
	uint32_t whole = 12 + (len + 3) / 4 * 4;

	wr_u32(w, type);
	wr_u32(w, whole);
	wr_bytes(w, p, len);
	while (wr_len(w) % 4)
		wr_u8(w, 0);
	wr_u32(w, whole);
}

static uint32_t pcapng(void)
{
	static const uint8_t section[] = {
		0x1a, 0x2b, 0x3c, 0x4d, 0, 1, 0, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	static const uint8_t interface[] = {0, 1, 0, 0, 0, 0, 0xff, 0xff};
	uint8_t body[1024];
	uint32_t len = ethernet_packet(body + 20, sizeof(body) - 20);
	struct wr w = wr_over(image, sizeof(image));

	memset(body, 0, 20);
	put_u32(body + 12, len);
	put_u32(body + 16, len);
	ng_block(&w, 0x0a0d0d0a, section, sizeof(section));
	ng_block(&w, 1, interface, sizeof(interface));
	ng_block(&w, 6, body, 20 + len);
	return wr_len(&w);
}

static const char *load(struct replay *r, uint32_t len, uint32_t max_len)
{
	uint8_t *copy = malloc(len ? len : 1); /* its end is the heap block's: an overrun is seen */

	memcpy(copy, image, len);
	return replay_read(r, copy, len, PC_ITU, max_len);
}

static void check(uint32_t len)
{
	struct replay r;

	assert_null(load(&r, len, 4000));
	assert_int_equal(r.n, 2);
	assert_true(r.msg[0].si == 3 && r.msg[0].len == 5 && !memcmp(r.msg[0].p, "first", 5));
	assert_true(r.msg[1].si == 5 && r.msg[1].len == 6 && !memcmp(r.msg[1].p, "second", 6));
	assert_int_equal(r.packets, 1);
	assert_int_equal(r.chunks, 5);
	assert_int_equal(r.fragments, 1);
	assert_int_equal(r.skipped, 2);
	assert_true(
		replay_is(&r, 3, (const uint8_t *)"second", 6, replay_crc((const uint8_t *)"second", 6), 5));
	assert_false(
		replay_is(&r, 2, (const uint8_t *)"second", 6, replay_crc((const uint8_t *)"second", 6), 5));
	replay_free(&r);
}

static void every_data_chunk_of_a_packet_is_looked_at(void **state)
{
	(void)state;
	check(pcap(248));
	check(pcap(1));
	check(pcapng());
}

static void what_is_too_long_is_skipped(void **state)
{
	struct replay r;
	uint32_t len = pcap(1);

	(void)state;
	assert_null(load(&r, len, 5));
	assert_int_equal(r.n, 1);
	assert_int_equal(r.skipped, 3);
	replay_free(&r);
}

static void no_cut_and_no_changed_octet_does_harm(void **state)
{
	uint32_t (*const make[])(void) = {pcapng};

	(void)state;
	for (unsigned kind = 0; kind < 3; kind++) {
		uint32_t len = kind ? pcap(kind == 1 ? 1 : 248) : make[0]();
		struct replay r;

		for (uint32_t cut = 0; cut < len; cut++) {
			load(&r, cut, 4000);
			replay_free(&r);
		}
		for (uint32_t i = 0; i < len; i++)
			for (unsigned v = 0; v < 256; v += 51) {
				uint8_t was = image[i];

				image[i] = (uint8_t)v;
				load(&r, len, 4000);
				replay_free(&r);
				image[i] = was;
			}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_data_chunk_of_a_packet_is_looked_at),
		cmocka_unit_test(what_is_too_long_is_skipped),
		cmocka_unit_test(no_cut_and_no_changed_octet_does_harm),
	};

	return cmocka_run_group_tests_name("sim/replay", tests, NULL, NULL);
}
