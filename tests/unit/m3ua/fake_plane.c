/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_plane.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "m3ua/sg.h"
#include "wire/m3ua.h"

enum { FAKE_ASSOCS = 4096, FAKE_LISTENERS = 8, FAKE_MESSAGE = 8192, TEXT = 1 << 16 };

struct assoc {
	struct plane *plane;
	uint32_t id;
	char name[64];
	void *owner;
	struct tp_params params;
	enum assoc_state state;
	bool freed, restrained;
	uint32_t life;
	uint32_t txq;
	char text[TEXT / 4];
	uint8_t last[FAKE_MESSAGE + MBUF_HEADROOM];
	uint32_t last_len;
	uint16_t last_stream;
};

struct listener {
	struct plane *plane;
	char name[64];
	void *owner;
	unsigned permitted;
	bool closed;
};

struct plane {
	struct sg *sg;
	struct mbuf_pool *pool;
	struct fwd_table *table;
	unsigned publications;
	struct assoc *assocs[FAKE_ASSOCS];
	unsigned n_assocs;
	struct listener listeners[FAKE_LISTENERS];
	unsigned n_listeners;
	struct {
		void (*fn)(void *);
		void *arg;
	} grace[1024];
	unsigned n_grace;
	bool was_pending[64]; /* by target number */
	struct assoc *adopted;
	bool rejected;
	char journal[TEXT];
};

static void say(char *text, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void say(char *text, size_t size, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, size - used, fmt, ap);
	va_end(ap);
}

struct plane *fake_plane_new(struct sg *sg)
{
	struct plane *p = calloc(1, sizeof(*p));

	p->sg = sg;
	p->pool = mbuf_pool_new(4096, FAKE_MESSAGE);
	return p;
}

void fake_plane_free(struct plane *p)
{
	if (p->table)
		fwd_table_free(p->table);
	if (!mbuf_pool_free(p->pool))
		abort(); /* control kept a buffer */
	for (unsigned i = 0; i < p->n_assocs; i++)
		free(p->assocs[i]);
	free(p);
}

/* ---- the test's side ---- */

static void deliver(struct plane *p, const struct plane_event *ev)
{
	sg_on_event(p->sg, ev);
}

struct assoc *fake_arrive(struct plane *p, const char *listener, const char *ip, uint16_t port)
{
	struct tp_incoming in = {.n_addrs = 1, .remote_port = port};
	struct plane_event ev = {.kind = PE_INCOMING, .take_incoming = &in};

	if (tp_addr_parse(&in.addrs[0], ip) != SB_OK)
		abort();
	for (unsigned i = 0; i < p->n_listeners; i++)
		if (!strcmp(p->listeners[i].name, listener) && !p->listeners[i].closed)
			ev.listener = &p->listeners[i];
	if (!ev.listener)
		return NULL;
	p->adopted = NULL;
	deliver(p, &ev);
	sg_settle(p->sg);
	return p->adopted;
}

struct assoc *fake_assoc(struct plane *p, const char *name)
{
	for (unsigned i = p->n_assocs; i-- > 0;)
		if (!strcmp(p->assocs[i]->name, name))
			return p->assocs[i];
	return NULL;
}

void fake_event(
	struct plane *p, struct assoc *a, enum plane_event_kind kind, uint32_t value, const char *reason)
{
	struct plane_event ev = {
		.kind = kind, .assoc = a, .value = value, .in_streams = 16, .out_streams = 16};

	if (kind == PE_RESTART)
		a->life++;
	if (reason)
		snprintf(ev.reason, sizeof(ev.reason), "%s", reason);
	deliver(p, &ev);
	sg_settle(p->sg);
}

void fake_up(struct plane *p, struct assoc *a)
{
	a->state = ASSOC_UP;
	fake_event(p, a, PE_UP, 0, NULL);
}

void fake_down(struct plane *p, struct assoc *a, const char *reason)
{
	a->state = ASSOC_DOWN;
	fake_event(p, a, PE_DOWN, 0, reason);
}

static struct mbuf *received(struct plane *p, uint16_t stream, const uint8_t *bytes, uint32_t len)
{
	struct mbuf *m = mbuf_alloc(p->pool);

	if (!m)
		abort();
	memcpy(mbuf_head(m), bytes, len);
	m->len = len;
	m->stream = stream;
	m->ppid = TP_PPID_M3UA;
	return m;
}

void fake_rx_more(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len)
{
	struct plane_event ev = {
		.kind = PE_MESSAGE, .assoc = a, .take_mbuf = received(p, stream, bytes, len)};

	deliver(p, &ev);
}

void fake_rx(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len)
{
	fake_rx_more(p, a, stream, bytes, len);
	sg_settle(p->sg);
}

void fake_refused(struct plane *p, struct assoc *a, uint16_t stream, const uint8_t *bytes, uint32_t len,
	enum drop_reason reason, uint32_t value)
{
	struct plane_event ev = {.kind = PE_DATA_REFUSED,
		.assoc = a,
		.take_mbuf = received(p, stream, bytes, len),
		.reason_code = reason,
		.value = value};

	deliver(p, &ev);
	sg_settle(p->sg);
}

void fake_grace(struct plane *p)
{
	while (p->n_grace) {
		void (*fn)(void *) = p->grace[0].fn;
		void *arg = p->grace[0].arg;

		memmove(&p->grace[0], &p->grace[1], --p->n_grace * sizeof(p->grace[0]));
		fn(arg);
	}
}

bool fake_grace_pending(const struct plane *p)
{
	return p->n_grace > 0;
}

const char *fake_sent(struct assoc *a)
{
	static char text[sizeof(a->text)];

	memcpy(text, a->text, sizeof(text));
	a->text[0] = '\0';
	return text;
}

const uint8_t *fake_last(struct assoc *a, uint32_t *len, uint16_t *stream)
{
	*len = a->last_len;
	if (stream)
		*stream = a->last_stream;
	return a->last;
}

bool fake_freed(const struct assoc *a)
{
	return a->freed;
}

bool fake_restrained(const struct assoc *a)
{
	return a->restrained;
}

unsigned fake_publications(const struct plane *p)
{
	return p->publications;
}

bool fake_was_pending(const struct plane *p, uint32_t number)
{
	return number < 64 && p->was_pending[number];
}

unsigned fake_permitted(const struct plane *p, const char *listener)
{
	for (unsigned i = 0; i < p->n_listeners; i++)
		if (!strcmp(p->listeners[i].name, listener))
			return p->listeners[i].permitted;
	return 0;
}

unsigned fake_buffers_out(const struct plane *p)
{
	return mbuf_pool_in_use(p->pool);
}

const char *fake_journal(struct plane *p)
{
	static char text[TEXT];

	memcpy(text, p->journal, sizeof(text));
	p->journal[0] = '\0';
	return text;
}

void fake_note(struct plane *p, const char *who, const char *what)
{
	say(p->journal, sizeof(p->journal), "%s %s\n", who, what);
}

/* ---- plane.h ---- */

void plane_publish(struct plane *p, struct fwd_table *t)
{
	if (p->table)
		fwd_table_free(p->table);
	p->table = t;
	p->publications++;
	for (uint32_t i = 0; i < t->n_as && i < 64; i++)
		p->was_pending[i] |= t->as[i] && t->as[i]->state == FWD_AS_PENDING;
	say(p->journal, sizeof(p->journal), "table\n");
}

const struct fwd_table *plane_table(const struct plane *p)
{
	return p->table;
}

void plane_after_grace(struct plane *p, void (*fn)(void *arg), void *arg)
{
	if (p->n_grace == sizeof(p->grace) / sizeof(p->grace[0]))
		abort();
	p->grace[p->n_grace].fn = fn;
	p->grace[p->n_grace++].arg = arg;
}

struct mbuf *plane_mbuf(struct plane *p)
{
	return mbuf_alloc(p->pool);
}

void plane_free_mbuf(struct plane *p, struct mbuf *m)
{
	mbuf_free(p->pool, m);
}

struct listener *plane_listen(struct plane *p, const char *name, const struct tp_params *params, void *owner)
{
	struct listener *l = &p->listeners[p->n_listeners++];

	(void)params;
	*l = (struct listener){.plane = p, .owner = owner};
	snprintf(l->name, sizeof(l->name), "%s", name);
	return l;
}

enum sb_err listener_permit(struct listener *l, const union tp_addr *addrs, unsigned n)
{
	(void)addrs;
	l->permitted = n;
	return SB_OK;
}

void plane_unlisten(struct listener *l)
{
	l->closed = true;
}

void plane_reject(struct plane *p, struct tp_incoming *in)
{
	(void)in;
	p->rejected = true;
}

void *listener_owner(const struct listener *l)
{
	return l->owner;
}

static struct assoc *assoc_new(struct plane *p, const struct assoc_conf *conf)
{
	struct assoc *a = calloc(1, sizeof(*a));

	a->plane = p;
	a->id = p->n_assocs;
	a->owner = conf->owner;
	a->params = conf->params;
	snprintf(a->name, sizeof(a->name), "%s", conf->name);
	p->assocs[p->n_assocs++] = a;
	return a;
}

struct assoc *assoc_connect(struct plane *p, const struct assoc_conf *conf, char *why)
{
	(void)why;
	return assoc_new(p, conf);
}

struct assoc *assoc_adopt(struct plane *p, struct tp_incoming *in, const struct assoc_conf *conf, char *why)
{
	(void)in, (void)why;
	return p->adopted = assoc_new(p, conf);
}

void assoc_send(struct assoc *a, struct mbuf *m)
{
	char dump[512];

	if (a->freed || a->state != ASSOC_UP || m->ppid != TP_PPID_M3UA)
		abort();
	m3ua_dump(mbuf_head(m), m->len, dump, sizeof(dump));
	say(a->text, sizeof(a->text), "%s\n", dump);
	say(a->plane->journal, sizeof(a->plane->journal), "%s %s\n", a->name, dump);
	memcpy(a->last, mbuf_head(m), m->len);
	a->last_len = m->len;
	a->last_stream = m->stream;
	mbuf_free(a->plane->pool, m);
}

void assoc_forward(struct assoc *a, struct mbuf *m)
{
	assoc_send(a, m);
}

void assoc_restrain(struct assoc *a, bool on)
{
	a->restrained = on;
}

void assoc_shutdown(struct assoc *a)
{
	say(a->text, sizeof(a->text), "<shutdown>\n");
	a->state = ASSOC_CLOSING;
}

void assoc_abort(struct assoc *a, const char *why)
{
	say(a->text, sizeof(a->text), "<abort: %s>\n", why);
	a->state = ASSOC_CLOSING;
}

bool fake_named(const struct plane *p, const struct assoc *a)
{
	const struct fwd_table *t = p->table;

	return (t && a->id < t->n_ingress && t->ingress[a->id]) || fake_sends_to(p, a);
}

bool fake_sends_to(const struct plane *p, const struct assoc *a)
{
	const struct fwd_table *t = p->table;

	for (uint32_t i = 0; t && i < t->n_as; i++)
		for (uint16_t k = 0; t->as[i] && k < t->as[i]->n_slots; k++)
			if (t->as[i]->slots[k].assoc == a)
				return true;
	return false;
}

void assoc_free(struct assoc *a)
{
	if (a->freed || a->state != ASSOC_DOWN || fake_named(a->plane, a))
		abort();
	a->freed = true;
}

void assoc_stats(const struct assoc *a, struct assoc_stats *out)
{
	*out = (struct assoc_stats){.txq = a->txq, .txq_limit = 1000};
}

void fake_backlog(struct assoc *a, uint32_t messages)
{
	a->txq = messages;
}

uint32_t assoc_life(const struct assoc *a)
{
	return a->life;
}

uint32_t assoc_id(const struct assoc *a)
{
	return a->id;
}

void *assoc_owner(const struct assoc *a)
{
	return a->owner;
}

enum assoc_state assoc_state(const struct assoc *a)
{
	return a->state;
}

uint16_t assoc_in_streams(const struct assoc *a)
{
	(void)a;
	return 16;
}

uint16_t assoc_out_streams(const struct assoc *a)
{
	(void)a;
	return 16;
}
