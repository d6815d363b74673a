/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A gateway that stands still: what sg.h, as.h, asp.h, dest.h and plane.h tell the console, from structures
 * that a test fills by hand. Every state can be shown, the rare ones too, without peers or threads. The
 * forwarding table is a real one. */
#pragma once

#include "conf/conf.h"
#include "data/plane.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/guest.h"
#include "m3ua/sg.h"
#include "route/dest.h"
#include "ss7/ss7.h"

struct assoc {
	uint32_t id;
	const char *name;
	enum assoc_state state;
	const struct tp_ops *ops;
	const char *why;
	struct tp_params params;
	unsigned worker;
	uint64_t since_ms;
	uint16_t in_streams, out_streams;
	bool has_info;
	struct tp_info info;
	struct assoc_stats stats;
	struct paged streams[2];
};

/* Network national (1-1-1): AS hlr (1-2-3; loadshare over hlr-1 and hlr-2), AS msc (1-2-4, SCCP only; its ASP
 * msc-1 has not connected), AS smsc (1-2-5; pending), AS cast (1-2-6; broadcast over hlr-1 and hlr-2). hlr-3
 * is blocked. The time is 100 s. */
struct sg *fake_gateway_new(void);
void fake_gateway_free(void);
const struct conf *fake_conf(void *arg);

struct asp *fake_asp(const char *name);
extern unsigned fake_blocks, fake_restarts; /* calls of asp_block(), asp_restart() */
