/* SPDX-License-Identifier: GPL-2.0-or-later */
/* M3UA's own heartbeat (RFC 4666 s.4.3.4.6), which is not SCTP's. */
#pragma once

struct asp;
struct in;

/* The association is up: begins to send, if configured. */
void beat_start(struct asp *asp);
void beat_stop(struct asp *asp);
/* Any message of the peer shows that it is alive. */
void beat_heard(struct asp *asp);

void beat_received(const struct in *in);
void beat_acknowledged(const struct in *in);
