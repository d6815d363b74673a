/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.h"

#include <osmocom/core/application.h>
#include <osmocom/core/timer.h>
#include <osmocom/core/timer_compat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"

static uint64_t now_ns;

static void set_clock(uint64_t ns)
{
	now_ns = ns;
	clock_freeze_ns(ns);
	osmo_gettimeofday_override = true;
	osmo_gettimeofday_override_time = (struct timeval){
		.tv_sec = (time_t)(ns / 1000000000u), .tv_usec = (suseconds_t)(ns % 1000000000u / 1000)};
	osmo_clock_override_enable(CLOCK_MONOTONIC, true);
	*osmo_clock_override_gettimespec(CLOCK_MONOTONIC) =
		(struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
}

static uint32_t no_jitter(void)
{
	return 0;
}

struct asp_conf *rig_asp(struct rig *r, const char *name, const char *ip)
{
	struct asp_conf *c = &r->asps[r->conf.n_asps++];

	*c = (struct asp_conf){.name = talloc_strdup(r->names, name),
		.side = ASP_SERVER,
		.txq_limit = 1000,
		.t_ack_ms = 2000,
		.t_ack_retries = 3};
	tp_params_default(&c->tp);
	assert_int_equal(tp_addr_parse(&c->tp.remote[0], ip), SB_OK);
	c->tp.n_remote = 1;
	c->reconnect_min_ms = 1000;
	c->reconnect_max_ms = 8000;
	return c;
}

struct as_conf *rig_as(struct rig *r, const char *name, uint32_t rc, uint32_t dpc, int mode)
{
	unsigned i = r->conf.n_ass++;
	struct as_conf *c = &r->ass[i];

	r->keys[i][0] = (struct key_conf){.dpc = dpc};
	*c = (struct as_conf){.name = talloc_strdup(r->names, name),
		.network = "national",
		.has_rc = true,
		.rc = rc,
		.keys = r->keys[i],
		.n_keys = 1,
		.mode = mode,
		.t_r_ms = 2000,
		.pending_limit = 100,
		.min_asps = 1,
		.asps = r->members[i]};
	return c;
}

void rig_member(struct rig *r, struct as_conf *as, const char *asp)
{
	r->members[as - r->ass][as->n_asps++] = talloc_strdup(r->names, asp);
}

struct as_conf *rig_as_conf(struct rig *r, const char *name)
{
	for (unsigned i = 0; i < r->conf.n_ass; i++)
		if (!strcmp(r->ass[i].name, name))
			return &r->ass[i];
	return NULL;
}

struct asp_conf *rig_asp_conf(struct rig *r, const char *name)
{
	for (unsigned i = 0; i < r->conf.n_asps; i++)
		if (!strcmp(r->asps[i].name, name))
			return &r->asps[i];
	return NULL;
}

struct rig *rig_new(void)
{
	struct rig *r = calloc(1, sizeof(*r));
	struct as_conf *as;

	r->names = talloc_new(NULL);
	set_clock(1000000000000u);
	r->conf = (struct sg_conf){.networks = r->networks,
		.n_networks = 1,
		.listeners = r->listeners,
		.n_listeners = 1,
		.templates = r->templates,
		.asps = r->asps,
		.ass = r->ass};
	r->networks[0] = (struct network_conf){.name = "national", .variant = PC_ITU, .ni = 2, .t8_ms = 1000};
	r->listeners[0] = (struct listener_conf){.name = "asps"};
	rig_asp(r, "hlr-1", "127.0.0.1");
	rig_asp(r, "hlr-2", "127.0.0.2");
	rig_asp(r, "msc-1", "127.0.0.3");
	rig_asp(r, "msc-2", "127.0.0.4");
	as = rig_as(r, "hlr", 10, 11, FWD_LOADSHARE);
	rig_member(r, as, "hlr-1");
	rig_member(r, as, "hlr-2");
	as = rig_as(r, "msc", 20, 22, FWD_OVERRIDE);
	rig_member(r, as, "msc-1");
	rig_member(r, as, "msc-2");
	return r;
}

/* What control logs is not under test; libosmocore's logging starts once in a process. */
static void silence(void)
{
	static bool done;

	if (done)
		return;
	done = true;
	log_setup(NULL);
	log_target_destroy(osmo_stderr_target);
	osmo_stderr_target = NULL;
}

void rig_start(struct rig *r)
{
	silence();
	r->sg = sg_new(NULL);
	r->plane = fake_plane_new(r->sg);
	sg_set_plane(r->sg, r->plane);
	sg_set_random(r->sg, no_jitter);
	sg_apply(r->sg, &r->conf, NULL, 0);
	fake_grace(r->plane);
}

void rig_free(struct rig *r)
{
	struct asp *asp;

	if (r->sg) {
		fake_grace(r->plane);
		llist_for_each_entry (asp, sg_asps(r->sg), entry)
			out_purge(asp);
		fake_plane_free(r->plane);
		sg_free(r->sg);
	}
	talloc_free(r->names);
	free(r);
}

/* ---- peers ---- */

struct assoc *rig_connect(struct rig *r, const char *asp)
{
	char ip[TP_ADDR_STR];
	struct assoc *a;

	tp_addr_str(&rig_asp_conf(r, asp)->tp.remote[0], ip, sizeof(ip));
	a = fake_arrive(r->plane, "asps", ip, 5000);
	assert_non_null(a);
	fake_up(r->plane, a);
	return a;
}

struct assoc *rig_up(struct rig *r, const char *asp)
{
	struct assoc *a = rig_connect(r, asp);

	rig_say(r, a, "ASPUP");
	rig_forget(r);
	return a;
}

struct assoc *rig_active(struct rig *r, const char *asp)
{
	struct assoc *a = rig_up(r, asp);

	rig_say(r, a, "ASPAC");
	rig_forget(r);
	return a;
}

/* The dump has the same keys for the parameters of REG RSP and DEREG RSP: here the latter have a "d". */
static const struct m3ua_tag_rule *tag_of(const char *key)
{
	const struct m3ua_tag_rule *t;

	if (!strcmp(key, "dresult"))
		return m3ua_tag_rule(M3UA_P_DEREG_RESULT);
	if (!strcmp(key, "dstatus"))
		return m3ua_tag_rule(M3UA_P_DEREG_STATUS);
	for (unsigned i = 0; (t = m3ua_tag_rule_at(i)); i++)
		if (!strcmp(t->key, key))
			return t;
	fail_msg("no parameter has the key %s", key);
	return NULL;
}

static uint16_t type_of(const char *name)
{
	const struct m3ua_message_rule *m;

	for (unsigned i = 0; (m = m3ua_message_rule_at(i)); i++)
		if (!strcmp(m->name, name))
			return m->type;
	fail_msg("no message is called %s", name);
	return 0;
}

/* "5", "257/3" (mask), "1/3" (halves). */
static uint32_t number(const struct m3ua_tag_rule *t, const char *text)
{
	char *end;
	uint32_t v = (uint32_t)strtoul(text, &end, 0),
		 w = *end == '/' ? (uint32_t)strtoul(end + 1, NULL, 0) : 0;

	if (t->shape == M3UA_SHAPE_HALVES)
		return v << 16 | w;
	if (t->shape == M3UA_SHAPE_PC_LIST)
		return m3ua_apc_pack((uint8_t)w, v);
	return v;
}

static void put_param(struct wr *w, char *text)
{
	char *value = strchr(text, '='), *save = NULL;
	const struct m3ua_tag_rule *t;
	uint32_t list[2048], n = 0;
	uint8_t octets[2048];

	*value++ = '\0';
	if (!strncmp(text, "0x", 2)) { /* a parameter that the dictionary does not know */
		m3ua_put_bytes(w, (uint16_t)strtoul(text, NULL, 16), value, (uint32_t)strlen(value));
		return;
	}
	t = tag_of(text);
	if (t->shape == M3UA_SHAPE_BYTES || t->shape == M3UA_SHAPE_TEXT) {
		m3ua_put_bytes(w, t->tag, value, (uint32_t)strlen(value));
		return;
	}
	for (char *v = strtok_r(value, ",", &save); v; v = strtok_r(NULL, ",", &save))
		list[n++] = number(t, v);
	if (t->shape != M3UA_SHAPE_U8_LIST) {
		m3ua_put_list(w, t->tag, list, n);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		octets[i] = (uint8_t)list[i];
	m3ua_put_bytes(w, t->tag, octets, n);
}

uint32_t rig_encode(uint8_t *out, uint32_t cap, const char *text)
{
	char copy[8192], *save = NULL, *word;
	uint8_t *opened = NULL;
	struct wr w = wr_over(out, cap);

	snprintf(copy, sizeof(copy), "%s", text);
	word = strtok_r(copy, " ", &save);
	m3ua_begin(&w, type_of(word));
	while ((word = strtok_r(NULL, " ", &save))) {
		char *brace = strstr(word, "={");

		if (brace) {
			*brace = '\0';
			opened = m3ua_open(&w, tag_of(word)->tag);
		} else if (!strcmp(word, "}")) {
			m3ua_close(&w, opened);
		} else {
			put_param(&w, word);
		}
	}
	return m3ua_end(&w);
}

void rig_say_on(struct rig *r, struct assoc *a, uint16_t stream, const char *text)
{
	uint8_t bytes[8192];
	uint32_t len = rig_encode(bytes, sizeof(bytes), text);

	assert_true(len > 0);
	fake_rx(r->plane, a, stream, bytes, len);
}

void rig_say(struct rig *r, struct assoc *a, const char *text)
{
	rig_say_on(r, a, 0, text);
}

void rig_say_more(struct rig *r, struct assoc *a, const char *text)
{
	uint8_t bytes[8192];
	uint32_t len = rig_encode(bytes, sizeof(bytes), text);

	assert_true(len > 0);
	fake_rx_more(r->plane, a, 0, bytes, len);
}

/* Without " diag=...": it is checked where it matters. */
static void without_diagnostics(char *text)
{
	char *at;

	while ((at = strstr(text, " diag="))) {
		char *end = at + strcspn(at + 1, " \n") + 1;

		memmove(at, end, strlen(end) + 1);
	}
}

void rig_expect_at(struct assoc *a, const char *text, const char *file, int line)
{
	char *got = strdup(fake_sent(a)), want[4096];

	without_diagnostics(got);
	snprintf(want, sizeof(want), "%s%s", text, *text ? "\n" : "");
	if (strcmp(got, want)) {
		fprintf(stderr, "%s:%d: sent:\n%sexpected:\n%s", file, line, got, want);
		free(got);
		_fail(file, line);
	}
	free(got);
}

void rig_forget(struct rig *r)
{
	struct asp *asp;

	fake_grace(r->plane);
	llist_for_each_entry (asp, sg_asps(r->sg), entry)
		if (asp->assoc)
			fake_sent(asp->assoc);
	fake_journal(r->plane);
}

void rig_pass_ms(struct rig *r, uint64_t ms)
{
	(void)r;
	for (uint64_t i = 0; i < ms; i++) {
		set_clock(now_ns + 1000000);
		osmo_timers_prepare();
		osmo_timers_update();
	}
}

/* ---- looking inside ---- */

enum as_state rig_as_state(struct rig *r, const char *as)
{
	return sg_as_by_name(r->sg, as)->state;
}

enum asp_state rig_state(struct rig *r, const char *as, const char *asp)
{
	struct as_asp *m;

	llist_for_each_entry (m, &sg_as_by_name(r->sg, as)->asps, in_as)
		if (!strcmp(m->asp->name, asp))
			return m->state;
	fail_msg("%s is not in %s", asp, as);
	return ASP_DOWN;
}

const struct fwd_as *rig_table_as(struct rig *r, const char *as)
{
	return plane_table(r->plane)->as[sg_as_by_name(r->sg, as)->number];
}

bool rig_accepts(struct rig *r, struct assoc *a, uint32_t rc)
{
	const struct fwd_table *t = plane_table(r->plane);
	const struct fwd_ingress *in = assoc_id(a) < t->n_ingress ? t->ingress[assoc_id(a)] : NULL;

	for (unsigned i = 0; in && i < in->n; i++)
		if (in->rcs[i].rc == rc)
			return in->rcs[i].active;
	return false;
}
