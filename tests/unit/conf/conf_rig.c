/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf_rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <unistd.h>

void rig_write(const char *dir, const char *name, const char *text)
{
	char *path = talloc_asprintf(NULL, "%s/%s", dir, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	fclose(f);
	talloc_free(path);
}

char *rig_dir(void)
{
	char *dir = talloc_strdup(NULL, "/tmp/signalbox-conf-XXXXXX");

	assert_non_null(mkdtemp(dir));
	return dir;
}

void rig_dir_remove(char *take_dir)
{
	DIR *d = opendir(take_dir);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		char *path = talloc_asprintf(take_dir, "%s/%s", take_dir, e->d_name);

		if (e->d_name[0] != '.' && unlink(path))
			rmdir(path);
	}
	if (d)
		closedir(d);
	rmdir(take_dir);
	talloc_free(take_dir);
}

struct conf *rig_load(const char *text, char **findings)
{
	char *dir = rig_dir(), *path = talloc_asprintf(dir, "%s/x.conf", dir), *all = talloc_strdup(NULL, "");
	struct conf_errors errors;
	struct conf *c;

	rig_write(dir, "x.conf", text);
	c = conf_load(path, &errors);
	for (unsigned i = 0; i < errors.n; i++)
		all = talloc_asprintf_append(all, "%u: %s: %s\n", errors.list[i].line,
			errors.list[i].warning ? "warning" : "error", errors.list[i].text);
	conf_errors_free(&errors);
	rig_dir_remove(dir);
	if (findings)
		*findings = all;
	else
		talloc_free(all);
	return c;
}

struct conf *rig_must_load(const char *text)
{
	char *findings;
	struct conf *c = rig_load(text, &findings);

	if (!c)
		print_error("%s\n%s", text, findings);
	assert_non_null(c);
	talloc_free(findings);
	return c;
}

void rig_expect(const char *text, const char *expected)
{
	char *findings;
	struct conf *c = rig_load(text, &findings);

	assert_string_equal(findings, expected);
	assert_int_equal(c == NULL, strstr(expected, ": error: ") != NULL);
	conf_free(c);
	talloc_free(findings);
}

char *rig_dump(const struct conf *c)
{
	char *buf = NULL, *text;
	size_t n;
	FILE *f = open_memstream(&buf, &n);

	conf_dump(c, f);
	fclose(f);
	text = talloc_strdup(NULL, buf);
	free(buf);
	return text;
}

static const char *or_nothing(const char *text)
{
	return text ? text : "";
}

char *rig_text(const struct rig_parts *p)
{
	return talloc_asprintf(NULL,
		"node = { %s };\n"
		"console = { %s };\n"
		"log = { %s };\n"
		"sctp = { %s };\n"
		"networks = ( { name = \"nat\"; %s } %s );\n"
		"listeners = ( { name = \"lis\"; %s sctp = { %s }; } %s );\n"
		"asps = ( { name = \"srv\"; remote-addresses = ( \"127.0.0.1\" ); %s },\n"
		"  { name = \"cli\"; side = \"client\"; remote-addresses = ( \"127.0.0.2\" ); %s } %s );\n"
		"application-servers = ( { name = \"as\"; network = \"nat\"; asps = ( \"srv\", \"cli\" ); "
		"%s\n"
		"  routing-keys = ( { dpc = 100; %s } %s ); } %s );\n"
		"routes = ( %s );\n"
		"%s",
		or_nothing(p->node), or_nothing(p->console), or_nothing(p->log), or_nothing(p->sctp),
		or_nothing(p->network), or_nothing(p->more_networks), or_nothing(p->listener),
		or_nothing(p->listener_sctp), or_nothing(p->more_listeners), or_nothing(p->server),
		or_nothing(p->client), or_nothing(p->more_asps), or_nothing(p->as), or_nothing(p->key),
		or_nothing(p->more_keys), or_nothing(p->more_as), or_nothing(p->routes), or_nothing(p->top));
}
