/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASP State Maintenance (RFC 4666 s.4.3.4.1, s.4.3.4.2): ASPUP, ASPDN. */
#pragma once

struct asp;
struct in;

void aspsm_up(const struct in *in);
void aspsm_down(const struct in *in);

/* Takes ASP down by our own decision, telling it with ASPIA ACK and ASPDN ACK behind the last DATA. */
void aspsm_withdraw(struct asp *asp, const char *reason);
