/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/addr.h"

#include <arpa/inet.h>
#include <string.h>

/* What an address is, whichever family it came in: an IPv4-mapped IPv6 address is the IPv4 one. A dual-stack
 * socket reports mapped addresses, the configuration has plain ones, and both must be found equal. */
static const uint8_t *significant(const union tp_addr *a, size_t *len)
{
	if (a->sa.sa_family == AF_INET) {
		*len = 4;
		return (const uint8_t *)&a->in.sin_addr;
	}
	if (IN6_IS_ADDR_V4MAPPED(&a->in6.sin6_addr)) {
		*len = 4;
		return a->in6.sin6_addr.s6_addr + 12;
	}
	*len = 16;
	return a->in6.sin6_addr.s6_addr;
}

enum sb_err tp_addr_parse(union tp_addr *out, const char *text)
{
	memset(out, 0, sizeof(*out));
	if (inet_pton(AF_INET, text, &out->in.sin_addr) == 1) {
		out->sa.sa_family = AF_INET;
		return SB_OK;
	}
	if (inet_pton(AF_INET6, text, &out->in6.sin6_addr) == 1) {
		out->sa.sa_family = AF_INET6;
		return SB_OK;
	}
	return SB_EINVAL;
}

const char *tp_addr_str(const union tp_addr *a, char *buf, size_t n)
{
	const uint8_t *bytes;
	size_t len;

	if (n)
		buf[0] = '\0';
	if (a->sa.sa_family != AF_INET && a->sa.sa_family != AF_INET6)
		return buf;
	bytes = significant(a, &len);
	inet_ntop(len == 4 ? AF_INET : AF_INET6, bytes, buf, (socklen_t)n);
	return buf;
}

bool tp_addr_same(const union tp_addr *a, const union tp_addr *b)
{
	size_t na, nb;
	const uint8_t *pa = significant(a, &na), *pb = significant(b, &nb);

	if (na != nb || memcmp(pa, pb, na) != 0)
		return false;
	/* fe80::1 on two interfaces are two hosts; a scope of 0 means "not told" */
	return na == 4 || a->in6.sin6_scope_id == b->in6.sin6_scope_id || !a->in6.sin6_scope_id ||
	       !b->in6.sin6_scope_id;
}

bool tp_addr_is_any(const union tp_addr *a)
{
	static const uint8_t zero[16];
	size_t n;
	const uint8_t *p = significant(a, &n);

	return memcmp(p, zero, n) == 0;
}

bool tp_addr_is_loopback(const union tp_addr *a)
{
	size_t n;
	const uint8_t *p = significant(a, &n);

	return n == 4 ? p[0] == 127 : IN6_IS_ADDR_LOOPBACK(&a->in6.sin6_addr) != 0;
}

void tp_addr_unmap(union tp_addr *a)
{
	union tp_addr v4 = {.in = {.sin_family = AF_INET}};

	if (a->sa.sa_family != AF_INET6 || !IN6_IS_ADDR_V4MAPPED(&a->in6.sin6_addr))
		return;
	v4.in.sin_port = a->in6.sin6_port;
	memcpy(&v4.in.sin_addr, a->in6.sin6_addr.s6_addr + 12, 4);
	*a = v4;
}

socklen_t tp_addr_len(const union tp_addr *a)
{
	return a->sa.sa_family == AF_INET ? sizeof(a->in) : sizeof(a->in6);
}

uint16_t tp_addr_port(const union tp_addr *a)
{
	return ntohs(a->sa.sa_family == AF_INET ? a->in.sin_port : a->in6.sin6_port);
}

void tp_addr_set_port(union tp_addr *a, uint16_t port)
{
	if (a->sa.sa_family == AF_INET)
		a->in.sin_port = htons(port);
	else
		a->in6.sin6_port = htons(port);
}
