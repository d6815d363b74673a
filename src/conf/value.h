/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types of values: how one is read, printed, compared and copied. */
#pragma once

#include <libconfig.h>
#include <stdio.h>

#include "conf/schema.h"

struct reader;

struct value_type {
	const char *name; /* for the reference and for "must be ..." */
	/* Reads S into OBJ, or reports an error and leaves it as it was. */
	void (*read)(struct reader *r, const config_setting_t *s, const struct row *row, void *obj);
	/* What OBJ holds when the key is not in the file. */
	void (*absent)(struct reader *r, const struct row *row, void *obj);
	/* As libconfig reads it again. */
	void (*print)(FILE *out, const struct scope *scope, const struct row *row, const void *obj);
	bool (*same)(const struct row *row, const void *a, const void *b);
	bool list; /* min and max are of its length */
	/* Whether the value is one that only the key's absence can say. */
	bool (*unspoken)(const struct row *row, const void *obj);
};

extern const struct value_type value_bool, value_number, value_enum, value_word, value_name,
	value_address_text, value_addresses, value_prefix, value_format, value_point_code, value_point_codes,
	value_destination, value_service_indicators, value_reference, value_references, value_group,
	value_list;
