/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs rows of the console on the gateway that stands still (fake_gateway.h), without a VTY. */
#pragma once

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_gateway.h"

extern struct sg *sg;
extern char output[256 * 1024]; /* of the last run() or operate() */

int setup(void **state);
int teardown(void **state);
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The row of this command behind "show "; false: its answer is an error. */
bool run(const char *command, bool json, const char *const *argv);
const char *text(const char *command, const char *const *argv);
json_t *json(const char *command, const char *const *argv); /* to be json_decref()ed */
/* The row of an operation. */
bool operate(const char *command, bool json, const char *const *argv);

void contains(const char *haystack, const char *needle);
/* The row of a list whose NAME is this. */
json_t *named(json_t *list, const char *name);
void says(json_t *object, const char *key, const char *value);
void counts(json_t *object, const char *key, long long value);
