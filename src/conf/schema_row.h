/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How rows are written (schema*.c). */
#pragma once

#include "conf/schema.h"
#include "conf/value.h"
#include "data/plane.h"

#define AT(s, f)         .offset = offsetof(struct s, f), .size = sizeof(((struct s *)0)->f)
#define LIST_AT(s, f, n) /* the list, or a pointer to it */                                                  \
	.offset = offsetof(struct s, f), .count_offset = offsetof(struct s, n),                              \
	.count_size = sizeof(((struct s *)0)->n)
#define OPTIONAL(s, f)    .has_offset = offsetof(struct s, f)
#define RANGE(lo, hi)     .min = (lo), .max = (hi)
#define SECTION(t, table) .title = (t), .rows = (table), .n_rows = sizeof(table) / sizeof((table)[0])

/* Their own parameters, in a listener or ASP. */
#define SCTP_GROUP(s, tp, class)                                                                             \
	{                                                                                                    \
		.key = "sctp", .type = &value_group, AT(s, tp), .sub = &sctp_section, .reload = class,       \
		.help = "SCTP parameters that differ from the top-level `sctp` group."                       \
	}

extern const struct enum_name transport_names[], encapsulation_names[];
extern const struct enum_name rkm_policies[];
extern const struct section template_section;
extern const struct enum_name traffic_modes[], load_share_keys[];
extern const struct section rkm_as_section, compat_section;
extern const struct section sctp_section, network_section, listener_section, asp_section, as_section,
	route_section, mtp3_section, link_section, linkset_section;
