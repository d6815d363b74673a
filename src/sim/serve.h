/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an SGP or IPSP does for the gateway: the acting side of serve_fsm.h, and the status of the point code
 * that an SGP leads to. Works on the struct asp of asp.h, whose handlers call it. */
#pragma once

#include <stdbool.h>

#include "sim/asp.h"
#include "sim/serve_fsm.h"

/* ASPUP, ASPDN, ASPAC, ASPIA have been received. */
void serve_request(struct asp *a, const struct m3ua_msg *m);
/* ASPUP ACK has: in double exchange that alone makes the other direction inactive (RFC 4666 s.4.3.4.1.2). */
void serve_acknowledged(struct asp *a);
/* DAUD has: each point code is answered with DAVA or DUNA (s.4.5.3). */
void serve_audit(struct asp *a, const struct m3ua_msg *m);

/* An ACK that nobody asked for: ASPIA ACK, ASPDN ACK (s.4.3.4.2, s.4.3.4.4). */
void serve_say(struct asp *a, enum m3ua_type ack);
/* The operator says that the AS's point code can be reached, or not: DAVA or DUNA. */
void serve_reachable(struct asp *a, bool reachable);

/* The association has come, gone or been restarted. */
void serve_reset(struct asp *a);
