/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line of text for a message, whatever it is: for logs, the console and tests. Keys and shapes come from
 * the dictionary; what does not parse is said to be wrong where it is wrong, and nothing is read beyond the
 * end. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "wire/m3ua.h"

enum { BYTES_SHOWN = 16, ENTRIES_SHOWN = 16 };

struct text {
	char *buf;
	uint32_t n, used;
};

static __attribute__((format(printf, 2, 3))) void say(struct text *t, const char *format, ...)
{
	va_list ap;
	int len;

	if (t->used >= t->n)
		return;
	va_start(ap, format);
	/* clang-tidy 14 loses sight of va_start when it looks at several files in one run */
	// NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized)
	len = vsnprintf(t->buf + t->used, t->n - t->used, format, ap);
	va_end(ap);
	if (len > 0)
		t->used += (uint32_t)len;
}

static void say_list(struct text *t, const struct m3ua_param *p)
{
	uint32_t n = m3ua_list_len(p);

	for (uint32_t i = 0; i < n && i < ENTRIES_SHOWN; i++)
		say(t, i ? ",%u" : "%u", m3ua_list_u32(p, i));
	if (n > ENTRIES_SHOWN)
		say(t, ",+%u", n - ENTRIES_SHOWN);
}

/* "257,2048/3": the mask where there is one. */
static void say_pc_list(struct text *t, const struct m3ua_param *p)
{
	uint32_t n = m3ua_list_len(p);

	for (uint32_t i = 0; i < n && i < ENTRIES_SHOWN; i++) {
		uint32_t entry = m3ua_list_u32(p, i);

		say(t, i ? ",%u" : "%u", m3ua_apc_pc(entry));
		if (m3ua_apc_mask(entry))
			say(t, "/%u", m3ua_apc_mask(entry));
	}
	if (n > ENTRIES_SHOWN)
		say(t, ",+%u", n - ENTRIES_SHOWN);
}

static void say_u8_list(struct text *t, const struct m3ua_param *p)
{
	for (uint32_t i = 0; i < p->len && i < ENTRIES_SHOWN; i++)
		say(t, i ? ",%u" : "%u", p->v[i]);
	if (p->len > ENTRIES_SHOWN)
		say(t, ",+%u", p->len - ENTRIES_SHOWN);
}

static void say_bytes(struct text *t, const uint8_t *v, uint32_t len)
{
	for (uint32_t i = 0; i < len && i < BYTES_SHOWN; i++)
		say(t, "%02x", v[i]);
	if (len > BYTES_SHOWN)
		say(t, "+%u", len - BYTES_SHOWN);
}

/* What a peer wrote goes to terminals: only plain characters pass. */
static void say_text(struct text *t, const struct m3ua_param *p)
{
	say(t, "\"");
	for (uint32_t i = 0; i < p->len; i++)
		say(t, "%c", p->v[i] >= ' ' && p->v[i] < 0x7f && p->v[i] != '"' ? p->v[i] : '.');
	say(t, "\"");
}

static void say_label(struct text *t, const struct m3ua_param *p)
{
	uint32_t rest = m3ua_list_u32(p, 2);

	if (p->len < M3UA_LABEL) {
		say_bytes(t, p->v, p->len);
		return;
	}
	say(t, "opc:%u,dpc:%u,si:%u,ni:%u,mp:%u,sls:%u,len:%u", m3ua_list_u32(p, 0), m3ua_list_u32(p, 1),
		rest >> 24, rest >> 16 & 0xff, rest >> 8 & 0xff, rest & 0xff, p->len - M3UA_LABEL);
}

static void say_halves(struct text *t, const struct m3ua_param *p)
{
	uint32_t v = m3ua_list_u32(p, 0);

	say(t, "%u/%u", v >> 16, v & 0xffff);
}

/* Every shape that holds no parameters. */
static void say_flat(struct text *t, uint8_t shape, const struct m3ua_param *p)
{
	switch (shape) {
	case M3UA_SHAPE_U32:
	case M3UA_SHAPE_LIST: say_list(t, p); break;
	case M3UA_SHAPE_PC_LIST: say_pc_list(t, p); break;
	case M3UA_SHAPE_U8_LIST: say_u8_list(t, p); break;
	case M3UA_SHAPE_HALVES: say_halves(t, p); break;
	case M3UA_SHAPE_LABEL: say_label(t, p); break;
	case M3UA_SHAPE_TEXT: say_text(t, p); break;
	default: say_bytes(t, p->v, p->len);
	}
}

/* " rc=": the dictionary's key, or the number. */
static uint8_t say_key(struct text *t, uint16_t tag)
{
	const struct m3ua_tag_rule *rule = m3ua_tag_rule(tag);

	if (rule)
		say(t, " %s=", rule->key);
	else
		say(t, " 0x%04x=", tag);
	return rule ? rule->shape : M3UA_SHAPE_BYTES;
}

/* A nested one inside a nested one, which nobody may send, is shown as bytes: no recursion by the peer's
 * wish. */
static void say_param(struct text *t, const struct m3ua_param *p)
{
	uint8_t shape = say_key(t, p->tag);
	struct m3ua_param it = {0};

	if (shape != M3UA_SHAPE_NESTED) {
		say_flat(t, shape, p);
		return;
	}
	say(t, "{");
	while (m3ua_next_inside(p, &it))
		say_flat(t, say_key(t, it.tag), &it);
	say(t, " }");
}

const char *m3ua_dump(const uint8_t *bytes, uint32_t len, char *buf, uint32_t n)
{
	struct text t = {.buf = buf, .n = n};
	struct m3ua_param it = {0};
	struct m3ua_fault f;
	struct m3ua_msg m;
	bool ok = m3ua_parse(bytes, len, &m, &f);

	if (n)
		buf[0] = '\0';
	if (m3ua_message_rule(m.type) && len >= M3UA_HEADER)
		say(&t, "%s", m3ua_type_name(m.type));
	else
		say(&t, "0x%04x", m.type);
	while (m3ua_next(&m, &it))
		say_param(&t, &it);
	if (ok)
		return buf;
	say(&t, " !%s", m3ua_error_name(f.error));
	if (f.tag)
		say(&t, " (%s", m3ua_tag_name(f.tag));
	say(&t, f.tag ? ": %s)" : " (%s)", f.what);
	return buf;
}
