/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/params.h"

void tp_params_default(struct tp_params *p)
{
	*p = (struct tp_params){
		.kind = TP_AUTO,
		.out_streams = 16,
		.max_in_streams = 2048,
		.rto_initial_ms = 200,
		.rto_min_ms = 100,
		.rto_max_ms = 800,
		.path_max_retrans = 3,
		.assoc_max_retrans = 6,
		.init_max_attempts = 4,
		.init_max_timeout_ms = 800,
		.heartbeat_ms = 5000,
		.sack_delay_ms = 20,
		.sndbuf = 4 << 20,
		.rcvbuf = 4 << 20,
		.backlog = 512,
	};
}
