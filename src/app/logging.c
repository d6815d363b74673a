/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <osmocom/core/application.h>
#include <osmocom/core/utils.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/app_int.h"
#include "base/log.h"

static bool journal;

/* Whether stderr is the journal's: systemd.exec(5), JOURNAL_STREAM. */
static bool stderr_is_the_journals(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long dev, ino;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &dev, &ino) == 2 && fstat(STDERR_FILENO, &st) == 0 &&
	       st.st_dev == dev && st.st_ino == ino;
}

static int priority(unsigned level)
{
	if (level >= LOGL_FATAL)
		return 2;
	if (level >= LOGL_ERROR)
		return 3;
	if (level >= LOGL_NOTICE)
		return 5;
	return level >= LOGL_INFO ? 6 : 7;
}

static void to_journal(struct log_target *target, unsigned int level, const char *line)
{
	(void)target;
	fprintf(stderr, "<%d>%s", priority(level), line);
}

void logging_init(void *ctx)
{
	struct log_target *t;

	log_setup(ctx);
	t = osmo_stderr_target;
	journal = stderr_is_the_journals();
	if (journal)
		t->output = to_journal;
	log_set_all_filter(t, 1);
	log_set_use_color(t, 0);
	log_set_print_category(t, 1);
	log_set_print_category_hex(t, 0);
	log_set_print_level(t, 1);
	log_set_print_filename2(t, LOG_FILENAME_NONE);
	log_set_print_extended_timestamp(t, !journal);
}

/* LEVEL is one of the configuration's words. */
static uint8_t level_of(const char *word)
{
	static const struct {
		const char *word;
		uint8_t level;
	} levels[] = {{"debug", LOGL_DEBUG}, {"info", LOGL_INFO}, {"notice", LOGL_NOTICE},
		{"error", LOGL_ERROR}, {"fatal", LOGL_FATAL}};

	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (!strcmp(levels[i].word, word))
			return levels[i].level;
	return LOGL_NOTICE;
}

void logging_apply(const struct conf *conf)
{
	log_set_print_extended_timestamp(osmo_stderr_target, conf->log_time && !journal);
	log_set_log_level(osmo_stderr_target, level_of(conf->log_level));
}
