/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "data/drop.h"

static const struct {
	const char *name, *text;
} rows[DROP_COUNT] = {
#define X(id, name, text) [DROP_##id] = {name, text},
	DROP_REASONS(X)
#undef X
};

const char *drop_name(enum drop_reason r)
{
	return (unsigned)r < DROP_COUNT ? rows[r].name : "?";
}

const char *drop_text(enum drop_reason r)
{
	return (unsigned)r < DROP_COUNT ? rows[r].text : "?";
}
