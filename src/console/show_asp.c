/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show asp: Application Server Processes. The states of the association, of the ASP and of its ASs stand
 * together, with since when and why. */
#include "console/show.h"
#include "m3ua/as.h"
#include "m3ua/asp.h"
#include "m3ua/guest.h"
#include "m3ua/role.h"
#include "m3ua/sg.h"
#include "wire/m3ua.h"

static const char *association_state(const struct asp *asp)
{
	return asp->assoc ? assoc_state_name(assoc_state(asp->assoc)) : "none";
}

static const char *transport(const struct asp *asp)
{
	return asp->assoc ? assoc_transport(asp->assoc)->name : tp_kind_name(asp->conf->tp.kind);
}

/* The membership that an active ASP's overall state comes from: the one that has been active longest. NULL if
 * it is active nowhere: then its own ups and downs tell. */
static const struct as_asp *longest_active(const struct asp *asp)
{
	const struct as_asp *found = NULL;
	struct as_asp *aa;

	llist_for_each_entry (aa, &asp->ass, in_asp) {
		if (aa->state == ASP_ACTIVE && (!found || aa->since_ms < found->since_ms))
			found = aa;
	}
	return found;
}

static void walk_state(struct show *s, const struct asp *asp)
{
	const struct as_asp *aa = longest_active(asp);

	walk_str(s->w, "state", asp_state_name(asp_state(asp)));
	show_since(s, "since", aa ? aa->since_ms : asp->since_ms);
}

/* Without an association, why it is gone says more than the ASP's own last event. */
static const char *reason(const struct asp *asp)
{
	const struct as_asp *aa = longest_active(asp);

	if (!asp->assoc && asp->down_reason[0])
		return asp->down_reason;
	return aa ? aa->reason : asp->reason;
}

static void show_asp(struct show *s)
{
	struct asp *asp;
	struct as_asp *aa;

	walk_table(s->w, "asps");
	llist_for_each_entry (asp, sg_asps(s->sg), entry) {
		walk_object(s->w, NULL);
		walk_str(s->w, "name", asp->conf->name);
		walk_str(s->w, "role", role_of(asp)->name);
		walk_str(s->w, "transport", transport(asp));
		walk_str(s->w, "association", association_state(asp));
		walk_state(s, asp);
		walk_bool(s->w, "blocked", asp->blocked);
		walk_table(s->w, "application-servers");
		llist_for_each_entry (aa, &asp->ass, in_asp) {
			walk_object(s->w, NULL);
			walk_str(s->w, "name", aa->as->conf->name);
			walk_str(s->w, "state", asp_state_name(aa->state));
			walk_str(s->w, "as-state", as_state_name(aa->as->state));
			walk_object_end(s->w);
		}
		walk_table_end(s->w);
		walk_str(s->w, "reason", reason(asp));
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void walk_association(struct show *s, const struct asp *asp)
{
	const struct assoc *a = asp->assoc;

	walk_object(s->w, "association");
	walk_str(s->w, "state", association_state(asp));
	walk_str(s->w, "transport", transport(asp));
	if (a) {
		show_since(s, "since", assoc_since_ms(a));
		walk_str(s->w, "chosen-because", assoc_transport_why(a));
		walk_u64(s->w, "worker", assoc_worker(a));
		walk_u64(s->w, "streams-in", assoc_in_streams(a));
		walk_u64(s->w, "streams-out", assoc_out_streams(a));
	}
	walk_str(s->w, "last-down-reason", asp->down_reason[0] ? asp->down_reason : NULL);
	walk_u64(s->w, "connections", asp->reconnects); /* the first one counts too */
	walk_object_end(s->w);
}

static void walk_ass(struct show *s, const struct asp *asp)
{
	struct as_asp *aa;
	uint32_t rc;

	walk_table(s->w, "application-servers");
	llist_for_each_entry (aa, &asp->ass, in_asp) {
		const struct as *as = aa->as;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", as->conf->name);
		if (role_rc(aa, &rc))
			walk_u64(s->w, "routing-context", rc);
		else
			walk_null(s->w, "routing-context");
		walk_str(s->w, "state", asp_state_name(aa->state));
		show_since(s, "since", aa->since_ms);
		walk_bool(s->w, "registered", aa->registered);
		walk_str(s->w, "reason", aa->reason);
		walk_str(s->w, "as-state", as_state_name(as->state));
		show_since(s, "as-since", as->since_ms);
		walk_str(s->w, "as-reason", as->reason);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void walk_messages(struct show *s, const struct asp *asp)
{
	walk_table(s->w, "messages");
	for (unsigned i = 0; i < ASP_RX_TYPES; i++) {
		if (!asp->rx[i] && !asp->tx[i])
			continue;
		walk_object(s->w, NULL);
		/* slot 0: types that RFC 4666 does not know */
		walk_str(s->w, "message", i ? m3ua_type_name(asp_slot_type(i)) : "unknown");
		walk_u64(s->w, "received", asp->rx[i]);
		walk_u64(s->w, "sent", asp->tx[i]);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void walk_errors(struct show *s, const struct asp *asp)
{
	walk_table(s->w, "errors");
	for (unsigned i = 0; i < sizeof(asp->errors_rx) / sizeof(asp->errors_rx[0]); i++) {
		if (!asp->errors_rx[i] && !asp->errors_tx[i])
			continue;
		walk_object(s->w, NULL);
		walk_u64(s->w, "code", i);
		walk_u64(s->w, "received", asp->errors_rx[i]);
		walk_u64(s->w, "sent", asp->errors_tx[i]);
		walk_str(s->w, "error", i ? m3ua_error_name(i) : "unknown");
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static const char *policy_name(int policy)
{
	static const char *const names[] = {
		[RKM_OFF] = "off", [RKM_STATIC] = "static", [RKM_MATCH] = "match", [RKM_DYNAMIC] = "dynamic"};

	return (unsigned)policy < sizeof(names) / sizeof(names[0]) ? names[policy] : "?";
}

static void walk_registration(struct show *s, const struct asp *asp)
{
	const struct rkm_conf *c = &asp->conf->rkm;

	walk_object(s->w, "registration");
	walk_str(s->w, "policy", policy_name(c->policy));
	walk_u64(s->w, "keys", asp->n_registered);
	walk_u64(s->w, "limit", c->limit);
	walk_str(s->w, "network", c->network);
	walk_object_end(s->w);
}

static void walk_compat(struct show *s, const struct asp *asp)
{
	const struct compat_conf *c = &asp->conf->compat;

	walk_list(s->w, "compat");
#define X(field, key, reload, text)                                                                          \
	if (c->field)                                                                                        \
		walk_item(s->w, key);
	COMPAT_SWITCHES(X)
#undef X
	walk_list_end(s->w);
}

static void show_asp_one(struct show *s)
{
	const struct asp *asp = show_arg_asp(s, 0);
	if (!asp)
		return;
	walk_object(s->w, "asp");
	walk_str(s->w, "name", asp->conf->name);
	walk_str(s->w, "role", role_of(asp)->name);
	walk_str(s->w, "side", asp->conf->side == ASP_CLIENT ? "client" : "server");
	walk_str(s->w, "listener", asp->conf->listener);
	walk_str(s->w, "template", guest_template(asp) ? guest_template(asp)->name : NULL);
	if (asp->has_id)
		walk_u64(s->w, "identifier", asp->id);
	else
		walk_null(s->w, "identifier");
	walk_state(s, asp);
	walk_str(s->w, "reason", reason(asp));
	walk_bool(s->w, "blocked", asp->blocked);
	walk_bool(s->w, "locked", asp->locked);
	walk_u64(s->w, "transitions", asp->transitions);
	if (asp->conf->beat_ms)
		walk_ms(s->w, "beat-interval", asp->conf->beat_ms);
	else
		walk_null(s->w, "beat-interval");
	walk_u64(s->w, "beats-unanswered", asp->beats_unanswered);
	walk_u64(s->w, "errors-suppressed", asp->errors_suppressed);
	walk_u64(s->w, "answers-dropped", asp->answers_dropped);
	walk_u64(s->w, "congestion", asp->congestion);
	walk_compat(s, asp);
	walk_registration(s, asp);
	walk_association(s, asp);
	walk_ass(s, asp);
	show_client(s, asp);
	walk_messages(s, asp);
	walk_errors(s, asp);
	walk_object_end(s->w);
}

const struct show_row show_asp_rows[] = {
	{"asp", "Application Server Processes\n", show_asp},
	{"asp NAME", "Application Server Processes\nOne of them, in detail\n", show_asp_one},
	{0},
};
