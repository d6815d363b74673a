/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which stream a flow takes: the workers decide by it and `show route lookup` tells it. */
#pragma once

#include <stdint.h>

#include "base/hash.h"

/* Flows spread over the N_OUT streams that were negotiated outbound, but for stream 0 (management: RFC 4666
 * s.1.4.7) where there are others. */
static inline uint16_t flow_stream(uint32_t n_out, uint32_t opc, uint32_t dpc, uint8_t sls)
{
	if (n_out <= 1)
		return 0;
	return (uint16_t)(1 + ((uint64_t)hash_flow(opc, dpc, sls) * (n_out - 1) >> 32));
}
