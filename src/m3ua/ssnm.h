/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SS7 Signalling Network Management (RFC 4666 s.3.4, s.4.5): DAUD and SCON from ASPs, and the writing of what
 * goes to them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct as;
struct asp;
struct dest;
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
/* The same of ASs that D's routes for user part SI (or FWD_ANY_SI) lead to: those whose traffic from there it
 * is about. */
bool ssnm_concerned_at(struct asp *asp, const struct sg_network *network, const struct dest *d, uint8_t si,
	struct ssnm_to *to);
void ssnm_done(struct ssnm_to *to);

/* DUNA, DAVA, DRST: N Affected Point Code entries (mask << 24 | point code), in as few messages as they need.
 */
void ssnm_status_to(const struct ssnm_to *to, uint16_t type, const uint32_t *pcs, uint32_t n);
/* LEVEL is left out where MTP has but one (sg_network.single_level); that it is over cannot be said there. */
void ssnm_scon_to(const struct ssnm_to *to, unsigned level, const uint32_t *pcs, uint32_t n);
/* To an SGP: a message from CONCERNED met it. */
void ssnm_scon_of(const struct ssnm_to *to, unsigned level, uint32_t pc, uint32_t concerned);
/* CAUSE: s.3.4.5. */
void ssnm_dupu_to(const struct ssnm_to *to, uint32_t pc, uint16_t cause, uint16_t user);
