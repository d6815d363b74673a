/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration's law: one row per key. Loading, checking, dumping, comparing and the reference page all
 * walk these rows, so a new key is one row here and nothing else (HACKING.md).
 *
 * Rows are read in the order of the table, whatever the order in the file: what a value depends on (the
 * variant for a notation, the network for a point code) stands above it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conf/conf.h"

struct value_type;
struct section;

/* What a reload does about a changed value; rising severity. */
enum reload_class {
	RELOAD_SOFT,    /* at once, in place */
	RELOAD_NEXT,    /* in place: associations that are up keep the old value until they reconnect */
	RELOAD_REPLACE, /* the object is taken away and set up anew */
	RELOAD_RESTART, /* not before a restart of the daemon */
};

struct enum_name {
	const char *name; /* NULL ends the table */
	int value;
};

/* A row that makes sense only in company, e.g. on one side. */
struct condition {
	bool (*holds)(const void *obj);
	const char *text; /* `side = "client"` */
};

struct row {
	const char *key;
	const struct value_type *type;
	size_t offset, size;             /* of the value in its object; lists: no size */
	size_t count_offset, count_size; /* lists: of their length */
	size_t has_offset;     /* optional values: of the bool that tells whether it is set, else 0 */
	uint64_t min, max;     /* numbers: of the value; lists: of their length; text: likewise */
	uint64_t dflt;         /* numbers, bools, enums */
	const char *dflt_text; /* text; for other types: the default in words, for the reference */
	const char *unit;
	const struct enum_name *names;
	const struct section *sub; /* groups and lists of groups */
	const struct condition *when;
	enum reload_class reload;
	bool mandatory;
	const char *help;
};

/* What is known while an object is read or printed: point codes are written in their network's notation. */
struct scope {
	const struct conf *conf;
	const struct network_conf *network; /* inside a network */
	const char *const *network_name;    /* inside an AS or a route: of the one it belongs to */
};

struct section {
	const char *title; /* what one object is: "listener" */
	const struct row *rows;
	unsigned n_rows;
	size_t size; /* of an object */
	const char *text;
	/* Before its rows are read. */
	void (*init)(void *obj, const struct conf *conf);
	void (*enter)(struct scope *scope, const void *obj);
	/* After its rows were read: defaults that depend on other values. */
	void (*finish)(void *obj);
	/* A group whose absent keys keep what init gave them: where their values come from. NULL: each row
	 * has its own default. */
	const void *(*inherits)(const struct conf *conf);
};

extern const struct section conf_schema; /* the whole file; objects are struct conf */

static inline void *row_at(const struct row *row, const void *obj)
{
	return (char *)(uintptr_t)obj + row->offset;
}

/* Numbers of any width. */
uint64_t row_number(const void *at, size_t size);
void row_set_number(void *at, size_t size, uint64_t v);

/* The length of a list. */
unsigned row_count(const struct row *row, const void *obj);
void row_set_count(const struct row *row, void *obj, unsigned n);

bool row_is_set(const struct row *row, const void *obj);
bool row_applies(const struct row *row, const void *obj);

/* The network whose notation counts in SCOPE; NULL if one is named that is not there. */
const struct network_conf *scope_network(const struct scope *scope);
