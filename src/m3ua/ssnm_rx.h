/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an SGP, or an IPSP, says of the destinations beyond it (RFC 4666 s.3.4, s.4.5.2): DUNA, DRST, DAVA,
 * SCON, DUPU. */
#pragma once

#include <stdint.h>

struct as;
struct in;
struct m3ua_param;

/* Handlers (dispatch.c). */
void ssnm_rx_status(const struct in *in); /* DUNA, DRST, DAVA */
void ssnm_rx_scon(const struct in *in);
void ssnm_rx_dupu(const struct in *in);

/* The peers of AS say that the AFFECTED point codes and ranges that go through it are congested: kept until
 * they say otherwise, or nothing for a while (s.3.4.4). */
void ssnm_rx_congestion(struct as *as, const struct m3ua_param *affected, uint8_t level);

/* The AS is active nowhere any more: what was said by its peers is out of date. */
void ssnm_rx_forget(struct as *as);
