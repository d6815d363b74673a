/* SPDX-License-Identifier: GPL-2.0-or-later */
/* emit_m3ua FILE: writes every M3UA message that the codec can write, one after the other: each with all that
 * it may hold, each with the least it must hold, and every value of the parameters that enumerate. Read by
 * tests/integration/test_tshark_codec.py and by tests/fuzz/run for its first corpus. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/wire/messages.h"
#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

static FILE *file;

static void emit(const uint8_t *bytes, uint32_t len)
{
	if (len && fwrite(bytes, 1, len, file) == len)
		return;
	fprintf(stderr, "emit_m3ua: %s\n", len ? "cannot write" : "a message does not fit");
	exit(1);
}

static void emit_dictionary(void)
{
	const struct m3ua_message_rule *r;
	uint8_t buf[MESSAGE_ROOM];

	for (unsigned i = 0; (r = m3ua_message_rule_at(i)); i++) {
		emit(buf, message_write(buf, r, NULL));
		emit(buf, message_write(buf, r, &(struct variation){ONLY_MANDATORY, -1, -1, 0}));
	}
}

/* s.3.8.1: each code with what the standard wants beside it, and a whole message as diagnostic. */
static void emit_errors(void)
{
#define X(id, code, name) code,
	static const uint32_t codes[] = {M3UA_ERRORS(X)};
#undef X
	static const uint8_t offending[] = {1, 0, 2, 7, 0, 0, 0, 8};
	uint8_t buf[MESSAGE_ROOM];

	for (unsigned i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		struct wr w = wr_over(buf, sizeof(buf));

		m3ua_begin(&w, M3UA_ERR);
		m3ua_put_u32(&w, M3UA_P_ERROR_CODE, codes[i]);
		if (codes[i] == M3UA_E_INVALID_RC || codes[i] == M3UA_E_DEST_UNKNOWN)
			m3ua_put_list(&w, M3UA_P_ROUTING_CONTEXT, (uint32_t[]){10, 20}, 2);
		if (codes[i] == M3UA_E_DEST_UNKNOWN)
			m3ua_put_u32(&w, M3UA_P_AFFECTED_PC, m3ua_apc_pack(0, 2057));
		if (codes[i] == M3UA_E_INVALID_NA)
			m3ua_put_u32(&w, M3UA_P_NETWORK_APPEARANCE, 9);
		m3ua_put_bytes(&w, M3UA_P_DIAGNOSTIC, offending, sizeof(offending));
		emit(buf, m3ua_end(&w));
	}
}

static void emit_word(uint16_t type, uint16_t tag, uint32_t v, bool with_pc)
{
	uint8_t buf[64];
	struct wr w = wr_over(buf, sizeof(buf));

	m3ua_begin(&w, type);
	if (with_pc)
		m3ua_put_u32(&w, M3UA_P_AFFECTED_PC, m3ua_apc_pack(0, 2057));
	m3ua_put_u32(&w, tag, v);
	emit(buf, m3ua_end(&w));
}

static void emit_values(void)
{
	for (uint16_t i = M3UA_AS_INACTIVE; i <= M3UA_AS_PENDING; i++)
		emit_word(M3UA_NTFY, M3UA_P_STATUS, m3ua_status_pack(M3UA_NTFY_AS_STATE, i), false);
	for (uint16_t i = M3UA_INSUFFICIENT; i <= M3UA_ASP_FAILURE; i++)
		emit_word(M3UA_NTFY, M3UA_P_STATUS, m3ua_status_pack(M3UA_NTFY_OTHER, i), false);
	for (uint32_t mode = 1; mode <= 3; mode++)
		emit_word(M3UA_ASPAC, M3UA_P_TRAFFIC_MODE, mode, false);
	for (uint32_t level = 0; level <= 3; level++)
		emit_word(M3UA_SCON, M3UA_P_CONGESTION, level, true);
	for (uint16_t cause = 0; cause <= 2; cause++)
		emit_word(M3UA_DUPU, M3UA_P_USER_CAUSE, m3ua_user_cause_pack(cause, 5), true);
}

static void emit_result(uint16_t type, uint16_t outer, uint16_t tag, uint32_t status)
{
	uint8_t buf[64], *opened;
	struct wr w = wr_over(buf, sizeof(buf));

	m3ua_begin(&w, type);
	opened = m3ua_open(&w, outer);
	if (type == M3UA_REG_RSP)
		m3ua_put_u32(&w, M3UA_P_LOCAL_RK_ID, 21);
	else
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, 10);
	m3ua_put_u32(&w, tag, status);
	if (type == M3UA_REG_RSP)
		m3ua_put_u32(&w, M3UA_P_ROUTING_CONTEXT, status ? 0 : 10);
	m3ua_close(&w, opened);
	emit(buf, m3ua_end(&w));
}

/* The fast writer: each optional parameter, each length of padding, the longest payload of narrowband links.
 */
static void emit_data(void)
{
	static const uint32_t lengths[] = {0, 1, 2, 3, 4, 100, 272};
	uint8_t buf[M3UA_DATA_HEADER_MAX + 272 + M3UA_DATA_TRAILER_MAX];
	uint32_t total;

	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++)
		for (unsigned with = 0; with < 8; with++) {
			struct m3ua_data d = {.label = {2057, 2058, 3, 2, 1, (uint8_t)(with * 36)},
				.has_na = with & 1,
				.na = 7,
				.has_rc = with & 2,
				.rc = 10,
				.has_corr = with & 4,
				.corr = 99};
			uint8_t *p;

			memset(buf, 0x55, sizeof(buf));
			p = m3ua_data_write(buf + M3UA_DATA_HEADER_MAX, lengths[i], &d, &total);
			emit(p, total);
		}
}

int main(int argc, char **argv)
{
	if (argc != 2 || !(file = fopen(argv[1], "wb"))) {
		fprintf(stderr, "usage: emit_m3ua FILE\n");
		return 2;
	}
	emit_dictionary();
	emit_errors();
	emit_values();
	for (uint32_t status = 0; status <= 12; status++)
		emit_result(M3UA_REG_RSP, M3UA_P_REG_RESULT, M3UA_P_REG_STATUS, status);
	for (uint32_t status = 0; status <= 5; status++)
		emit_result(M3UA_DEREG_RSP, M3UA_P_DEREG_RESULT, M3UA_P_DEREG_STATUS, status);
	emit_data();
	return fclose(file) ? 1 : 0;
}
