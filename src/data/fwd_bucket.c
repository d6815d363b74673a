/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which share bucket a message falls into: all that must keep its order among itself falls into one. */
#include "base/hash.h"
#include "data/fwd.h"

enum { SI_ISUP = 5 }; /* Q.704 s.14.2.1 */

/* ISUP's Circuit Identification Code: the first two octets, least significant first; 12 bits in ITU networks
 * (Q.763 s.1.2, the rest spare), 14 in ANSI ones. */
static bool isup_cic(uint8_t si, const uint8_t *payload, uint32_t len, uint32_t *cic)
{
	if (si != SI_ISUP || len < 2)
		return false;
	*cic = (uint32_t)(payload[0] | (payload[1] & 0x3f) << 8);
	return true;
}

uint32_t fwd_bucket(const struct fwd_as *as, uint32_t opc, uint32_t dpc, uint8_t si, uint8_t sls,
	const uint8_t *payload, uint32_t payload_len)
{
	uint32_t cic;

	if (!as->n_buckets)
		return 0;
	switch (as->key) {
	case FWD_KEY_SLS: return sls & (as->n_buckets - 1);
	case FWD_KEY_OPC_SLS: return hash_u32x2(opc, sls) & (as->n_buckets - 1);
	case FWD_KEY_CIC:
		/* a user part without circuits shares by what else tells its flows apart */
		if (!isup_cic(si, payload, payload_len, &cic))
			cic = 0x10000u | sls;
		return hash_u32x3(opc, dpc, cic) & (as->n_buckets - 1);
	}
	return 0;
}
