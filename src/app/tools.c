/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What signalboxd does with a configuration besides running it. */
#include <stdio.h>

#include "app/app.h"
#include "conf/conf.h"

static struct conf *load_and_print(const char *file)
{
	struct conf_errors errors;
	struct conf *c = conf_load(file, &errors);
	char line[600];

	for (unsigned i = 0; i < errors.n; i++)
		fprintf(stderr, "%s\n", conf_error_str(&errors.list[i], line, sizeof(line)));
	conf_errors_free(&errors);
	return c;
}

/* What was printed must have arrived: a full disk is an error. */
static int printed(enum app_status status)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	perror("standard output");
	return APP_FAILED;
}

int app_check(const char *file)
{
	struct conf *c = load_and_print(file);

	if (!c)
		return APP_BAD_CONFIG;
	printf("%s: no errors\n", file);
	conf_free(c);
	return printed(APP_OK);
}

int app_dump(const char *file)
{
	struct conf *c = load_and_print(file);

	if (!c)
		return APP_BAD_CONFIG;
	conf_dump(c, stdout);
	conf_free(c);
	return printed(APP_OK);
}

int app_reference(void)
{
	conf_reference(stdout);
	return printed(APP_OK);
}
