/* SPDX-License-Identifier: GPL-2.0-or-later */
/* signalboxd: arguments only; all else is in libraries that the tests link. */
#include <getopt.h>
#include <stdio.h>

#include "app/app.h"

static const char default_file[] = SYSCONFDIR "/signalbox/signalboxd.conf";

static int usage(FILE *out)
{
	fprintf(out,
		"Usage: signalboxd [-c FILE]\n"
		"       signalboxd --check FILE | --dump FILE | --config-reference | --version | --help\n"
		"\n"
		"A SIGTRAN M3UA signalling gateway. It stays in the foreground and logs to stderr.\n"
		"\n"
		"  -c, --config FILE    the configuration (%s)\n"
		"      --check FILE     print every error in FILE; start nothing\n"
		"      --dump FILE      print FILE in its canonical form, with every default\n"
		"      --config-reference  print what can be configured, as Markdown\n"
		"  -V, --version        print the version\n"
		"  -h, --help           print this\n"
		"\n"
		"SIGHUP reloads the configuration; SIGTERM and SIGINT take leave of the peers and end it.\n"
		"Exit status: %d in order, %d configuration not acceptable, %d bad arguments, %d could not "
		"start.\n",
		default_file, APP_OK, APP_BAD_CONFIG, APP_USAGE, APP_FAILED);
	return out == stdout ? APP_OK : APP_USAGE;
}

int main(int argc, char **argv)
{
	enum { CHECK = 256, DUMP, REFERENCE };
	static const struct option options[] = {
		{"config", required_argument, NULL, 'c'},
		{"check", required_argument, NULL, CHECK},
		{"dump", required_argument, NULL, DUMP},
		{"config-reference", no_argument, NULL, REFERENCE},
		{"version", no_argument, NULL, 'V'},
		{"help", no_argument, NULL, 'h'},
		{NULL, 0, NULL, 0},
	};
	const char *file = default_file;
	int opt;

	while ((opt = getopt_long(argc, argv, "c:Vh", options, NULL)) != -1) {
		switch (opt) {
		case 'c': file = optarg; break;
		case CHECK: return app_check(optarg);
		case DUMP: return app_dump(optarg);
		case REFERENCE: return app_reference();
		case 'V': return puts("signalboxd " PACKAGE_VERSION) < 0 ? APP_FAILED : APP_OK;
		case 'h': return usage(stdout);
		default: return usage(stderr);
		}
	}
	if (optind < argc)
		return usage(stderr);
	return app_run(file);
}
