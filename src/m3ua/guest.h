/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Peers that no ASP is configured for: admitted by a template (`peer-templates`), an ASP as long as their
 * association lives. */
#pragma once

#include <osmocom/core/linuxlist.h>
#include <stdint.h>

#include "sctp/transport.h"

struct asp;
struct guest;
struct sg;
struct sg_listener;

struct sg_template {
	struct llist_head entry;
	const struct template_conf *conf;
	char *name;
	unsigned peers;             /* there are now */
	uint64_t admitted, refused; /* refused: too many at a time */
};

/* The ASP for a peer that has arrived, or NULL with a reason in *WHY (constant text). One that is there
 * already under the same address and port is that peer's ASP. */
struct asp *guest_admit(
	struct sg *sg, const struct sg_listener *l, const struct tp_incoming *in, const char **why);
/* The association of ASP is over or never came to be: if it is a guest, it goes. */
void guest_leave(struct asp *asp);
/* The template that a guest came by; NULL: ASP is configured. */
const struct sg_template *guest_template(const struct asp *asp);
/* A new configuration: guests whose peer is configured now, or whom no template admits, go; the others get
 * their template's new settings. */
void guest_apply(struct sg *sg);
