/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ASs that exist because a Routing Key was registered. Their configuration is made here and is theirs. */
#include <stdio.h>
#include <string.h>
#include <talloc.h>

#include "base/clock.h"
#include "base/log.h"
#include "m3ua/rkm.h"
#include "m3ua/rkm_index.h"
#include "m3ua/sg_int.h"
#include "m3ua/sg_table.h"

enum {
	MOST_NEW = 4096,    /* before routing has followed, and those that nobody is in any more have gone */
	MOST_ASS = 65535,   /* made for keys, all together */
	SHARE_OF_TIME = 10, /* routing is compiled for registrations in one part of so many of the time */
};

struct rkm_index *rkm_index(struct sg *sg)
{
	if (!sg->rkm.index)
		sg->rkm.index = rkm_index_new(sg);
	return sg->rkm.index;
}

/* ---- making one ---- */

/* Rising and around again, so that a Routing Context that was given back is not given out at once. */
static bool free_context(struct sg *sg, uint32_t *rc)
{
	uint32_t first = sg->conf->rc_first, last = sg->conf->rc_last;
	uint64_t left = (uint64_t)last - first + 1;

	if (!rkm_index(sg) || last < first)
		return false;
	for (; left; left--) {
		*rc = sg->rkm.next_rc;
		if (*rc < first || *rc > last)
			*rc = first;
		sg->rkm.next_rc = *rc + 1;
		if (!rkm_index_context(sg->rkm.index, *rc))
			return true;
	}
	return false;
}

static bool copy_keys(struct as_conf *c, const struct rk *k)
{
	c->keys = talloc_array(c, struct key_conf, k->n_groups);
	if (!c->keys)
		return false;
	for (; c->n_keys < k->n_groups; c->n_keys++) {
		const struct key_conf *g = &k->groups[c->n_keys];
		struct key_conf *own = &c->keys[c->n_keys];

		*own = *g;
		own->si = g->n_si ? talloc_memdup(c, g->si, g->n_si * sizeof(*g->si)) : NULL;
		own->opc = g->n_opc ? talloc_memdup(c, g->opc, g->n_opc * sizeof(*g->opc)) : NULL;
		if ((g->n_si && !own->si) || (g->n_opc && !own->opc))
			return false;
	}
	return true;
}

/* "dyn-RC", or with a number behind it where the configuration has taken that name. */
static const char *name_for(struct sg *sg, struct as_conf *c)
{
	char *name = talloc_asprintf(c, "dyn-%u", c->rc);

	for (unsigned i = 2; name && sg_as_by_name(sg, name); i++) {
		talloc_free(name);
		name = talloc_asprintf(c, "dyn-%u-%u", c->rc, i);
	}
	return name;
}

static struct as_conf *conf_for(struct asp *asp, const struct sg_network *network, const struct rk *k)
{
	const struct rkm_conf *rkm = &asp->conf->rkm;
	struct as_conf *c = talloc_zero(asp->sg, struct as_conf);

	if (!c)
		return NULL;
	*c = (struct as_conf){.has_rc = true,
		.rc = k->rc,
		.mode = k->has_mode ? (int)k->mode : rkm->mode,
		.share_key = rkm->share_key,
		.t_r_ms = rkm->t_r_ms,
		.pending_limit = rkm->pending_limit,
		.min_asps = 1};
	c->network = talloc_strdup(c, network->name);
	if ((k->has_rc || free_context(asp->sg, &c->rc)) && (c->name = name_for(asp->sg, c)) && c->network &&
		copy_keys(c, k))
		return c;
	talloc_free(c);
	return NULL;
}

/* The place in routing is taken at the next settle. */
static void keys_changed(struct sg *sg)
{
	sg->rkm.stale = true;
}

struct as *rkm_as_new(struct asp *asp, struct sg_network *network, const struct rk *k)
{
	struct sg *sg = asp->sg;
	bool room = sg->rkm.n_ass < MOST_ASS && sg->rkm.n_new < MOST_NEW;
	struct as_conf *c = room ? conf_for(asp, network, k) : NULL;
	struct as *as = c ? as_new(sg, c) : NULL;

	if (!as) {
		talloc_free(c);
		return NULL;
	}
	talloc_steal(as, c);
	as->dynamic = true;
	as->routed_by = sg->rkm.followed + 1;
	as->reason = "registered";
	as_reconfigure(as, c);
	sg->rkm.n_ass++;
	sg->rkm.n_new++;
	if (!rkm_index_add(sg->rkm.index, as)) {
		talloc_free(sg->rkm.index); /* made anew when it is wanted next */
		sg->rkm.index = NULL;
	}
	keys_changed(sg);
	return as;
}

/* ---- its end ---- */

void rkm_member_gone(struct as_asp *m)
{
	if (m->registered)
		m->asp->n_registered--;
	if (m->as->dynamic && llist_empty(&m->as->asps))
		keys_changed(m->as->sg);
}

void rkm_as_down(struct as *as)
{
	if (as->dynamic)
		keys_changed(as->sg);
}

void rkm_as_remove(struct as *as, const char *why)
{
	struct sg *sg = as->sg;

	if (limit_allows(&sg->as_log, SG_LOGS_PER_SECOND, NULL))
		LOGP(DAS, LOGL_NOTICE, "as %s: its registered routing key is deleted: %s\n", as->name, why);
	if (sg->rkm.index)
		rkm_index_remove(sg->rkm.index, as);
	sg->rkm.n_ass--;
	as_remove(as);
}

static void remove_orphans(struct sg *sg)
{
	struct as *as, *next;

	llist_for_each_entry_safe (as, next, &sg->ass, entry)
		if (as->dynamic && as->state == AS_DOWN && llist_empty(&as->asps))
			rkm_as_remove(as, "no ASP is registered in it any more");
}

/* ---- routing ---- */

void rkm_await_routing(struct as *as)
{
	struct as_asp *m;

	if (as->sg->rkm.followed >= as->routed_by)
		return;
	llist_for_each_entry (m, &as->asps, in_as)
		m->asp->out_after = as->routed_by;
}

static void follow_later(void *data)
{
	sg_settle(data);
}

void rkm_follow(struct sg *sg)
{
	uint64_t now = clock_ms();

	if (!sg->rkm.stale || osmo_timer_pending(&sg->rkm.timer))
		return;
	if (now < sg->rkm.due_ms) {
		osmo_timer_setup(&sg->rkm.timer, follow_later, sg);
		osmo_timer_schedule(&sg->rkm.timer, (int)((sg->rkm.due_ms - now) / 1000),
			(int)((sg->rkm.due_ms - now) % 1000 * 1000));
		return;
	}
	sg->rkm.stale = false;
	sg->rkm.followed++;
	sg->rkm.n_new = 0;
	sg->rkm.began_ms = now;
	remove_orphans(sg);
	table_routes_changed(sg);
}

void rkm_followed(struct sg *sg)
{
	uint64_t now = clock_ms();

	if (!sg->rkm.began_ms)
		return;
	sg->rkm.due_ms = now + (now - sg->rkm.began_ms) * (SHARE_OF_TIME - 1);
	sg->rkm.began_ms = 0;
}

/* ---- a new configuration ---- */

void rkm_apply_begin(struct sg *sg)
{
	talloc_free(sg->rkm.index);
	sg->rkm.index = NULL;
}

static bool is_dynamic(struct as *as, unsigned key, void *arg)
{
	(void)key, (void)arg;
	return as->dynamic;
}

static bool is_free_of(struct as *as, unsigned key, void *arg)
{
	return as->dynamic || !rk_overlaps(arg, &as->conf->keys[key]);
}

static const char *clash_of(const struct rkm_index *x, const struct as *as)
{
	if (!as->network)
		return "its network has gone";
	if (!x)
		return "no memory to compare it with the configuration";
	if (!rkm_index_contexts(x, as->conf->rc, is_dynamic, NULL))
		return "the configuration uses its Routing Context";
	for (unsigned i = 0; i < as->conf->n_keys; i++)
		if (!rkm_index_keys(
			    x, as->network->index, as->conf->keys[i].dpc, is_free_of, &as->conf->keys[i]))
			return "the configuration has a routing key for its traffic";
	return NULL;
}

void rkm_apply_end(struct sg *sg)
{
	struct as *as, *next;
	const char *why;

	if (!sg->rkm.n_ass)
		return;
	llist_for_each_entry_safe (as, next, &sg->ass, entry)
		if (as->dynamic && (why = clash_of(rkm_index(sg), as)))
			rkm_as_remove(as, why);
	remove_orphans(sg);
	sg->rkm.n_new = 0;
	sg->rkm.followed++;
	sg->rkm.stale = false; /* routing is compiled for the new configuration anyway */
}
