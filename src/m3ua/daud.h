/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The gateway as an ASP asks the SG for the status of its destinations (RFC 4666 s.4.5.3): all of them when
 * it has become active, and from time to time those that the SG said are not available. */
#pragma once

struct as_asp;

void daud_init(struct as_asp *m);
/* Active at an SGP. */
void daud_activated(struct as_asp *m);
/* Not any more. */
void daud_stop(struct as_asp *m);
