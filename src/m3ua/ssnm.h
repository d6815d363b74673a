/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SS7 Signalling Network Management (RFC 4666 s.3.4, s.4.5): DAUD and SCON from ASPs, and the writing of what
 * goes to them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct as;
struct asp;
struct in;
struct sg_network;

void ssnm_daud(const struct in *in);
void ssnm_scon(const struct in *in);

/* Whom a message goes to, and the traffic flows that it is about: Network Appearance and Routing Contexts. */
struct ssnm_to {
	struct asp *asp;
	const struct sg_network *network;
	uint32_t *rcs; /* talloc'd */
	unsigned n_rcs;
};

/* Is ASP active in an AS of NETWORK other than EXCEPT (may be NULL)? Then TO is set up. */
bool ssnm_concerned(
	struct asp *asp, const struct sg_network *network, const struct as *except, struct ssnm_to *to);
void ssnm_done(struct ssnm_to *to);

/* DUNA, DAVA, DRST: N Affected Point Code entries (mask << 24 | point code), in as few messages as they need.
 */
void ssnm_status_to(const struct ssnm_to *to, uint16_t type, const uint32_t *pcs, uint32_t n);
void ssnm_scon_to(const struct ssnm_to *to, unsigned level, const uint32_t *pcs, uint32_t n);
/* CAUSE: s.3.4.5. */
void ssnm_dupu_to(const struct ssnm_to *to, uint32_t pc, uint16_t cause, uint16_t user);
