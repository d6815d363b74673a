/* SPDX-License-Identifier: GPL-2.0-or-later */
/* show sctp offload: who computes CRC32c, association by association. */
#include "console/show.h"
#include "m3ua/asp.h"
#include "m3ua/sg.h"

static const char *crc_policy(const struct tp_params *p)
{
	static const char *const names[] = {
		[TP_CRC_AUTO] = "auto", [TP_CRC_ALWAYS] = "always", [TP_CRC_TRUST_LOCAL] = "trust-local"};
	return (unsigned)p->crc < sizeof(names) / sizeof(names[0]) ? names[p->crc] : "?";
}

static void walk_associations(struct show *s)
{
	struct asp *asp;

	walk_table(s->w, "associations");
	llist_for_each_entry (asp, sg_asps(s->sg), entry) {
		const struct assoc *a = asp->assoc;
		struct tp_info info;
		if (!a)
			continue;
		bool known = assoc_info(a, &info) == SB_OK;
		walk_object(s->w, NULL);
		walk_str(s->w, "name", assoc_name(a));
		walk_str(s->w, "transport", assoc_transport(a)->name);
		walk_str(s->w, "policy",
			assoc_transport(a) == &tp_embedded ? crc_policy(assoc_params(a)) : NULL);
		walk_str(s->w, "checksum", known ? info.crc : NULL);
		walk_object_end(s->w);
	}
	walk_table_end(s->w);
}

static void show_offload(struct show *s)
{
	walk_associations(s);
}

const struct show_row show_sctp_rows[] = {
	{"sctp offload", "SCTP of this machine\nWho computes checksums: device, kernel or gateway\n",
		show_offload},
	{0},
};
