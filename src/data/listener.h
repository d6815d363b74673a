/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Listeners, on their worker. */
#pragma once

#include "data/worker.h"

void listener_open(struct listener *ls);
void listener_close(struct listener *ls);
/* The worker stops: nobody may come any more; control is not told. */
void listeners_stop(struct worker *w);

void listener_on_incoming(void *user, struct tp_incoming *take_in);
void listener_on_starved(void *user, unsigned n);
bool listener_on_permit(void *user, const union tp_addr *from);
