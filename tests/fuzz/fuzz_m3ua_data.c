/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any bytes: the fast reader of DATA must accept what the dictionary's parser accepts, and nothing else, and
 * what it read must survive the fast writer. */
#include <string.h>

#include "fuzz.h"
#include "wire/m3ua.h"
#include "wire/m3ua_data.h"

static bool same_fields(const struct m3ua_data *a, const struct m3ua_data *b)
{
	return !memcmp(&a->label, &b->label, sizeof(a->label)) && a->has_na == b->has_na && a->na == b->na &&
	       a->has_rc == b->has_rc && a->rc == b->rc && a->has_corr == b->has_corr && a->corr == b->corr &&
	       a->payload_len == b->payload_len;
}

static void by_dictionary(const struct m3ua_msg *m, const struct m3ua_data *d)
{
	struct m3ua_param p;
	uint32_t v = 0;

	MUST(m3ua_find_u32(m, M3UA_P_NETWORK_APPEARANCE, &v) == d->has_na && (!d->has_na || v == d->na));
	MUST(m3ua_find_u32(m, M3UA_P_ROUTING_CONTEXT, &v) == d->has_rc && (!d->has_rc || v == d->rc));
	MUST(m3ua_find_u32(m, M3UA_P_CORRELATION_ID, &v) == d->has_corr && (!d->has_corr || v == d->corr));
	MUST(m3ua_find(m, M3UA_P_PROTOCOL_DATA, &p));
	MUST(m3ua_list_u32(&p, 0) == d->label.opc && m3ua_list_u32(&p, 1) == d->label.dpc);
	MUST(p.v + M3UA_LABEL == m->bytes + d->payload_off && p.len - M3UA_LABEL == d->payload_len);
}

static void write_again(const uint8_t *data, const struct m3ua_data *d)
{
	static uint8_t buf[M3UA_DATA_HEADER_MAX + M3UA_DATA_PAYLOAD_MAX + M3UA_DATA_TRAILER_MAX];
	uint8_t *payload = buf + M3UA_DATA_HEADER_MAX, *p;
	struct m3ua_data back;
	uint32_t total;

	memcpy(payload, data + d->payload_off, d->payload_len);
	p = m3ua_data_write(payload, d->payload_len, d, &total);
	MUST(p && p >= buf && p + total <= buf + sizeof(buf) && total % 4 == 0);
	MUST(m3ua_data_parse(p, total, &back) && same_fields(&back, d));
	MUST(!memcmp(p + back.payload_off, data + d->payload_off, d->payload_len));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct m3ua_data d;
	struct m3ua_msg m;
	struct m3ua_fault f;
	bool ok;

	if (size > 65536)
		return 0;
	ok = m3ua_parse(data, (uint32_t)size, &m, &f) && m.type == M3UA_DATA;
	MUST(m3ua_data_parse(data, (uint32_t)size, &d) == ok);
	if (!ok)
		return 0;
	by_dictionary(&m, &d);
	write_again(data, &d);
	return 0;
}
