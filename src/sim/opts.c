/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim/opts.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/opts_rows.h"

enum { MS = 1000000 };

static struct opts *opts_new(void)
{
	struct opts *o = calloc(1, sizeof(*o));

	if (!o)
		return NULL;
	tp_params_default(&o->tp);
	o->tp.remote_port = 2905; /* RFC 4666 s.1.4.8 */
	o->drain_ns = 2000ull * MS;
	o->settle_ns = 200ull * MS;
	o->connect_ns = 10000ull * MS;
	o->t_ack_ns = 2000ull * MS; /* RFC 4666 s.4.3.4.1 */
	o->divert_ns = 100ull * MS;
	o->max_message = 8192;
	o->buffers = 32768;
	o->queue = 1024;
	return o;
}

void opts_free(struct opts *o)
{
	for (unsigned i = 0; o && i < o->n_flows; i++)
		free((char *)o->flow[i].replay);
	for (unsigned i = 0; o && i < o->n_nodes; i++)
		free((char *)o->node[i].behind_text);
	free(o);
}

/* getopt's table, made from ours: value = row + 256, so that it is no letter. */
static void fill_long(struct option *out)
{
	for (unsigned i = 0; i < opts_n_rows; i++)
		out[i] = (struct option){.name = opts_rows[i].key,
			.has_arg = opts_rows[i].parse == keyval_flag ? no_argument : required_argument,
			.val = 256 + (int)i};
	out[opts_n_rows] = (struct option){.name = NULL};
}

static const struct keyval_row *row_named(const char *key)
{
	for (unsigned i = 0; i < opts_n_rows; i++)
		if (!strcmp(opts_rows[i].key, key))
			return &opts_rows[i];
	return NULL;
}

static const struct keyval_row *row_of(int c)
{
	static const struct {
		int letter;
		const char *key;
	} letters[] = {{'v', "verbose"}, {'q', "quiet"}, {'h', "help"}, {'V', "version"}};

	if (c >= 256)
		return &opts_rows[c - 256];
	for (size_t i = 0; i < sizeof(letters) / sizeof(*letters); i++)
		if (letters[i].letter == c)
			return row_named(letters[i].key);
	return NULL;
}

static bool read_argv(struct opts *o, int argc, char **argv, char *err)
{
	struct option longs[OPTS_MAX_ROWS + 1];
	const struct keyval_row *row;
	char why[KEYVAL_ERR];
	int c;

	fill_long(longs);
	optind = 0; /* starts again: the tests call this more than once */
	while ((c = getopt_long(argc, argv, ":vqhV", longs, NULL)) != -1) {
		if (c == '?' || c == ':') {
			snprintf(err, KEYVAL_ERR, "%s: %s", argv[optind - 1],
				c == '?' ? "no such option (see --help)" : "needs a value");
			return false;
		}
		row = row_of(c);
		if (!keyval_apply(row, optarg, o, why)) {
			snprintf(err, KEYVAL_ERR, "--%.250s", why);
			return false;
		}
	}
	if (optind < argc) {
		snprintf(err, KEYVAL_ERR, "\"%s\" is not an option", argv[optind]);
		return false;
	}
	return true;
}

struct opts *opts_parse(int argc, char **argv, char *err)
{
	struct opts *o = opts_new();

	if (!o) {
		snprintf(err, KEYVAL_ERR, "no memory");
		return NULL;
	}
	if (!read_argv(o, argc, argv, err) || (!o->help && !o->version && !opts_resolve(o, err))) {
		opts_free(o);
		return NULL;
	}
	return o;
}

void opts_help(FILE *out)
{
	fputs("Usage: ss7sim --gateway ADDRESS --as LIST... --node LIST... --flow LIST... [OPTION]...\n"
	      "       ss7sim --gateway ADDRESS --script FILE [OPTION]...\n"
	      "Plays M3UA ASPs and SS7 nodes around a signaling gateway, sends test traffic through it and "
	      "judges what arrives.\n"
	      "Exit status: 0 no loss, repetition, reordering or corruption; 1 the verdict is bad; 2 usage, "
	      "or the\n"
	      "ASPs could not be brought up. Times take a unit: us, ms, s, m.\n\nOptions:\n",
		out);
	for (unsigned i = 0; i < opts_n_rows; i++) {
		fprintf(out, "  --%-18s %s", opts_rows[i].key, opts_rows[i].help);
		if (opts_rows[i].want)
			fprintf(out, " (%s)", opts_rows[i].want);
		fputc('\n', out);
	}
	fputs("\n--as takes:\n", out);
	for (unsigned i = 0; i < opts_n_as_rows; i++)
		fprintf(out, "  %-20s %s\n", opts_as_rows[i].key, opts_as_rows[i].help);
	fputs("\n--node takes:\n", out);
	for (unsigned i = 0; i < opts_n_node_rows; i++)
		fprintf(out, "  %-20s %s\n", opts_node_rows[i].key, opts_node_rows[i].help);
	fputs("\n--flow takes:\n", out);
	for (unsigned i = 0; i < opts_n_flow_rows; i++)
		fprintf(out, "  %-20s %s\n", opts_flow_rows[i].key, opts_flow_rows[i].help);
	fputs("\nExample: two ASs of two ASPs each, 1,000 messages/s each way for 5 s\n"
	      "  ss7sim --transport tcp --gateway 127.0.0.1 --as "
	      "name=hlr,rc=10,pc=1-2-3,asps=2,local-port=5001 \\\n"
	      "    --as name=msc,rc=20,pc=1-2-4,asps=2,local-port=5003 --flow from=hlr,to=msc,rate=1000 \\\n"
	      "    --flow from=msc,to=hlr,rate=1000 --duration 5\n",
		out);
}
