/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The recognition of incoming peers. */
#pragma once

#include "m3ua/sg_conf.h"
#include "sctp/transport.h"

struct asp;
struct sg;

/* The configuration changed: the index of peers by address and port anew. */
void peer_index(struct sg *sg);

/* The configured ASP that the peer is, or NULL. */
struct asp *peer_find(struct sg *sg, const char *listener, const struct tp_incoming *in);

/* How closely a peer that arrived at LISTENER fits an ASP: 0 not at all. Pure. */
unsigned peer_score(const struct asp_conf *c, const char *listener, const struct tp_incoming *in);
