/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASP Traffic Maintenance (RFC 4666 s.4.3.4.3, s.4.3.4.4): ASPAC, ASPIA, one Routing Context at a time. */
#pragma once

struct as_asp;
struct asp;
struct in;

void asptm_active(const struct in *in);
void asptm_inactive(const struct in *in);

/* Takes ASP out of service in every AS by our own decision, telling it with ASPIA ACK (s.4.7). */
void asptm_withdraw(struct asp *asp, const char *reason);
/* The same for one AS that it stops being a member of. */
void asptm_dismiss(struct as_asp *m, const char *reason);
