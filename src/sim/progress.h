/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a second on stderr while it runs: over itself on a terminal, one below the other in a file. */
#pragma once

struct sim;

void progress_show(const struct sim *s);
void progress_end(const struct sim *s); /* leaves the terminal on a fresh line */
