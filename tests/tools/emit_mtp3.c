/* SPDX-License-Identifier: GPL-2.0-or-later */
/* emit_mtp3 VARIANT FILE: writes every message of level 3 that the codec knows in networks of VARIANT (itu,
 * ansi, china, japan), each behind one octet with its length. Read by
 * tests/integration/test_tshark_mtp3.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wire/mtp3_snm.h"

static void emit(FILE *file, enum pc_variant v, const struct snm *m)
{
	struct mtp3_label label = {
		.opc = 0x0a0b & ((1u << mtp3_shapes[v].pc_bits) - 1), .dpc = 0x0304, .ni = 2};
	uint8_t buf[SNM_MAX];
	uint32_t len;

	if (snm_write(buf, sizeof(buf), v, &label, m, &len) != MTP3_OK || fputc((int)len, file) == EOF ||
		fwrite(buf, 1, len, file) != len) {
		fprintf(stderr, "emit_mtp3: %s: cannot write\n", snm_name(m->id));
		exit(1);
	}
}

static void emit_all(FILE *file, enum pc_variant v)
{
	for (unsigned id = 0; id < SNM_IDS; id++) {
		struct snm m = {.id = (uint8_t)id, .pattern = "test pattern", .user = 3};

		if (!snm_rules[id].layout[v])
			continue;
		m.slc = snm_rules[id].of_link ? 9 : 0;
		m.dest = 0x1357;
		m.fsn = id == SNM_XCO || id == SNM_XCA ? 0xabcdef : 0x5a;
		m.cbc = 0xa7;
		m.level = 2;
		m.circuit = 0x567;
		m.pattern_len = 12;
		for (m.cause = 0; m.cause <= (id == SNM_UPU ? UPU_INACCESSIBLE : 0); m.cause++)
			emit(file, v, &m);
	}
}

int main(int argc, char **argv)
{
	static const char *const names[PC_VARIANTS] = {"itu", "ansi", "china", "japan"};
	unsigned v = 0;
	FILE *file;

	while (argc == 3 && v < PC_VARIANTS && strcmp(names[v], argv[1]) != 0)
		v++;
	if (argc != 3 || v == PC_VARIANTS || !(file = fopen(argv[2], "wb"))) {
		fprintf(stderr, "usage: emit_mtp3 itu|ansi|china|japan FILE\n");
		return 2;
	}
	emit_all(file, v);
	return fclose(file) ? 1 : 0;
}
