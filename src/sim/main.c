/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ss7sim: arguments only; all else is in a library that the tests link. */
#include <stdio.h>

#include "sim/opts.h"
#include "sim/script.h"
#include "sim/sim.h"

int main(int argc, char **argv)
{
	char err[KEYVAL_ERR];
	struct opts *o = opts_parse(argc, argv, err);
	int status = 0;

	if (!o) {
		fprintf(stderr, "ss7sim: %s\n", err);
		return 2;
	}
	if (o->help)
		opts_help(stdout);
	else if (o->version)
		puts(PACKAGE_STRING);
	else
		status = o->script ? script_main(o) : sim_run(o);
	opts_free(o);
	return status;
}
