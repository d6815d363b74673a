/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The dictionary against a second transcription of RFC 4666 s.3, made from its text alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "wire/m3ua.h"

/* Tags in hexadecimal; ! mandatory, ? optional, ~ conditional, * may be repeated, 1 one word only here. */
static const struct {
	uint16_t type;
	const char *params, *direction; /* received by: s an SGP, a an ASP */
} messages[] = {
	{0x0000, "000c! 0006~ 0012~ 0200~ 0007~", "sa"},
	{0x0001, "000d! 0011~ 0006? 0004?", "a"},
	{0x0101, "0200? 0006~1 0210! 0013?", "sa"},
	{0x0201, "0200? 0006~ 0012! 0004?", "a"},
	{0x0202, "0200? 0006~ 0012! 0004?", "a"},
	{0x0203, "0200? 0006~ 0012! 0004?", "s"},
	{0x0204, "0200? 0006~ 0012! 0206? 0205? 0004?", "sa"},
	{0x0205, "0200? 0006~ 0012!1 0204! 0004?", "a"},
	{0x0206, "0200? 0006~ 0012! 0004?", "a"},
	{0x0301, "0011? 0004?", "s"},
	{0x0302, "0004?", "s"},
	{0x0303, "0009?", "sa"},
	{0x0304, "0011? 0004?", "a"},
	{0x0305, "0004?", "a"},
	{0x0306, "0009?", "sa"},
	{0x0401, "000b? 0006? 0004?", "s"},
	{0x0402, "0006? 0004?", "s"},
	{0x0403, "000b? 0006? 0004?", "a"},
	{0x0404, "0006? 0004?", "a"},
	{0x0901, "0207!*", "s"},
	{0x0902, "0208!*", "a"},
	{0x0903, "0006!", "s"},
	{0x0904, "0209!*", "a"},
};

static const struct {
	uint16_t tag;
	uint32_t min, max, multiple;
	const char *inside;
} parameters[] = {
	{0x0004, 0, 255, 1, ""},
	{0x0006, 4, 0, 4, ""},
	{0x0007, 0, 0, 1, ""},
	{0x0009, 0, 0, 1, ""},
	{0x000b, 4, 4, 4, ""},
	{0x000c, 4, 4, 4, ""},
	{0x000d, 4, 4, 4, ""},
	{0x0011, 4, 4, 4, ""},
	{0x0012, 4, 0, 4, ""},
	{0x0013, 4, 4, 4, ""},
	{0x0200, 4, 4, 4, ""},
	{0x0204, 4, 4, 4, ""},
	{0x0205, 4, 4, 4, ""},
	{0x0206, 4, 4, 4, ""},
	{0x0207, 0, 0, 1, "020a! 0006?1 000b? 020b!* 0200? 020c?* 020e?*"},
	{0x0208, 0, 0, 1, "020a! 0212! 0006!1"},
	{0x0209, 0, 0, 1, "0006!1 0213!"},
	{0x020a, 4, 4, 4, ""},
	{0x020b, 4, 4, 4, ""},
	{0x020c, 1, 0, 1, ""},
	{0x020e, 4, 0, 4, ""},
	{0x0210, 12, 0, 1, ""},
	{0x0212, 4, 4, 4, ""},
	{0x0213, 4, 4, 4, ""},
};

static const char *spell(const struct m3ua_param_rule *rules, unsigned n, char *buf, size_t size)
{
	static const char presence[] = {
		[M3UA_MANDATORY] = '!', [M3UA_OPTIONAL] = '?', [M3UA_CONDITIONAL] = '~'};
	size_t used = 0;

	buf[0] = '\0';
	for (unsigned i = 0; i < n; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%04x%c%s%s", i ? " " : "", rules[i].tag,
			presence[rules[i].presence], rules[i].repeated ? "*" : "",
			rules[i].max_len == 4 ? "1" : "");
	return buf;
}

static void every_message_has_the_parameters_of_the_standard(void **state)
{
	unsigned n = sizeof(messages) / sizeof(messages[0]);
	char buf[256];

	(void)state;
	for (unsigned i = 0; i < n; i++) {
		const struct m3ua_message_rule *r = m3ua_message_rule(messages[i].type);

		assert_non_null(r);
		assert_string_equal(spell(r->params, r->n_params, buf, sizeof(buf)), messages[i].params);
		assert_int_equal(r->to_sgp, !!strchr(messages[i].direction, 's'));
		assert_int_equal(r->to_asp, !!strchr(messages[i].direction, 'a'));
		assert_string_equal(r->name, m3ua_type_name(r->type));
	}
	assert_null(m3ua_message_rule_at(n));
}

static void every_parameter_has_the_lengths_of_the_standard(void **state)
{
	unsigned n = sizeof(parameters) / sizeof(parameters[0]);
	char buf[256];

	(void)state;
	for (unsigned i = 0; i < n; i++) {
		const struct m3ua_tag_rule *t = m3ua_tag_rule(parameters[i].tag);

		assert_non_null(t);
		assert_int_equal(t->min_len, parameters[i].min);
		assert_int_equal(t->max_len, parameters[i].max);
		assert_int_equal(t->multiple, parameters[i].multiple);
		assert_string_equal(spell(t->inside, t->n_inside, buf, sizeof(buf)), parameters[i].inside);
		assert_string_not_equal(m3ua_tag_name(t->tag), "?");
	}
	assert_null(m3ua_tag_rule_at(n));
}

static void what_is_not_defined_is_not_found(void **state)
{
	(void)state;
	assert_null(m3ua_message_rule(0x0102));
	assert_null(m3ua_message_rule(0x0500));
	assert_null(m3ua_tag_rule(0x0002));
	assert_null(m3ua_tag_rule(0xffff));
	assert_string_equal(m3ua_type_name(0x0102), "?");
	assert_string_equal(m3ua_tag_name(0x0002), "?");
	assert_string_equal(m3ua_error_name(0x02), "?");
}

static void errors_have_the_names_of_the_standard(void **state)
{
	(void)state;
	assert_string_equal(m3ua_error_name(0x01), "Invalid Version");
	assert_string_equal(m3ua_error_name(0x0d), "Refused - Management Blocking");
	assert_string_equal(m3ua_error_name(0x12), "Parameter Field Error");
	assert_string_equal(m3ua_error_name(0x1a), "No Configured AS for ASP");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_message_has_the_parameters_of_the_standard),
		cmocka_unit_test(every_parameter_has_the_lengths_of_the_standard),
		cmocka_unit_test(what_is_not_defined_is_not_found),
		cmocka_unit_test(errors_have_the_names_of_the_standard),
	};

	return cmocka_run_group_tests_name("wire/m3ua_dict", tests, NULL, NULL);
}
