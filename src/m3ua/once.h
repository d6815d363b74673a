/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "At most once per point code and T8": which SSNM answers an ASP was given of late. Bounded memory: where a
 * peer asks for more different point codes than fit, the answer is withheld, never repeated. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct asp;

/* May KIND (a message type, with the user part where it matters) about PC in NETWORK be sent to ASP now? If
 * so, not again within T8_MS. */
bool once_allows(struct asp *asp, uint32_t kind, uint16_t network, uint32_t pc, uint32_t t8_ms);
/* It remembers nothing of that: the next time each is new. */
void once_free(struct asp *asp);
