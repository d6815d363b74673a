/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps. Everything is checked here, so that a script with a mistake in its last line sends nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "sim/keyval.h"
#include "sim/script_int.h"
#include "sim/script_m2pa.h"

/* The reading of one script. */
struct parse {
	struct script *s;
	struct lex *lex;
	char *err;
	unsigned nested;
};

/* Where steps are added. */
struct list {
	struct script_step ***steps;
	unsigned *n;
};

static bool fail(struct parse *p, const struct lex_line *at, const char *what)
{
	snprintf(p->err, SCRIPT_ERR, "%s: %s: %.200s", at->where, what, at->text);
	return false;
}

static struct script_step *step_new(
	struct parse *p, const struct lex_line *at, enum script_kind kind, struct list *to)
{
	struct script_step *st = talloc_zero(p->s, struct script_step);

	*st = (struct script_step){.kind = kind,
		.where = at->where,
		.text = at->text + strspn(at->text, " \t"),
		.ns = 0,
		.var = SCRIPT_NO_VAR};
	*to->steps = talloc_realloc(p->s, *to->steps, struct script_step *, *to->n + 1);
	(*to->steps)[(*to->n)++] = st;
	return st;
}

/* ---- header lines and endpoints ---- */

static bool header_line(struct parse *p, const struct lex_line *at)
{
	const char **texts[] = {&p->s->purpose, &p->s->clause, &p->s->config, &p->s->transport};
	static const char *const words[] = {"purpose:", "clause:", "config:", "transport:"};
	const char *rest = strchr(at->text, ':') + 1;

	for (unsigned i = 0; i < 4; i++) {
		if (strcmp(words[i], at->words[0]) != 0)
			continue;
		*texts[i] = rest + strspn(rest, " \t");
		return true;
	}
	if (strcmp(at->words[0], "variant:") != 0 || at->n != 2)
		return fail(p, at, "no such header");
	for (int v = 0; v < PC_VARIANTS; v++)
		if (!strcmp(pc_variant_name(v), at->words[1])) {
			p->s->variant = v;
			pc_format_default(v, &p->s->pc_format);
			return true;
		}
	return fail(p, at, "no such variant");
}

static int end_named(const struct script *s, const char *name, size_t len)
{
	for (unsigned i = 0; i < s->n_ends; i++)
		if (strlen(s->ends[i].name) == len && !memcmp(s->ends[i].name, name, len))
			return (int)i;
	return -1;
}

/* endpoint NAME [listen] [port=NUMBER] */
static bool endpoint_line(struct parse *p, const struct lex_line *at)
{
	struct script_endpoint *e = &p->s->ends[p->s->n_ends];

	if (p->s->n_ends == SCRIPT_ENDPOINTS || at->n < 2 || strlen(at->words[1]) >= SCRIPT_NAME ||
		strchr(at->words[1], ',') || end_named(p->s, at->words[1], strlen(at->words[1])) >= 0)
		return fail(p, at, "endpoint NAME [listen] [port=N], each name once");
	*e = (struct script_endpoint){.port = {.var = SCRIPT_NO_VAR}};
	memcpy(e->name, at->words[1], strlen(at->words[1]) + 1);
	for (unsigned i = 2; i < at->n; i++) {
		if (!strcmp(at->words[i], "listen"))
			e->listens = true;
		else if (strncmp(at->words[i], "port=", 5) != 0 ||
			 !value_num(p->s, at->words[i] + 5, 65535, &e->port))
			return fail(p, at, "endpoint NAME [listen] [port=N]");
	}
	if (e->listens && !e->port.n && e->port.var == SCRIPT_NO_VAR)
		return fail(p, at, "an endpoint that listens needs port=");
	p->s->n_ends++;
	return true;
}

/* ---- steps of one endpoint ---- */

/* What stands behind the endpoint's name: WORDS, up to N of them. */
struct rest {
	char **words;
	unsigned n;
};

typedef bool step_fn(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st);

static bool no_words(struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	bool needs_listen = st->kind == STEP_LISTEN || st->kind == STEP_UNLISTEN;

	if (r->n)
		return fail(p, at, "nothing may follow");
	if (needs_listen && !p->s->ends[st->end].listens)
		return fail(p, at, "this endpoint was not declared with listen");
	return true;
}

static bool message(
	struct parse *p, const struct lex_line *at, char **words, unsigned n, struct script_step *st)
{
	char why[SCRIPT_ERR];

	st->msg = talloc_zero(p->s, struct script_message);
	if (script_message_read(p->s, words, n, st->msg, why))
		return true;
	return fail(p, at, talloc_asprintf(p->s, "%s", why));
}

static bool send_step(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	return message(p, at, r->words, r->n, st);
}

/* expect nothing for TIME */
static bool nothing_step(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	st->kind = STEP_NOTHING;
	if (r->n == 3 && !strcmp(r->words[1], "for") && keyval_time(r->words[2], 1, &st->ns))
		return true;
	return fail(p, at, "expect nothing for TIME");
}

/* expect up|down|restart|MESSAGE [within TIME] */
static bool expect_step(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	static const struct {
		const char *word;
		enum script_kind kind;
	} events[] = {{"up", STEP_EXPECT_UP}, {"down", STEP_EXPECT_DOWN}, {"restart", STEP_EXPECT_RESTART}};
	unsigned n = r->n;

	if (n && !strcmp(r->words[0], "nothing"))
		return nothing_step(p, at, r, st);
	st->ns = p->s->within_ns;
	if (n > 2 && !strcmp(r->words[n - 2], "within")) {
		if (!keyval_time(r->words[n - 1], 1, &st->ns))
			return fail(p, at, "within TIME");
		n -= 2;
	}
	for (unsigned i = 0; n == 1 && i < 3; i++)
		if (!strcmp(events[i].word, r->words[0])) {
			st->kind = events[i].kind;
			return true;
		}
	return message(p, at, r->words, n, st);
}

static bool ignored_type(const char *word, uint16_t *out)
{
	*out = script_m2pa_type(word);
	return *out || message_type(word, out);
}

/* ignore TYPE... | ignore none */
static bool ignore_step(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	if (!r->n)
		return fail(p, at, "ignore MESSAGE..., or ignore none");
	if (r->n == 1 && !strcmp(r->words[0], "none"))
		return true;
	st->types = talloc_array(p->s, uint16_t, r->n);
	for (unsigned i = 0; i < r->n; i++)
		if (!ignored_type(r->words[i], &st->types[st->n_types++]))
			return fail(p, at, "no such message");
	return true;
}

static bool auto_step(
	struct parse *p, const struct lex_line *at, const struct rest *r, struct script_step *st)
{
	static const struct {
		const char *word;
		enum script_kind kind;
	} what[] = {{"beat", STEP_AUTO_BEAT}, {"slt", STEP_AUTO_SLT}, {"ack", STEP_AUTO_ACK}};

	st->on = r->n == 1;
	for (unsigned i = 0; i < sizeof(what) / sizeof(*what) && r->n; i++) {
		st->kind = what[i].kind;
		if (!strcmp(what[i].word, r->words[0]) &&
			(st->on || (r->n == 2 && !strcmp(r->words[1], "off"))))
			return true;
	}
	return fail(p, at, "auto beat|slt|ack [off]");
}

static const struct {
	const char *word;
	enum script_kind kind;
	step_fn *read;
} verbs[] = {
	{"connect", STEP_CONNECT, no_words},
	{"listen", STEP_LISTEN, no_words},
	{"unlisten", STEP_UNLISTEN, no_words},
	{"close", STEP_CLOSE, no_words},
	{"abort", STEP_ABORT, no_words},
	{"stall", STEP_STALL, no_words},
	{"resume", STEP_RESUME, no_words},
	{"send", STEP_SEND, send_step},
	{"expect", STEP_EXPECT, expect_step},
	{"ignore", STEP_IGNORE, ignore_step},
	{"auto", STEP_AUTO_BEAT, auto_step},
};

/* "a,b,c" or "all" as a set; 0: a name that is none. */
static uint32_t endpoints(const struct script *s, const char *names)
{
	uint32_t mask = 0;

	if (!strcmp(names, "all"))
		return (1u << s->n_ends) - 1;
	for (;;) {
		size_t len = strcspn(names, ",");
		int e = end_named(s, names, len);

		if (e < 0)
			return 0;
		mask |= 1u << e;
		if (!names[len])
			return mask;
		names += len + 1;
	}
}

/* NAME[,NAME] VERB ...: the same step for each, but one step for silence at all of them at once. */
static bool endpoint_step(struct parse *p, const struct lex_line *at, uint32_t mask, struct list *to)
{
	struct rest r = {(char **)at->words + 2, at->n > 2 ? at->n - 2 : 0};
	unsigned v = 0;

	while (v < sizeof(verbs) / sizeof(*verbs) && (at->n < 2 || strcmp(verbs[v].word, at->words[1]) != 0))
		v++;
	if (v == sizeof(verbs) / sizeof(*verbs))
		return fail(p, at, "no such step");
	for (unsigned e = 0; e < p->s->n_ends; e++) {
		struct script_step *st;

		if (!(mask & 1u << e))
			continue;
		st = step_new(p, at, verbs[v].kind, to);
		st->end = e;
		st->mask = mask;
		if (!verbs[v].read(p, at, &r, st))
			return false;
		if (st->kind == STEP_NOTHING)
			break;
	}
	return true;
}

/* ---- blocks and the rest ---- */

static bool read_steps(struct parse *p, const struct lex_line *opened, struct list *to);

static bool block(struct parse *p, const struct lex_line *at, unsigned brace, struct script_step *st)
{
	struct list inside = {&st->children, &st->n_children};

	if (at->n != brace + 1 || strcmp(at->words[brace], "{") != 0)
		return fail(p, at, "a block opens with { at the end of the line");
	if (!read_steps(p, at, &inside))
		return false;
	for (unsigned i = 0; st->kind != STEP_REPEAT && i < st->n_children; i++) {
		enum script_kind k = st->children[i]->kind;

		if (k != STEP_EXPECT && k != STEP_EXPECT_UP && k != STEP_EXPECT_DOWN &&
			k != STEP_EXPECT_RESTART)
			return fail(p, at, "only expect may stand in it");
		if (!i || st->children[i]->ns > st->ns)
			st->ns = st->children[i]->ns;
	}
	return st->n_children || fail(p, at, "the block is empty");
}

/* repeat N { ... }: $i counts from 0 */
static bool repeat_step(struct parse *p, const struct lex_line *at, struct list *to)
{
	struct script_step *st = step_new(p, at, STEP_REPEAT, to);
	uint64_t n;

	if (at->n < 2 || !keyval_number(at->words[1], 1, 1000000, &n))
		return fail(p, at, "repeat N {");
	st->count = (unsigned)n;
	st->var = script_var(p->s, "i", 1);
	if (st->var == SCRIPT_NO_VAR)
		return fail(p, at, "too many variables");
	return block(p, at, 2, st);
}

static bool wait_step(struct parse *p, const struct lex_line *at, struct list *to)
{
	struct script_step *st = step_new(p, at, STEP_WAIT, to);

	return (at->n == 2 && keyval_time(at->words[1], 1, &st->ns)) || fail(p, at, "wait TIME");
}

/* console "COMMAND": one word, so that a command of several stands in quotes */
static bool console_step(struct parse *p, const struct lex_line *at, struct list *to)
{
	struct script_step *st = step_new(p, at, STEP_CONSOLE, to);
	struct script_bytes text;

	if (at->n != 2)
		return fail(p, at, "console \"COMMAND\"");
	if (!value_text(p->s, at->words[1], &text))
		return fail(p, at, "no such text");
	st->command = talloc_strndup(p->s, (char *)text.p, text.len);
	st->var = script_var(p->s, "console", strlen("console"));
	return st->var != SCRIPT_NO_VAR || fail(p, at, "too many variables");
}

/* set NAME NUMBER */
static bool set_line(struct parse *p, const struct lex_line *at)
{
	struct script_num n;
	int v;

	if (at->n != 3 || !value_num(p->s, at->words[2], UINT32_MAX, &n) || n.var != SCRIPT_NO_VAR)
		return fail(p, at, "set NAME NUMBER");
	v = script_var(p->s, at->words[1], (unsigned)strlen(at->words[1]));
	if (v == SCRIPT_NO_VAR)
		return fail(p, at, "too many variables");
	p->s->vars[v].value = n.n;
	p->s->vars[v].set = true;
	return true;
}

static bool read_line(struct parse *p, const struct lex_line *at, struct list *to)
{
	const char *w = at->words[0];
	uint32_t mask;

	if (w[strlen(w) - 1] == ':')
		return header_line(p, at);
	if (!strcmp(w, "endpoint"))
		return endpoint_line(p, at);
	if (!strcmp(w, "set"))
		return set_line(p, at);
	if (!strcmp(w, "console"))
		return console_step(p, at, to);
	if (!strcmp(w, "wait"))
		return wait_step(p, at, to);
	if (!strcmp(w, "repeat"))
		return repeat_step(p, at, to);
	if (!strcmp(w, "unordered"))
		return block(p, at, 1, step_new(p, at, STEP_UNORDERED, to));
	if (!strcmp(w, "any-of"))
		return block(p, at, 1, step_new(p, at, STEP_ANY_OF, to));
	mask = endpoints(p->s, w);
	return mask ? endpoint_step(p, at, mask, to) : fail(p, at, "no such step or endpoint");
}

/* Up to the end of the script, or of the block that OPENED. */
static bool read_steps(struct parse *p, const struct lex_line *opened, struct list *to)
{
	struct lex_line *at = talloc(p->s, struct lex_line);
	int got;

	if (++p->nested > 8)
		return fail(p, opened, "blocks go too deep");
	while ((got = lex_next(p->lex, at, p->err)) > 0) {
		if (!strcmp(at->words[0], "}")) {
			p->nested--;
			return opened ? true : fail(p, at, "} without a block");
		}
		if (!read_line(p, at, to))
			return false;
	}
	p->nested--;
	return got == 0 && (!opened || fail(p, opened, "the block has no end"));
}

/* ---- the whole ---- */

/* "name=value" from the command line. */
static bool preset(struct script *s, const char *text, char *err)
{
	const char *eq = strchr(text, '=');
	uint64_t n;
	int v = eq ? script_var(s, text, (unsigned)(eq - text)) : SCRIPT_NO_VAR;

	if (v == SCRIPT_NO_VAR || !keyval_number(eq + 1, 0, UINT32_MAX, &n)) {
		snprintf(err, SCRIPT_ERR, "--set %s: not NAME=NUMBER", text);
		return false;
	}
	s->vars[v].value = (uint32_t)n;
	s->vars[v].set = true;
	return true;
}

/* Every variable that is used must come from somewhere: the command line, `set`, a capture, a loop. */
static void mark_captured(struct script *s, const struct script_param *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (v[i].want == SCRIPT_CAPTURE)
			s->vars[v[i].var].set = true;
		mark_captured(s, v[i].inside, v[i].n_inside);
	}
}

static void mark_m2pa(struct script *s, const struct script_m2pa *m)
{
	for (unsigned f = 0; f < SM_FIELDS; f++)
		if (m->want[f] == SCRIPT_CAPTURE)
			s->vars[m->num[f].var].set = true;
}

static void mark_steps(struct script *s, struct script_step *const *steps, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (steps[i]->msg && steps[i]->msg->stream_captured)
			s->vars[steps[i]->msg->stream.var].set = true;
		if (steps[i]->msg && steps[i]->msg->m2pa)
			mark_m2pa(s, steps[i]->msg->m2pa);
		if (steps[i]->msg)
			mark_captured(s, steps[i]->msg->params, steps[i]->msg->n_params);
		if (steps[i]->kind == STEP_REPEAT)
			s->vars[steps[i]->var].set = true;
		mark_steps(s, steps[i]->children, steps[i]->n_children);
	}
}

static bool all_known(struct script *s, const char *path, char *err)
{
	mark_steps(s, s->steps, s->n_steps);
	for (unsigned i = 0; i < s->n_vars; i++)
		if (!s->vars[i].set) {
			snprintf(err, SCRIPT_ERR, "%s: $%s never gets a value (--set %s=NUMBER)", path,
				s->vars[i].name, s->vars[i].name);
			return false;
		}
	if (!s->n_steps)
		snprintf(err, SCRIPT_ERR, "%s: no steps", path);
	return s->n_steps > 0;
}

struct script *script_load(const char *path, const char *const *set, unsigned n_set, char *err)
{
	struct script *s = talloc_zero(NULL, struct script);
	struct parse p = {.s = s, .err = err};
	struct list top = {&s->steps, &s->n_steps};
	bool ok = true;

	s->variant = PC_ITU;
	s->patience = 1;
	s->within_ns = 1000000000;
	pc_format_default(s->variant, &s->pc_format);
	for (unsigned i = 0; ok && i < n_set; i++)
		ok = preset(s, set[i], err);
	p.lex = ok ? lex_open(s, path, err) : NULL;
	if (p.lex && read_steps(&p, NULL, &top) && all_known(s, path, err))
		return s;
	talloc_free(s);
	return NULL;
}

void script_free(struct script *s)
{
	talloc_free(s);
}
