/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs a fuzz target over its kept corpus, without libFuzzer: CORPUS names the folder in tests/fuzz/corpus.
 * Files on the command line instead are run alone, to look at one finding. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <limits.h>
#include <string.h>

#include "fuzz.h"

/* In a block of exactly its size: a sanitizer sees a read behind the end. */
static void run_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;
	long size;

	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	assert_true(size >= 0);
	data = malloc(size ? (size_t)size : 1);
	assert_int_equal(fread(data, 1, (size_t)size, f), size);
	LLVMFuzzerTestOneInput(data, (size_t)size);
	free(data);
	fclose(f);
}

static void the_corpus_breaks_no_promise(void **state)
{
	const char *top = getenv("srcdir");
	char folder[PATH_MAX - NAME_MAX - 1], path[PATH_MAX];
	struct dirent *e;
	unsigned n = 0;
	DIR *d;

	(void)state;
	snprintf(folder, sizeof(folder), "%s/tests/fuzz/corpus/" CORPUS, top ? top : ".");
	d = opendir(folder);
	assert_non_null(d);
	while ((e = readdir(d))) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, e->d_name);
		run_file(path);
		n++;
	}
	closedir(d);
	assert_true(n > 10);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(the_corpus_breaks_no_promise)};

	for (int i = 1; i < argc; i++)
		run_file(argv[i]);
	return argc > 1 ? 0 : cmocka_run_group_tests_name("fuzz corpus " CORPUS, tests, NULL, NULL);
}
