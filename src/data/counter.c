/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/counter.h"

#define X(id, name, text) [AC_##id] = {name, text},
const struct counter_row assoc_counter_rows[AC_COUNT] = {ASSOC_COUNTERS(X)};
#undef X

#define X(id, name, text) [WC_##id] = {name, text},
const struct counter_row worker_counter_rows[WC_COUNT] = {WORKER_COUNTERS(X)};
#undef X
