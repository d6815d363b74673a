/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "level2.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../m3ua/fake_plane.h"
#include "data/m2pa.h"
#include "wire/mtp3_snm.h"

enum { LINKS = 32, TEXT = 4096 };

struct m2pa_link {
	const struct m2pa_link_conf *conf;
	const struct m2pa_link_ops *ops;
	void *user;
	struct assoc *assoc;
	bool started, up;
	enum l2_memory memory;
	uint32_t bsnt;
	char said[TEXT];
};

/* There is one gateway at a time: the links are the process's. */
static struct {
	struct plane *plane;
	struct m2pa_link *links[LINKS];
	bool shut, gone, adopts;
	char listener[32];
	unsigned events;
	enum plane_event_kind last;
} l2;

static void say(struct m2pa_link *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void say(struct m2pa_link *l, const char *fmt, ...)
{
	size_t n = strlen(l->said);
	va_list ap;

	if (n)
		l->said[n++] = ' ';
	va_start(ap, fmt);
	vsnprintf(l->said + n, sizeof(l->said) - n, fmt, ap);
	va_end(ap);
	fake_note(l2.plane, l->conf->name, l->said + n);
}

/* ---- the test's side ---- */

const char *l2_said(struct m2pa_link *l)
{
	static char text[TEXT];

	memcpy(text, l->said, sizeof(text));
	l->said[0] = '\0';
	return text;
}

void l2_forget(void)
{
	for (unsigned i = 0; i < LINKS; i++)
		if (l2.links[i])
			l2.links[i]->said[0] = '\0';
}

void l2_remembers(struct m2pa_link *l, enum l2_memory how, uint32_t bsnt)
{
	l->memory = how;
	l->bsnt = bsnt;
}

void l2_up(struct m2pa_link *l)
{
	if (!l->started)
		abort();
	l->up = true;
	l->ops->in_service(l->user);
}

void l2_fail(struct m2pa_link *l, const char *reason)
{
	l->started = l->up = false;
	l->ops->out_of_service(l->user, reason);
}

void l2_bsnt(struct m2pa_link *l, uint32_t bsnt)
{
	l->ops->bsnt(l->user, bsnt);
}

void l2_remote_outage(struct m2pa_link *l, bool out)
{
	l->ops->remote_outage(l->user, out);
}

bool l2_flush_due(struct m2pa_link *l)
{
	return l->ops->flush_due(l->user);
}

void l2_congestion(struct m2pa_link *l, unsigned level)
{
	l->ops->congestion(l->user, level);
}

static struct mbuf *msu_of(const uint8_t *msu, uint32_t len)
{
	struct mbuf *m = plane_mbuf(l2.plane);

	if (!m)
		abort();
	memcpy(mbuf_head(m), msu, len);
	m->len = len;
	return m;
}

void l2_give_back(struct m2pa_link *l, const uint8_t *msu, uint32_t len)
{
	l->ops->retrieved(l->user, msu_of(msu, len));
}

void l2_given_back(struct m2pa_link *l, uint32_t n)
{
	l->ops->retrieval_done(l->user, n);
}

void l2_message(struct m2pa_link *l, const uint8_t *msu, uint32_t len)
{
	l->ops->message(l->user, msu_of(msu, len));
}

void l2_refused(struct m2pa_link *l, const uint8_t *msu, uint32_t len, enum drop_reason why)
{
	l->ops->refused(l->user, msu_of(msu, len), why, 0);
}

void l2_shown(struct m2pa_link *l, const uint8_t *head, uint32_t len, uint8_t mp)
{
	l->ops->congested(l->user, msu_of(head, len), mp);
}

void l2_all_gone(bool gone)
{
	l2.gone = gone;
}

const char *l2_incoming(bool adopt)
{
	static char text[sizeof(l2.listener)];

	memcpy(text, l2.listener, sizeof(text));
	l2.listener[0] = '\0';
	l2.adopts = adopt;
	return text;
}

unsigned l2_events(enum plane_event_kind *last)
{
	*last = l2.last;
	return l2.events;
}

/* ---- m2pa/link.h ---- */

const struct counter_row m2pa_link_counter_rows[M2LC_COUNT];

struct m2pa_link *m2pa_link_new(
	struct m2pa_links *ls, const struct m2pa_link_conf *conf, const struct m2pa_link_ops *ops, void *user)
{
	struct m2pa_link *l = calloc(1, sizeof(*l));
	unsigned i = 0;

	(void)ls;
	*l = (struct m2pa_link){.conf = conf, .ops = ops, .user = user};
	l->assoc =
		assoc_connect(l2.plane, &(struct assoc_conf){.name = conf->name, .proto = ASSOC_M2PA}, NULL);
	while (l2.links[i])
		i++;
	l2.links[i] = l;
	return l;
}

/* A worker would still send to it, or take from it. */
static void assert_unnamed(const struct m2pa_link *l)
{
	if (fake_named(l2.plane, l->assoc))
		abort();
}

void m2pa_link_remove(struct m2pa_link *l)
{
	assert_unnamed(l);
	for (unsigned i = 0; i < LINKS; i++)
		if (l2.links[i] == l)
			l2.links[i] = NULL;
	free(l);
}

void m2pa_link_reconfigure(struct m2pa_link *l, const struct m2pa_link_conf *conf)
{
	l->conf = conf;
	say(l, "reconfigure");
}

void m2pa_link_start(struct m2pa_link *l, bool emergency)
{
	assert_unnamed(l);
	l->started = true;
	say(l, emergency ? "start!" : "start");
}

void m2pa_link_stop(struct m2pa_link *l)
{
	bool was = l->started;

	say(l, "stop");
	l->started = l->up = false;
	if (was)
		l->ops->out_of_service(l->user, "stopped");
}

void m2pa_link_emergency(struct m2pa_link *l, bool emergency)
{
	say(l, emergency ? "emergency" : "emergency-ceases");
}

void m2pa_link_processor_outage(struct m2pa_link *l, bool out, bool flush)
{
	if (out)
		say(l, "outage");
	else
		say(l, "recover:%u", flush);
}

bool m2pa_link_send(struct m2pa_link *l, struct mbuf *m)
{
	struct mtp3_label label;
	struct snm s;

	if (snm_read(mbuf_head(m), m->len, PC_ITU, &label, &s) == MTP3_OK) {
		uint32_t about = s.id == SNM_XCO || s.id == SNM_XCA ? s.fsn : s.dest;

		say(l, about ? "%s:%u" : "%s", snm_name(s.id), about);
	} else if (mtp3_head_read(mbuf_head(m), m->len, PC_ITU, &label) == MTP3_OK) {
		say(l, "%u#%u", label.sls, mbuf_head(m)[mtp3_head_len(PC_ITU)]);
	}
	plane_free_mbuf(l2.plane, m);
	return true;
}

bool m2pa_link_retrieve_bsnt(struct m2pa_link *l)
{
	if (l->memory == L2_ANSWERS)
		l->ops->bsnt(l->user, l->bsnt);
	return l->memory != L2_HAS_NONE;
}

bool m2pa_link_retrieve(struct m2pa_link *l, uint32_t fsnc)
{
	if (!l->up)
		assert_unnamed(l);
	else if (fake_sends_to(l2.plane, l->assoc)) /* in processor outage it still receives */
		abort();
	if (fsnc == M2PA_NO_FSNC)
		say(l, "retrieve:unsent");
	else
		say(l, "retrieve:%u", fsnc);
	return l->memory != L2_HAS_NONE;
}

void m2pa_link_restart(struct m2pa_link *l)
{
	say(l, "restart");
}

void m2pa_link_info(const struct m2pa_link *l, struct m2pa_link_info *out)
{
	*out = (struct m2pa_link_info){.conf = l->conf,
		.state = l->up ? M2PA_LINK_IN_SERVICE : M2PA_LINK_OUT_OF_SERVICE,
		.assoc = l->assoc};
}

const char *m2pa_link_state_name(enum m2pa_link_state s)
{
	return s == M2PA_LINK_IN_SERVICE ? "in-service" : "out-of-service";
}

struct assoc *m2pa_link_assoc(const struct m2pa_link *l)
{
	return l->assoc;
}

struct m2pa_links *m2pa_links_new(void *talloc_ctx)
{
	(void)talloc_ctx;
	memset(&l2, 0, sizeof(l2));
	return (struct m2pa_links *)&l2;
}

void m2pa_links_set_plane(struct m2pa_links *ls, struct plane *p)
{
	(void)ls;
	l2.plane = p;
}

void m2pa_links_free(struct m2pa_links *ls)
{
	(void)ls;
	for (unsigned i = 0; i < LINKS; i++)
		free(l2.links[i]);
	memset(&l2, 0, sizeof(l2));
}

void m2pa_links_on_event(struct m2pa_links *ls, const struct plane_event *ev)
{
	(void)ls;
	l2.last = ev->kind;
	l2.events++;
}

bool m2pa_links_incoming(struct m2pa_links *ls, const char *listener, struct tp_incoming *in)
{
	(void)ls, (void)in;
	snprintf(l2.listener, sizeof(l2.listener), "%s", listener);
	return l2.adopts;
}

void m2pa_links_shutdown(struct m2pa_links *ls)
{
	(void)ls;
	l2.shut = true;
	for (unsigned i = 0; i < LINKS; i++)
		if (l2.links[i])
			say(l2.links[i], "shutdown");
}

bool m2pa_links_are_gone(const struct m2pa_links *ls)
{
	(void)ls;
	return l2.shut && l2.gone;
}
