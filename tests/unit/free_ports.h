/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ports for tests with real sockets: several of them, of several builds, may run on one machine at once. */
#pragma once

#include <stdint.h>

/* The first of SPAN ports in a row, at most 250, that nobody on this host uses for TCP or UDP. No other test
 * gets them before this process ends. */
uint16_t free_ports(unsigned span);
