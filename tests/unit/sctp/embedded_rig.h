/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests of the embedded transport share: one rig, and peers made by hand (embedded_fake.h). */
#pragma once

#include "base/clock.h"
#include "embedded_fake.h"
#include "sctp/embedded_int.h"

extern uint16_t port; /* and the next nine: the program's own */
extern struct rig rig;
extern uint64_t before[EMB_STATS]; /* what had been counted at setup() */

int setup(void **state);
int teardown(void **state);
#define T(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

/* Since setup(). */
uint64_t counted(enum emb_stat s);
/* Lets MS pass for the transport in one step. */
void jump(unsigned ms);
void listen_with(void (*change)(struct tp_params *));
/* The fake peer that has arrived becomes SERVER's. */
void accept_fake(struct end *server);
void drop(struct end *server);
/* A message as rig.c wants it. */
void fake_message(struct fake *f, uint32_t seq);

/* The arguments of the program: the first port, and a filter. */
void embedded_arguments(int argc, char **argv);
