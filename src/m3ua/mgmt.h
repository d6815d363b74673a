/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MGMT messages (RFC 4666 s.3.8): ERR and NTFY. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "wire/m3ua.h"

struct as;
struct asp;
struct in;

/* What an ERR carries besides its code and the Diagnostic Information. */
struct err_args {
	const uint32_t *rcs; /* Routing Contexts it is about */
	uint32_t n_rcs;
	bool has_na;
	uint32_t na; /* the Network Appearance at fault */
};

/* Answers IN with an ERR, unless IN is an ERR itself (s.3.8.1). ARGS may be NULL. */
void err_answer(const struct in *in, enum m3ua_error code, const struct err_args *args);
/* The same with the Routing Contexts that IN has, as "Unexpected Message" and "Refused" should. */
void err_answer_rcs(const struct in *in, enum m3ua_error code);

/* NTFY AS-State_Change to every ASP of the AS that is not ASP-DOWN (s.4.3.4.5), with the ASP Identifier of
 * the FAILED one, if there is one and it has one. Nothing for AS-DOWN: nobody is there to be told. */
void ntfy_as_state(struct as *as, const struct asp *failed);
/* The current state to one ASP that came up. */
void ntfy_as_state_to(struct asp *asp, struct as *as);
/* NTFY Other: Insufficient to the inactive ones, ASP Failure to all but FAILED, Alternate to ASP. */
void ntfy_insufficient(struct as *as);
void ntfy_failure(struct as *as, const struct asp *failed);
void ntfy_alternate(struct asp *asp, struct as *as, const struct asp *alternate);

/* Handlers (dispatch.c). */
void mgmt_err(const struct in *in);
