/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Injected time: every timer and state machine asks here, so that tests move the hands themselves. */
#pragma once

#include <stdint.h>

/* Monotonic time in nanoseconds / milliseconds since an arbitrary start. */
uint64_t clock_ns(void);
uint64_t clock_ms(void);

/* Tests: freeze the calling process's clock at NS (0 thaws it). Not for use with running threads. */
void clock_freeze_ns(uint64_t ns);
