/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: parse, walk, look into, dump. Accepted ones are written again from what was read: the result
 * must be accepted, hold the same parameters, and come out the same if written once more. */
#include <string.h>

#include "fuzz.h"
#include "wire/m3ua.h"

enum { ROOM = 1 << 17 };

static void walk_inside(const struct m3ua_param *outer)
{
	struct m3ua_param it = {0};

	while (m3ua_next_inside(outer, &it))
		MUST(it.v >= outer->v && it.v + it.len <= outer->v + outer->len);
}

static void walk(const struct m3ua_msg *m, const uint8_t *data, size_t size)
{
	struct m3ua_param it = {0}, found;

	while (m3ua_next(m, &it)) {
		MUST(it.v >= data + M3UA_HEADER && it.v + it.len <= data + size);
		MUST(m3ua_find(m, it.tag, &found) && found.v <= it.v);
		for (uint32_t i = 0; i <= m3ua_list_len(&it) && i < 3; i++)
			m3ua_list_u32(&it, i);
		walk_inside(&it);
	}
}

static uint32_t write_again(const struct m3ua_msg *m, uint8_t *out)
{
	struct wr w = wr_over(out, ROOM);
	struct m3ua_param it = {0};

	m3ua_begin(&w, m->type);
	while (m3ua_next(m, &it))
		m3ua_put_bytes(&w, it.tag, it.v, it.len);
	return m3ua_end(&w);
}

static void same_parameters(const struct m3ua_msg *a, const struct m3ua_msg *b)
{
	struct m3ua_param x = {0}, y = {0};

	while (m3ua_next(a, &x))
		MUST(m3ua_next(b, &y) && x.tag == y.tag && x.len == y.len && !memcmp(x.v, y.v, x.len));
	MUST(!m3ua_next(b, &y));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t once[ROOM], twice[ROOM];
	struct m3ua_msg m, again;
	struct m3ua_fault f;
	uint32_t len;
	char text[256];
	bool ok;

	if (size > 65536)
		return 0;
	ok = m3ua_parse(data, (uint32_t)size, &m, &f);
	MUST(ok == (f.error == M3UA_E_NONE));
	MUST(f.what);
	walk(&m, data, size);
	m3ua_dump(data, (uint32_t)size, text, sizeof(text));
	MUST(memchr(text, '\0', sizeof(text)));
	if (!ok)
		return 0;
	m3ua_complete(&m, &f);
	len = write_again(&m, once);
	MUST(len && m3ua_parse(once, len, &again, &f));
	same_parameters(&m, &again);
	MUST(write_again(&again, twice) == len && !memcmp(once, twice, len));
	return 0;
}
