/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Payloads that look real: the check data of payload.h inside messages of user parts.
 *
 *   isup  a call per CIC (Q.763): IAM, ACM, ANM, REL, RLC in turn, the data in User-to-user information
 *   sccp  unitdata (Q.713) with a dialogue of TCAP (Q.773): Begin, Continue, End in turn, the data in a
 * component */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "sim/payload.h"

enum dress { DRESS_TEST, DRESS_ISUP, DRESS_SCCP, DRESSES };

const char *dress_name(enum dress d);

/* The service indicator it belongs to; 0: any. */
uint8_t dress_si(enum dress d);
uint32_t dress_min(enum dress d, uint8_t si);
uint32_t dress_max(enum dress d);

/* Fills P[0 .. len), dress_min() <= LEN <= dress_max(). */
void dress_write(enum dress d, uint8_t *p, uint32_t len, uint8_t si, const struct payload *in);

/* Reads a message of any dress: which, its bytes say. */
enum payload_verdict dress_read(const uint8_t *p, uint32_t len, uint8_t si, struct payload *out);
