/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show as: Application Servers, their state and who serves them. */
#include <stdatomic.h>

#include "console/show.h"
#include "m3ua/as.h"
#include "m3ua/role.h"
#include "m3ua/sg.h"

static void walk_rc(struct show *s, const struct as_conf *c)
{
	if (c->has_rc)
		walk_u64(s->w, "routing-context", c->rc);
	else
		walk_null(s->w, "routing-context");
}

static uint64_t held(const struct as *as)
{
	return as->hold ? atomic_load_explicit(&as->hold->n, memory_order_relaxed) : 0;
}

static void walk_head(struct show *s, const struct as *as)
{
	walk_str(s->w, "name", as->conf->name);
	walk_str(s->w, "network", as->conf->network);
	walk_rc(s, as->conf);
	walk_str(s->w, "role", role_of_as(as)->name);
	walk_str(s->w, "mode", as_mode_name(as->conf->mode));
	walk_str(s->w, "state", as_state_name(as->state));
	show_since(s, "since", as->since_ms);
}

static unsigned count_asps(const struct as *as)
{
	unsigned n = 0;
	struct as_asp *aa;
	llist_for_each_entry (aa, &as->asps, in_as)
		n++;
	return n;
}

static void show_as(struct show *s)
{
	struct as *as;

	walk_table(s->w, "application-servers");
	llist_for_each_entry (as, sg_ass(s->sg), entry) {
		walk_object(s->w, NULL);
		walk_head(s, as);
		walk_u64(s->w, "active", as_active_asps(as));
		walk_u64(s->w, "asps", count_asps(as));
		walk_u64(s->w, "held", held(as));
		walk_bool(s->w, "registered", as->dynamic);
		walk_str(s->w, "reason", as->reason);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

/* How many buckets of the load-share table lead to ASP, as the workers see it. */
static uint64_t buckets_of(const struct show *s, const struct as *as, const struct asp *asp)
{
	const struct fwd_table *t = plane_table(sg_plane(s->sg));
	const struct fwd_as *f = t && as->number < t->n_as ? t->as[as->number] : NULL;
	uint64_t n = 0;

	for (uint32_t b = 0; f && b < f->n_buckets; b++)
		n += f->share[b] < f->n_slots && f->slots[f->share[b]].assoc == asp->assoc;
	return asp->assoc ? n : 0;
}

static void walk_asps(struct show *s, const struct as *as)
{
	struct as_asp *aa;

	walk_table(s->w, "asps");
	llist_for_each_entry (aa, &as->asps, in_as) {
		const struct asp *asp = aa->asp;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", asp->conf->name);
		walk_str(
			s->w, "association", asp->assoc ? assoc_state_name(assoc_state(asp->assoc)) : "none");
		walk_str(s->w, "state", asp_state_name(aa->state));
		show_since(s, "since", aa->since_ms);
		walk_bool(s->w, "blocked", asp->blocked);
		walk_bool(s->w, "registered", aa->registered);
		walk_u64(s->w, "buckets", buckets_of(s, as, asp));
		walk_str(s->w, "reason", aa->reason);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_as_one(struct show *s)
{
	const struct as *as = show_arg_as(s, 0);
	if (!as)
		return;
	walk_object(s->w, "application-server");
	walk_head(s, as);
	walk_str(s->w, "reason", as->reason);
	walk_bool(s->w, "registered", as->dynamic);
	walk_u64(s->w, "transitions", as->transitions);
	walk_u64(s->w, "active", as_active_asps(as));
	walk_u64(s->w, "minimum-asps", as->conf->min_asps);
	walk_bool(s->w, "insufficient", as->insufficient);
	walk_str(s->w, "load-share-key", as_share_key_name(as->conf->share_key));
	walk_ms(s->w, "recovery-time", as->conf->t_r_ms);
	walk_u64(s->w, "held", held(as));
	walk_u64(s->w, "pending-limit", as->conf->pending_limit);
	walk_u64(s->w, "routing-keys", as->conf->n_keys);
	walk_asps(s, as);
	walk_object_end(s->w);
}

const struct show_row show_as_rows[] = {
	{"as", "Application Servers\n", show_as},
	{"as NAME", "Application Servers\nOne of them, in detail\n", show_as_one},
	{0},
};
