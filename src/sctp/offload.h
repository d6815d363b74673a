/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a device compute SCTP's CRC32c on transmit (`tx-checksum-sctp`)? Then the kernel leaves it to the
 * device, and the CPU has the time for something else. Asked through ethtool's ioctl, which needs no
 * privilege; switching needs CAP_NET_ADMIN. Any thread. */
#pragma once

#include <net/if.h>
#include <stdbool.h>

#include "base/err.h"
#include "sctp/addr.h"

enum offload_state { OFFLOAD_UNKNOWN, OFFLOAD_YES, OFFLOAD_NO };

struct offload_device {
	char name[IF_NAMESIZE];
	enum offload_state state;
	union tp_addr addrs[TP_MAX_ADDRS]; /* those asked for that are on it */
	unsigned n_addrs;
};

/* The devices that have ADDRS, or, if N is 0 or an address is the wildcard, all that have any address. At
 * most MAX into OUT; returns how many. */
unsigned offload_list(const union tp_addr *addrs, unsigned n, struct offload_device *out, unsigned max);

enum offload_state offload_get(const char *device);
/* SB_ENOTSUP: the device cannot be switched; SB_ESYS: errno tells. */
enum sb_err offload_set(const char *device, bool on) SB_MUST_USE;

/* "yes", "no", "unknown" */
const char *offload_name(enum offload_state s);
/* For tp_info.crc: who computes it for packets that leave from ADDRS. */
const char *offload_summary(const union tp_addr *addrs, unsigned n);
