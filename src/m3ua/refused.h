/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA that the workers did not forward: what its sender is told (RFC 4666 s.3.4.1, s.3.4.5, s.3.8.1). */
#pragma once

#include <stdint.h>

struct asp;
struct in;
struct plane_event;

void refused_data(struct asp *asp, const struct plane_event *ev);
/* DATA in the guise of a control message: answered like any message that does not belong. */
void refused_unchecked(const struct in *in);
/* A message of ASP whose SCTP payload protocol identifier is PPID, not M3UA's: nothing that could be
 * answered. */
void refused_ppid(struct asp *asp, uint32_t ppid);
