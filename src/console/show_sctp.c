/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show sctp offload: who computes CRC32c: which devices could, and who does for each association. */
#include "console/holder.h"
#include "console/show.h"
#include "data/plane.h"
#include "m3ua/sg.h"
#include "sctp/embedded.h"
#include "sctp/offload.h"

enum { MAX_LOCAL = 64, MAX_DEVICES = 64 };

struct locals {
	union tp_addr addrs[MAX_LOCAL];
	unsigned n;
	bool any; /* one of them is every address of this machine */
};

static void add_locals(struct locals *l, const struct tp_params *p)
{
	l->any = l->any || !p->n_local;
	for (unsigned i = 0; i < p->n_local && l->n < MAX_LOCAL; i++)
		l->addrs[l->n++] = p->local[i];
}

static void add_client(void *arg, const struct holder *h)
{
	if (h->client)
		add_locals(arg, h->tp);
}

/* Every local address that carries signalling. */
static void gather_locals(struct show *s, struct locals *l)
{
	struct sg_listener *ls;

	llist_for_each_entry (ls, sg_listeners(s->sg), entry)
		add_locals(l, &ls->conf->tp);
	holder_each(s, add_client, l);
}

static void walk_devices(struct show *s)
{
	struct offload_device devices[MAX_DEVICES];
	struct locals l = {.n = 0};

	gather_locals(s, &l);
	unsigned n = offload_list(l.addrs, l.any ? 0 : l.n, devices, MAX_DEVICES);
	walk_table(s->w, "devices");
	for (unsigned i = 0; i < n; i++) {
		const struct offload_device *d = &devices[i];
		walk_object(s->w, NULL);
		walk_str(s->w, "name", d->name);
		walk_str(s->w, "offload", offload_name(d->state));
		walk_list(s->w, "addresses");
		for (unsigned a = 0; a < d->n_addrs; a++) {
			char text[TP_ADDR_STR];
			walk_item(s->w, tp_addr_str(&d->addrs[a], text, sizeof(text)));
		}
		walk_list_end(s->w);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static const char *crc_policy(const struct tp_params *p)
{
	static const char *const names[] = {
		[TP_CRC_AUTO] = "auto", [TP_CRC_ALWAYS] = "always", [TP_CRC_TRUST_LOCAL] = "trust-local"};
	return (unsigned)p->crc < sizeof(names) / sizeof(names[0]) ? names[p->crc] : "?";
}

static void walk_association(void *arg, const struct holder *h)
{
	const struct show *s = arg;
	const struct assoc *a = h->assoc;
	struct tp_info info;

	if (!a)
		return;
	bool known = assoc_info(a, &info) == SB_OK;
	walk_object(s->w, NULL);
	walk_str(s->w, "name", assoc_name(a));
	walk_str(s->w, "transport", assoc_transport(a)->name);
	walk_str(s->w, "policy", assoc_transport(a) == &tp_embedded ? crc_policy(assoc_params(a)) : NULL);
	walk_str(s->w, "checksum", known ? info.crc : NULL);
	walk_object_end(s->w);
}

static void walk_associations(struct show *s)
{
	walk_table(s->w, "associations");
	holder_each(s, walk_association, s);
	walk_table_end(s->w);
}

/* The gateway's own packets: it computes and verifies their CRC32c. */
static void walk_embedded(struct show *s)
{
	walk_object(s->w, "embedded");
	for (unsigned i = 0; i < EMB_STATS; i++)
		walk_counter(s->w, embedded_stat_name((enum emb_stat)i), embedded_stat((enum emb_stat)i),
			embedded_stat_help((enum emb_stat)i), false);
	walk_object_end(s->w);
}

static void show_offload(struct show *s)
{
	walk_devices(s);
	walk_associations(s);
	walk_embedded(s);
}

const struct show_row show_sctp_rows[] = {
	{"sctp offload", "SCTP of this machine\nWho computes checksums: device, kernel or gateway\n",
		show_offload},
	{0},
};
