/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/beat.h"

#include "base/log.h"
#include "m3ua/dispatch.h"
#include "m3ua/sg_int.h"

static void schedule_ms(struct osmo_timer_list *t, uint32_t ms)
{
	osmo_timer_schedule(t, (int)(ms / 1000), (int)(ms % 1000 * 1000));
}

/* s.4.3.4.6: "the remote M3UA peer is considered unavailable"; PE_DOWN follows and does the rest. */
static void unanswered(void *data)
{
	struct asp *asp = data;

	LOGP(DASP, LOGL_NOTICE, "asp %s: no answer to BEAT in %u ms, association aborted\n", asp->name,
		asp->conf->beat_timeout_ms);
	beat_stop(asp);
	if (asp->assoc)
		assoc_abort(asp->assoc, "M3UA heartbeat unanswered");
}

static void due(void *data)
{
	struct asp *asp = data;
	struct out o;
	uint8_t sequence[4];

	put_u32(sequence, ++asp->beat_sequence);
	o = out_begin(asp, M3UA_BEAT);
	if (o.m) {
		m3ua_put_bytes(&o.w, M3UA_P_HEARTBEAT_DATA, sequence, sizeof(sequence));
		out_end(&o, 0);
		asp->beats_unanswered++;
		if (!osmo_timer_pending(&asp->beat_deadline))
			schedule_ms(&asp->beat_deadline, asp->conf->beat_timeout_ms);
	}
	schedule_ms(&asp->beat_timer, asp->conf->beat_ms);
	sg_settle(asp->sg);
}

void beat_start(struct asp *asp)
{
	beat_stop(asp);
	if (!asp->conf->beat_ms || !asp->assoc)
		return;
	osmo_timer_setup(&asp->beat_timer, due, asp);
	osmo_timer_setup(&asp->beat_deadline, unanswered, asp);
	schedule_ms(&asp->beat_timer, asp->conf->beat_ms);
}

void beat_stop(struct asp *asp)
{
	osmo_timer_del(&asp->beat_timer);
	osmo_timer_del(&asp->beat_deadline);
	asp->beats_unanswered = 0;
}

void beat_heard(struct asp *asp)
{
	osmo_timer_del(&asp->beat_deadline);
	asp->beats_unanswered = 0;
}

/* "It includes all the parameters of the received BEAT message, without any change" (s.3.5.6). */
void beat_received(const struct in *in)
{
	struct out o = out_begin(in->asp, M3UA_BEAT_ACK);

	if (!o.m)
		return;
	wr_bytes(&o.w, in->msg.params, in->msg.params_len);
	while ((o.w.p - o.w.start) % 4 != 0) /* the last parameter may come without its padding */
		wr_u8(&o.w, 0);
	out_end(&o, in->stream);
}

void beat_acknowledged(const struct in *in)
{
	(void)in; /* beat_heard() has seen it */
}
