/* SPDX-License-Identifier: GPL-2.0-or-later */
/* emit_m2pa FILE: writes every M2PA message that the codec can write, one after the other. Read by
 * tests/integration/test_tshark_codec.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/m2pa.h"

static FILE *file;

static void emit(const uint8_t *bytes, uint32_t len)
{
	if (fwrite(bytes, 1, len, file) == len)
		return;
	fprintf(stderr, "emit_m2pa: cannot write\n");
	exit(1);
}

static void emit_statuses(void)
{
#define X(id, value, name) value,
	static const uint32_t states[] = {M2PA_STATES(X)};
#undef X
	uint8_t buf[512];

	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		struct wr w = wr_over(buf, sizeof(buf));

		m2pa_status_write(&w, states[i], M2PA_SEQ_START, i, 0, 0);
		emit(buf, wr_len(&w));
	}
	for (uint32_t filler = 1; filler <= 273; filler += 68) {
		struct wr w = wr_over(buf, sizeof(buf));

		m2pa_status_write(&w, filler & 4 ? M2PA_PROVING_NORMAL : M2PA_PROVING_EMERGENCY,
			M2PA_SEQ_START, M2PA_SEQ_START, filler, filler);
		emit(buf, wr_len(&w));
	}
}

static void emit_user_data(void)
{
	static const uint32_t lengths[] = {8, 9, 100, 273};
	uint8_t buf[512];
	struct wr w = wr_over(buf, sizeof(buf));

	m2pa_empty_write(&w, 7, 8);
	emit(buf, wr_len(&w));
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		uint8_t *sio = buf + M2PA_USER_HEADER;

		memset(sio, 0, lengths[i]);
		sio[0] = 0x83; /* national, SCCP */
		emit(m2pa_user_write(sio, lengths[i], (uint8_t)(i & 3), M2PA_SEQ_START, i),
			lengths[i] + M2PA_USER_HEADER);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2 || !(file = fopen(argv[1], "wb"))) {
		fprintf(stderr, "usage: emit_m2pa FILE\n");
		return 2;
	}
	emit_statuses();
	emit_user_data();
	return fclose(file) ? 1 : 0;
}
