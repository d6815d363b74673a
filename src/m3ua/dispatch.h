/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a received message to its handler. */
#pragma once

#include <stdint.h>

#include "wire/m3ua.h"

struct asp;

/* A message being handled: checked whole before anybody sees it. */
struct in {
	struct asp *asp;
	struct m3ua_msg msg;
	uint32_t len; /* as delivered: msg.len is what the message says */
	uint16_t stream;
};

/* Handles one message of ASP. Answers go through out.c; the caller settles. */
void dispatch_message(struct asp *asp, const uint8_t *bytes, uint32_t len, uint16_t stream);
