/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows that configured peers and templates of peers have in common: a part of their tables (no guard:
 * included in both). */
/* clang-format off */

	{.key = "require-identifier",
		.type = &value_bool,
		AT(asp_conf, require_id),
		.help = "Refuse an ASP Up without an ASP Identifier (Error 0x0e)."},
	{.key = "blocked",
		.type = &value_bool,
		AT(asp_conf, blocked),
		.help = "Blocked by management from the start: up but never active. The console can change "
			"it."},
	{.key = "beat",
		.type = &value_number,
		AT(asp_conf, beat_ms),
		RANGE(0, 3600000),
		.unit = "ms",
		.help = "Interval of M3UA BEAT messages (not SCTP's heartbeats); 0: none."},
	{.key = "beat-timeout",
		.type = &value_number,
		AT(asp_conf, beat_timeout_ms),
		RANGE(100, 3600000),
		.dflt = 10000,
		.unit = "ms",
		.help = "A BEAT without acknowledgement for this long ends the association."},
	{.key = "transmit-queue",
		.type = &value_number,
		AT(asp_conf, txq_limit),
		RANGE(16, 1048576),
		.dflt = 8192,
		.unit = "messages",
		.reload = RELOAD_NEXT,
		.help = "Messages that may wait for the transport; congestion levels 1, 2, 3 begin at 50, 75 "
			"and "
			"90 % of it, and beyond it they are discarded and counted."},
	{.key = "rkm",
		.type = &value_enum,
		AT(asp_conf, rkm.policy),
		.names = rkm_policies,
		.dflt = RKM_OFF,
		.help = "What it may register (RFC 4666 s.4.4). `off`: nothing, not even ask. `static`: "
			"nothing "
			"new; what it is configured into is told with its Routing Context. `match`: keys of "
			"configured Application Servers, which it then joins. `dynamic`: any key that "
			"clashes "
			"with no other; an Application Server is made for it."},
	{.key = "rkm-limit",
		.type = &value_number,
		AT(asp_conf, rkm.limit),
		RANGE(1, 4096),
		.dflt = 32,
		.unit = "keys",
		.help = "How many it may have registered at a time."},
	{.key = "rkm-network",
		.type = &value_reference,
		AT(asp_conf, rkm.network),
		.dflt_text = "where it is unambiguous",
		.help = "The network of keys that it registers without a Network Appearance."},
	{.key = "rkm-as",
		.type = &value_group,
		AT(asp_conf, rkm),
		.sub = &rkm_as_section,
		.help = "Of Application Servers made for its keys."},
	{.key = "compat",
		.type = &value_group,
		AT(asp_conf, compat),
		.sub = &compat_section,
		.help = "What it does otherwise than the standard, and is forgiven."},
	/* clang-format on */
