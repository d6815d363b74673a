/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any octets, the first of them choosing the network: what is read as a message of level 3 must be written
 * again to mean the same. */
#include <string.h>

#include "fuzz.h"
#include "wire/mtp3_snm.h"

static bool same(const struct snm *a, const struct snm *b)
{
	return a->id == b->id && a->slc == b->slc && a->cbc == b->cbc && a->level == b->level &&
	       a->user == b->user && a->cause == b->cause && a->circuit == b->circuit && a->fsn == b->fsn &&
	       a->dest == b->dest && a->pattern_len == b->pattern_len &&
	       !memcmp(a->pattern, b->pattern, a->pattern_len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mtp3_label label, back_label;
	struct snm m, back;
	uint8_t buf[SNM_MAX];
	enum pc_variant v;
	uint32_t len;

	if (size < 1 || size > 4096)
		return 0;
	v = data[0] % PC_VARIANTS;
	if (snm_read(data + 1, (uint32_t)size - 1, v, &label, &m) != MTP3_OK)
		return 0;
	MUST(m.id < SNM_IDS && m.slc < 16 && m.pattern_len <= SNM_PATTERN_MAX);
	MUST(snm_write(buf, sizeof(buf), v, &label, &m, &len) == MTP3_OK && len <= size - 1);
	MUST(snm_read(buf, len, v, &back_label, &back) == MTP3_OK && same(&m, &back));
	MUST(label.opc == back_label.opc && label.dpc == back_label.dpc && label.si == back_label.si);
	return 0;
}
