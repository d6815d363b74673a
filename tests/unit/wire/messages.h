/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every M3UA message, written from the dictionary: as it should be, or wrong in one place. The unit tests,
 * the fuzz corpus and the tshark test share it. */
#pragma once

#include <stdint.h>

#include "wire/m3ua.h"

enum change {
	AS_IS,
	ONLY_MANDATORY,
	WITHOUT,    /* leave the parameter out */
	TWICE,      /* put it twice */
	LENGTH,     /* its value has LEN bytes */
	FIELD_SAYS, /* its length field says LEN, whatever is there */
};

/* What to change: the parameter PARAM of the message's rule or, if INSIDE is not negative, that one within
 * it. */
struct variation {
	enum change change;
	int param, inside;
	uint32_t len;
};

enum { MESSAGE_ROOM = 4096 };

/* Writes the message of rule R to BUF (MESSAGE_ROOM bytes) with every parameter it may hold, changed by V
 * (NULL: as it should be). Returns its length. */
uint32_t message_write(uint8_t *buf, const struct m3ua_message_rule *r, const struct variation *v);

/* A good value for TAG within at most MAX bytes (0: no limit). Returns its length; OUT has 512 bytes. */
uint32_t message_value(uint16_t tag, uint32_t max, uint8_t *out);
