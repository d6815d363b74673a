/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sending level 3's own messages: on which link they may go is the message's (Q.704 s.2.3.4). */
#pragma once

#include "mtp3/mtp3_int.h"

/* On this very link. False: it cannot be written (counted). */
bool out_on_link(struct mtp3_link *l, const struct snm *m);

/* The same, by service SI: ANSI has two for tests. */
bool out_in_service(struct mtp3_link *l, uint8_t si, const struct snm *m);

/* To the neighbour of LS: on an available link of LS that is not EXCEPT (NULL: the one that was used before,
 * so that such messages stay in order), else by any route to it. False: there is none. */
bool out_to_neighbour(struct mtp3_linkset *ls, const struct mtp3_link *except, const struct snm *m);

/* From own point code OPC to PC, by the routing; priority MP. */
bool out_routed(struct mtp3_net *n, uint32_t opc, uint32_t pc, uint8_t mp, const struct snm *m);

/* Could out_to_neighbour() send? */
bool out_reaches(const struct mtp3_linkset *ls, const struct mtp3_link *except);
