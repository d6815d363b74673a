/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: what the M2PA codec accepts lies inside the message and is written back octet for octet, but for
 * the octets that are ignored. */
#include <string.h>

#include "fuzz.h"
#include "wire/m2pa.h"

enum { ROOM = 65536 };

static bool same_but_spare(const uint8_t *a, const uint8_t *b, uint32_t len)
{
	for (uint32_t i = 0; i < len; i++)
		if (a[i] != b[i] && i != 1 && i != 8 && i != 12) /* spare, unused */
			return false;
	return true;
}

static void write_user(const uint8_t *data, const struct m2pa_msg *m)
{
	static uint8_t buf[ROOM];
	struct wr w = wr_over(buf, ROOM);

	if (!m->msu_len) {
		m2pa_empty_write(&w, m->bsn, m->fsn);
		MUST(wr_len(&w) == M2PA_HEADER && same_but_spare(buf, data, M2PA_HEADER));
		return;
	}
	memcpy(buf + M2PA_USER_HEADER, data + M2PA_USER_HEADER, m->msu_len);
	MUST(m2pa_user_write(buf + M2PA_USER_HEADER, m->msu_len, m->pri, m->bsn, m->fsn) == buf);
	MUST(same_but_spare(buf, data, M2PA_HEADER) && buf[M2PA_HEADER] == (data[M2PA_HEADER] & 0xc0));
}

static void write_status(const uint8_t *data, uint32_t len, const struct m2pa_msg *m)
{
	static uint8_t buf[ROOM];
	struct wr w = wr_over(buf, ROOM);

	m2pa_status_write(&w, m->state, m->bsn, m->fsn, len - M2PA_STATUS_LEN, 0);
	MUST(!w.fault && wr_len(&w) == len && same_but_spare(buf, data, M2PA_STATUS_LEN));
	MUST(strcmp(m2pa_state_name(m->state), "?") != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct m2pa_msg m;
	enum m2pa_fault f;

	if (size > ROOM)
		return 0;
	f = m2pa_parse(data, (uint32_t)size, &m);
	MUST((unsigned)f < M2PA_FAULT_COUNT);
	if (f != M2PA_NO_FAULT)
		return 0;
	MUST(m.bsn <= M2PA_SEQ_MASK && m.fsn <= M2PA_SEQ_MASK);
	if (m.type == M2PA_USER_DATA)
		write_user(data, &m);
	else
		write_status(data, (uint32_t)size, &m);
	return 0;
}
