/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts and messages for the tests of scripted mode. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <talloc.h>

#include "sim/script.h"
#include "sim/script_int.h"

enum { RIG_BYTES = 8192 };

/* An empty script to read messages into. */
static inline struct script *rig_script(void)
{
	struct script *s = talloc_zero(NULL, struct script);

	assert_non_null(s);
	s->variant = PC_ITU;
	pc_format_default(PC_ITU, &s->pc_format);
	return s;
}

/* TEXT as lex.c would split it. */
static inline bool rig_read(struct script *s, const char *text, struct script_message *out, char *err)
{
	char *words[LEX_WORDS], *copy = talloc_strdup(s, text), *save = NULL;
	unsigned n = 0;

	for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
		words[n++] = w;
	return script_message_read(s, words, n, out, err);
}

/* The bytes of TEXT; 0 and ERR if there are none. */
static inline uint32_t rig_build(struct script *s, const char *text, uint8_t *out, char *err)
{
	struct script_message m;

	return rig_read(s, text, &m, err) ? script_build(s, &m, out, RIG_BYTES, err) : 0;
}

/* A script of this text in a file that is gone when it has been read. */
static inline struct script *rig_load(const char *text, char *err)
{
	char path[] = "/tmp/script-test-XXXXXX";
	int fd = mkstemp(path);
	struct script *s;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	s = script_load(path, (const char *const[]){"peer=5000"}, 1, err);
	unlink(path);
	return s;
}
