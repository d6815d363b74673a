/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/params.h"

void tp_params_default(struct tp_params *p)
{
	*p = (struct tp_params){
		.kind = TP_AUTO,
		.out_streams = 16,
		.max_in_streams = 2048,
		/* The RFC's RTO (3 s, 1 to 60 s) takes 63 s to give up a path; signaling has a second or two.
		 */
		.rto_initial_ms = 200,
		.rto_min_ms = 100,
		.rto_max_ms = 800,
		.path_max_retrans = 3,
		.assoc_max_retrans = 6,
		.init_max_attempts = 4,
		.init_max_timeout_ms = 800,
		.heartbeat_ms = 5000,
		/* below rto_min, or every lone message is sent twice */
		.sack_delay_ms = 20,
		/* a 100-byte message is charged about 1 KiB: the kernel's own 208 KiB hold some 200 of them
		 */
		.sndbuf = 4 << 20,
		.rcvbuf = 4 << 20,
		.backlog = 512,
	};
}
