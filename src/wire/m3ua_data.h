/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DATA on the fast path (RFC 4666 s.3.3.1): one bounded look, no dictionary, and a header written in front of
 * the payload where it lies. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The MTP3 label fields that M3UA carries in Protocol Data. */
struct mtp3_label {
	uint32_t opc, dpc;
	uint8_t si, ni, mp, sls;
};

struct m3ua_data {
	struct mtp3_label label;
	bool has_na, has_rc, has_corr;
	uint32_t na, rc, corr;
	uint32_t payload_off; /* of the user part, from the message's first byte */
	uint32_t payload_len;
};

/* Parses a DATA message of LEN bytes in the usual shape: each known parameter at most once, any order,
 * unknown ones skipped; the label's fields within their widths. Accepts exactly what m3ua_parse() accepts of
 * DATA. False: not a well-formed DATA message (m3ua_parse() then says what is wrong). */
bool m3ua_data_parse(const uint8_t *msg, uint32_t len, struct m3ua_data *out);

/* Gives Protocol Data that stands under tag 0x0002 (early drafts) in an otherwise sound DATA message its tag;
 * false if there is none. */
bool m3ua_data_undraft(uint8_t *msg, uint32_t len);

enum {
	M3UA_DATA_HEADER_MAX = 8 + 8 + 8 + 4 + 12,
	M3UA_DATA_TRAILER_MAX = 3 + 8,
	M3UA_DATA_PAYLOAD_MAX = 0xffff - 4 - 12,
};

/* Writes header, [NA], [RC], Protocol Data header and label right in front of PAYLOAD (LEN bytes, at least
 * M3UA_DATA_HEADER_MAX bytes of room before it and M3UA_DATA_TRAILER_MAX behind), the padding and
 * [Correlation Id] behind. Returns the message's first byte and its whole length in *TOTAL. D's payload
 * fields are not used. LEN is at most M3UA_DATA_PAYLOAD_MAX, as it is for whatever was received: more cannot
 * be said in the parameter's length, and the answer is NULL. */
uint8_t *m3ua_data_write(uint8_t *payload, uint32_t len, const struct m3ua_data *d, uint32_t *total);
