/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libFuzzer calls, and replay.c. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A broken promise ends the process, whatever NDEBUG says: libFuzzer keeps the input. */
#define MUST(condition)                                                                                      \
	do {                                                                                                 \
		if (!(condition)) {                                                                          \
			fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #condition);              \
			abort();                                                                             \
		}                                                                                            \
	} while (0)
