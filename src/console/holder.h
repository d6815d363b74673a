/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who has an association: an ASP or a link of the SS7 side. Associations go by their names; of an ASP and a
 * link of one name, the ASP's is meant. */
#pragma once

#include <stdbool.h>

struct assoc;
struct show;
struct tp_params;

struct holder {
	const char *name;
	const char *protocol;       /* "m3ua", "m2pa" */
	const struct assoc *assoc;  /* NULL: none */
	const struct tp_params *tp; /* as configured */
	bool client;                /* it is we who open it */
	const char *down_reason;    /* of the last one; "": there was none */
};

/* ASPs first, then links. */
void holder_each(struct show *s, void (*fn)(void *arg, const struct holder *h), void *arg);
/* False: nobody is called so. */
bool holder_find(struct show *s, const char *name, struct holder *out);
