/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Address prefixes: "10.0.0.0/8", or one address. */
#include <stdlib.h>
#include <string.h>

#include "conf/reader.h"
#include "conf/value.h"
#include "sctp/addr.h"

static bool parse(const char *text, struct ip_prefix *out)
{
	const char *slash = strchr(text, '/');
	char address[TP_ADDR_STR], *end = NULL;
	size_t n = slash ? (size_t)(slash - text) : strlen(text);
	unsigned long len, bits;

	if (n >= sizeof(address))
		return false;
	memcpy(address, text, n);
	address[n] = '\0';
	if (tp_addr_parse(&out->addr, address) != SB_OK)
		return false;
	bits = out->addr.sa.sa_family == AF_INET ? 32 : 128;
	len = slash ? strtoul(slash + 1, &end, 10) : bits;
	if (slash && (end == slash + 1 || *end || slash[1] < '0' || slash[1] > '9'))
		return false;
	out->len = (uint8_t)len;
	return len <= bits;
}

static void prefix_read(struct reader *r, const config_setting_t *s, const struct row *row, void *obj)
{
	const char *text = config_setting_get_string(s);
	struct ip_prefix p = {.len = 0};

	if (!text || !parse(text, &p))
		setting_error(r, s, "\"%s\" must be an address prefix, like \"10.0.0.0/8\"", row->key);
	else if (!ip_prefix_has(&p, &p.addr) || !ip_prefix_is_clean(&p))
		setting_error(r, s, "\"%s\" (%s) has bits beyond its length", row->key, text);
	else
		memcpy(row_at(row, obj), &p, sizeof(p));
}

static void prefix_absent(struct reader *r, const struct row *row, void *obj)
{
	(void)r;
	memset(row_at(row, obj), 0, sizeof(struct ip_prefix));
}

static void prefix_print(FILE *out, const struct scope *scope, const struct row *row, const void *obj)
{
	const struct ip_prefix *p = row_at(row, obj);
	char text[TP_ADDR_STR];

	(void)scope;
	fprintf(out, "\"%s/%u\"", tp_addr_str(&p->addr, text, sizeof(text)), p->len);
}

static bool prefix_same(const struct row *row, const void *a, const void *b)
{
	const struct ip_prefix *x = row_at(row, a), *y = row_at(row, b);

	return x->len == y->len && tp_addr_same(&x->addr, &y->addr);
}

const struct value_type value_prefix = {.name = "address prefix",
	.read = prefix_read,
	.absent = prefix_absent,
	.print = prefix_print,
	.same = prefix_same};
