/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IP addresses as operators write them and as peers use them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "sctp/params.h"

enum { TP_ADDR_STR = 64 };

/* "192.0.2.1" or "2001:db8::1" (no port, no name); SB_EINVAL otherwise. */
enum sb_err tp_addr_parse(union tp_addr *out, const char *text) SB_MUST_USE;

/* Without port; an IPv4-mapped IPv6 address prints as IPv4. Returns BUF. */
const char *tp_addr_str(const union tp_addr *a, char *buf, size_t n);

/* Same host address, ports ignored, IPv4-mapped equal to IPv4. */
bool tp_addr_same(const union tp_addr *a, const union tp_addr *b);

bool tp_addr_is_any(const union tp_addr *a);
bool tp_addr_is_loopback(const union tp_addr *a);
/* An IPv4-mapped IPv6 address becomes the IPv4 one, port kept; others stay. */
void tp_addr_unmap(union tp_addr *a);

socklen_t tp_addr_len(const union tp_addr *a);
uint16_t tp_addr_port(const union tp_addr *a);
void tp_addr_set_port(union tp_addr *a, uint16_t port);
