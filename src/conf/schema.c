/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file as a whole: its groups, and its lists in the order in which they depend on each other. Help texts
 * are Markdown sentences for doc/configuration.md. */
#include "conf/schema.h"

#include <string.h>

#include "conf/schema_row.h"

static const struct enum_name levels[] = {
	{"debug", 0}, {"info", 0}, {"notice", 0}, {"error", 0}, {"fatal", 0}, {NULL, 0}};

/* ---- the node ---- */

static const struct row node_rows[] = {
	{.key = "name",
		.type = &value_name,
		AT(conf, node_name),
		RANGE(1, 63),
		.dflt_text = "signalboxd",
		.help = "What this gateway is called: the console's prompt."},
	{.key = "workers",
		.type = &value_number,
		AT(conf, workers),
		RANGE(0, PLANE_MAX_WORKERS),
		.reload = RELOAD_RESTART,
		.help = "Worker threads of the data plane; 0: one per core, at most 8."},
	{.key = "max-message",
		.type = &value_number,
		AT(conf, max_message),
		RANGE(272, 65535),
		.dflt = 8192,
		.unit = "bytes",
		.reload = RELOAD_RESTART,
		.help = "The longest M3UA message that passes; longer ones are refused and counted, never "
			"cut."},
	{.key = "buffers",
		.type = &value_number,
		AT(conf, buffers),
		RANGE(256, 1048576),
		.dflt = 16384,
		.unit = "messages",
		.reload = RELOAD_RESTART,
		.help = "Message buffers of each worker. What waits shares them: no transmit queue and no "
			"pending "
			"Application Server may hold more than twice what is left. Memory that is never "
			"touched costs nothing."},
	{.key = "batch-delay",
		.type = &value_number,
		AT(conf, batch_delay_us),
		RANGE(0, 2000),
		.unit = "us",
		.reload = RELOAD_RESTART,
		.help = "How long a message may wait for company in its packet; 0: not at all (messages that "
			"arrive together still travel together)."},
	{.key = "shutdown-time",
		.type = &value_number,
		AT(conf, shutdown_ms),
		RANGE(0, 60000),
		.dflt = 3000,
		.unit = "ms",
		.help = "How long taking leave of the peers may last after SIGTERM."},
};

static const struct row console_rows[] = {
	{.key = "address",
		.type = &value_address_text,
		AT(conf, console_address),
		.dflt_text = "127.0.0.1",
		.reload = RELOAD_RESTART,
		.help = "Where the VTY console listens. It has no password: keep it on the loopback."},
	{.key = "port",
		.type = &value_number,
		AT(conf, console_port),
		RANGE(0, 65535),
		.dflt = 4242,
		.reload = RELOAD_RESTART,
		.help = "Its TCP port; 0: no console."},
};

static const struct row log_rows[] = {
	{.key = "level",
		.type = &value_word,
		AT(conf, log_level),
		.names = levels,
		.dflt_text = "notice",
		.help = "The least severe messages that are logged, in every category."},
	{.key = "timestamps",
		.type = &value_bool,
		AT(conf, log_time),
		.dflt = true,
		.help = "Whether lines begin with the time. The journal has its own: there none is written."},
};

static const struct row registration_rows[] = {
	{.key = "first-context",
		.type = &value_number,
		AT(conf, sg.rc_first),
		RANGE(0, UINT32_MAX),
		.dflt = 1000000,
		.help = "The first Routing Context that a registered key may be given. Configured ones are "
			"passed "
			"over, wherever they are."},
	{.key = "last-context",
		.type = &value_number,
		AT(conf, sg.rc_last),
		RANGE(0, UINT32_MAX),
		.dflt = 1999999,
		.help = "The last one."},
};

/* ---- the file ---- */

static const struct section node_section = {
	SECTION("node", node_rows), .size = sizeof(struct conf), .text = "The gateway itself."};
static const struct section console_section = {
	SECTION("console", console_rows), .size = sizeof(struct conf), .text = "The VTY console (telnet)."};
static const struct section log_section = {SECTION("log", log_rows), .size = sizeof(struct conf),
	.text = "The log goes to stderr, and with it to the journal."};

static const struct section registration_section = {SECTION("registration", registration_rows),
	.size = sizeof(struct conf),
	.text = "Routing Keys that peers register (RFC 4666 s.4.4); who may is told by `rkm` of each."};

#define GROUP(k, s, ...)                                                                                     \
	{                                                                                                    \
		.key = (k), .type = &value_group, .sub = (s), __VA_ARGS__                                    \
	}
#define OBJECTS(k, s, f, n, hi)                                                                              \
	{                                                                                                    \
		.key = (k), .type = &value_list, .sub = (s), LIST_AT(conf, f, n), RANGE(0, hi)               \
	}

static const struct row conf_rows[] = {
	GROUP("node", &node_section, .offset = 0),
	GROUP("console", &console_section, .offset = 0),
	GROUP("log", &log_section, .offset = 0),
	GROUP("registration", &registration_section, .offset = 0),
	GROUP("sctp", &sctp_section, AT(conf, sctp)),
	OBJECTS("networks", &network_section, sg.networks, sg.n_networks, 256),
	OBJECTS("listeners", &listener_section, sg.listeners, sg.n_listeners, 256),
	OBJECTS("peer-templates", &template_section, sg.templates, sg.n_templates, 256),
	OBJECTS("asps", &asp_section, sg.asps, sg.n_asps, PLANE_MAX_ASSOCS - 1),
	OBJECTS("application-servers", &as_section, sg.ass, sg.n_ass, 65535),
	GROUP("mtp3", &mtp3_section, .offset = 0),
	OBJECTS("links", &link_section, ss7.links, ss7.n_links, 4096),
	OBJECTS("linksets", &linkset_section, ss7.linksets, ss7.n_linksets, 1024),
	OBJECTS("routes", &route_section, sg.routes, sg.n_routes, 1000000),
};

static void conf_init(void *obj, const struct conf *c)
{
	(void)c;
	tp_params_default(&((struct conf *)obj)->sctp);
}

const struct section conf_schema = {
	SECTION("configuration", conf_rows), .size = sizeof(struct conf), .init = conf_init};

/* ---- reading rows ---- */

uint64_t row_number(const void *at, size_t size)
{
	switch (size) {
	case 1: return *(const uint8_t *)at;
	case 2: return *(const uint16_t *)at;
	case 4: return *(const uint32_t *)at;
	default: return *(const uint64_t *)at;
	}
}

void row_set_number(void *at, size_t size, uint64_t v)
{
	switch (size) {
	case 1: *(uint8_t *)at = (uint8_t)v; break;
	case 2: *(uint16_t *)at = (uint16_t)v; break;
	case 4: *(uint32_t *)at = (uint32_t)v; break;
	default: *(uint64_t *)at = v; break;
	}
}

unsigned row_count(const struct row *row, const void *obj)
{
	return (unsigned)row_number((const char *)obj + row->count_offset, row->count_size);
}

void row_set_count(const struct row *row, void *obj, unsigned n)
{
	row_set_number((char *)obj + row->count_offset, row->count_size, n);
}

bool row_is_set(const struct row *row, const void *obj)
{
	return !row->has_offset || *(const bool *)((const char *)obj + row->has_offset);
}

bool row_applies(const struct row *row, const void *obj)
{
	return !row->when || row->when->holds(obj);
}

const struct network_conf *scope_network(const struct scope *scope)
{
	const struct sg_conf *sg = &scope->conf->sg;

	if (!scope->network_name)
		return scope->network;
	for (unsigned i = 0; *scope->network_name && i < sg->n_networks; i++)
		if (sg->networks[i].name && !strcmp(sg->networks[i].name, *scope->network_name))
			return &sg->networks[i];
	return NULL;
}
