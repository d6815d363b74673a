/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that go beyond one value: names, references, addresses that clash, routing that contradicts itself.
 * Every one reports all it finds. */
#pragma once

#include "conf/reader.h"

/* A list of objects by name: every object begins with its name. */
struct name_index {
	const char *title;          /* "ASP" */
	const char *const **sorted; /* pointers to the objects' names */
	unsigned n;
};

struct check {
	struct reader *r;
	const struct sg_conf *sg;
	const struct ss7_conf *ss7;
	struct name_index networks, listeners, asps, ass, templates, links, linksets;
	unsigned *asp_uses; /* by index of the ASP: how many ASs name it */
};

/* The object of that name, or NULL. */
const void *name_index_find(const struct name_index *index, const char *name);

/* The object that NAME, the value of OBJ's KEY, refers to; NULL with an error. */
const void *check_reference(
	struct check *c, const struct name_index *index, const char *name, const void *obj, const char *key);

void check_all(struct reader *r);

/* The role of an AS's ASPs (enum role); without any, ROLE_SGP. */
int check_as_role(const struct check *c, const struct as_conf *as);

/* Its parts. */
void check_associations(struct check *c);        /* check_assoc.c */
void check_application_servers(struct check *c); /* check_as.c */
void check_routing_keys(struct check *c);        /* check_keys.c */
void check_ss7(struct check *c);                 /* check_ss7.c */
void check_routes(struct check *c);              /* check_routes.c */
