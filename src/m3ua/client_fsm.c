/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "m3ua/client_fsm.h"

/* clang-format off */
const struct client_cell client_fsm[CL_STATES][CLE_EVENTS] = {
	[CL_IDLE] = {
		[CLE_START]     = {CL_UP_SENT,   CLA_ASPUP},
		[CLE_TIMER]     = {CL_UP_SENT,   CLA_ASPUP},
		[CLE_GIVE_UP]   = {CL_IDLE,      CLA_NONE},
		[CLE_UP_ACK]    = {CL_UP,        CLA_CORRECT}, /* s.4.3.4.1 */
		[CLE_DOWN_ACK]  = {CL_IDLE,      CLA_NONE},
		[CLE_ERROR]     = {CL_IDLE,      CLA_NONE},
		[CLE_STOP]      = {CL_IDLE,      CLA_CLOSE},
		[CLE_QUIET]     = {CL_IDLE,      CLA_NONE},
		[CLE_LOST]      = {CL_IDLE,      CLA_RESET},
		[CLE_PEER_UP]   = {CL_UP,        CLA_COME_UP},
		[CLE_PEER_DOWN] = {CL_IDLE,      CLA_NONE},
	},
	[CL_UP_SENT] = {
		[CLE_START]     = {CL_UP_SENT,   CLA_NONE},
		[CLE_TIMER]     = {CL_UP_SENT,   CLA_ASPUP},
		[CLE_GIVE_UP]   = {CL_IDLE,      CLA_ABORT},
		[CLE_UP_ACK]    = {CL_UP,        CLA_COME_UP},
		[CLE_DOWN_ACK]  = {CL_UP_SENT,   CLA_NONE}, /* older than our ASPUP; T(ack) decides */
		[CLE_ERROR]     = {CL_REFUSED,   CLA_SLOW},
		[CLE_STOP]      = {CL_IDLE,      CLA_CLOSE},
		[CLE_QUIET]     = {CL_UP_SENT,   CLA_NONE},
		[CLE_LOST]      = {CL_IDLE,      CLA_RESET},
		[CLE_PEER_UP]   = {CL_UP,        CLA_COME_UP},
		[CLE_PEER_DOWN] = {CL_UP_SENT,   CLA_NONE},
	},
	[CL_REFUSED] = {
		[CLE_START]     = {CL_UP_SENT,   CLA_ASPUP},
		[CLE_TIMER]     = {CL_UP_SENT,   CLA_ASPUP},
		[CLE_GIVE_UP]   = {CL_REFUSED,   CLA_NONE},
		[CLE_UP_ACK]    = {CL_UP,        CLA_COME_UP}, /* Error and ACK may come in any order */
		[CLE_DOWN_ACK]  = {CL_REFUSED,   CLA_NONE},
		[CLE_ERROR]     = {CL_REFUSED,   CLA_NONE},
		[CLE_STOP]      = {CL_IDLE,      CLA_CLOSE},
		[CLE_QUIET]     = {CL_REFUSED,   CLA_NONE},
		[CLE_LOST]      = {CL_IDLE,      CLA_RESET},
		[CLE_PEER_UP]   = {CL_UP,        CLA_COME_UP},
		[CLE_PEER_DOWN] = {CL_REFUSED,   CLA_NONE},
	},
	[CL_UP] = {
		[CLE_START]     = {CL_UP,        CLA_NONE},
		[CLE_TIMER]     = {CL_UP,        CLA_NONE},
		[CLE_GIVE_UP]   = {CL_UP,        CLA_NONE},
		[CLE_UP_ACK]    = {CL_UP,        CLA_PROTEST}, /* s.4.3.4.1 */
		[CLE_DOWN_ACK]  = {CL_IDLE,      CLA_RETURN},    /* s.4.3.4.2 */
		[CLE_ERROR]     = {CL_UP,        CLA_NONE},
		[CLE_STOP]      = {CL_UP,        CLA_LEAVE},
		[CLE_QUIET]     = {CL_DOWN_SENT, CLA_ASPDN},
		[CLE_LOST]      = {CL_IDLE,      CLA_RESET},
		[CLE_PEER_UP]   = {CL_UP,        CLA_FALL_BACK},
		[CLE_PEER_DOWN] = {CL_IDLE,      CLA_REST},
	},
	[CL_DOWN_SENT] = {
		[CLE_START]     = {CL_DOWN_SENT, CLA_NONE},
		[CLE_TIMER]     = {CL_DOWN_SENT, CLA_ASPDN},
		[CLE_GIVE_UP]   = {CL_IDLE,      CLA_CLOSE},
		[CLE_UP_ACK]    = {CL_DOWN_SENT, CLA_NONE},
		[CLE_DOWN_ACK]  = {CL_IDLE,      CLA_CLOSE},
		[CLE_ERROR]     = {CL_IDLE,      CLA_CLOSE},
		[CLE_STOP]      = {CL_DOWN_SENT, CLA_NONE},
		[CLE_QUIET]     = {CL_DOWN_SENT, CLA_NONE},
		[CLE_LOST]      = {CL_IDLE,      CLA_RESET},
		[CLE_PEER_UP]   = {CL_DOWN_SENT, CLA_NONE},
		[CLE_PEER_DOWN] = {CL_IDLE,      CLA_CLOSE},
	},
};

const struct client_cell client_as_fsm[CA_STATES][CAE_EVENTS] = {
	[CA_IDLE] = {
		[CAE_GO]            = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_LATER]         = {CA_WAIT,          CAA_DELAY},
		[CAE_TIMER]         = {CA_IDLE,          CAA_NONE},
		[CAE_GIVE_UP]       = {CA_IDLE,          CAA_NONE},
		[CAE_ACTIVE_ACK]    = {CA_INACTIVE_SENT, CAA_ASPIA}, /* nobody asked for it: not for long */
		[CAE_INACTIVE_ACK]  = {CA_IDLE,          CAA_NONE},
		[CAE_ERROR]         = {CA_IDLE,          CAA_NONE},
		[CAE_STOP]          = {CA_IDLE,          CAA_NONE},
		[CAE_LOST]          = {CA_IDLE,          CAA_NONE},
		[CAE_FALL_BACK]     = {CA_IDLE,          CAA_NONE},
		[CAE_OVERRIDDEN]    = {CA_STANDBY,       CAA_NONE},
		[CAE_NEEDED]        = {CA_IDLE,          CAA_NONE},
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_RESET},
		[CAE_PEER_INACTIVE] = {CA_IDLE,          CAA_NONE},
	},
	[CA_ACTIVE_SENT] = {
		[CAE_GO]            = {CA_ACTIVE_SENT,   CAA_NONE},
		[CAE_LATER]         = {CA_ACTIVE_SENT,   CAA_NONE},
		[CAE_TIMER]         = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_GIVE_UP]       = {CA_WAIT,          CAA_GIVE_UP},
		[CAE_ACTIVE_ACK]    = {CA_ACTIVE,        CAA_ACTIVATE},
		[CAE_INACTIVE_ACK]  = {CA_ACTIVE_SENT,   CAA_NONE}, /* older than our ASPAC; T(ack) decides */
		[CAE_ERROR]         = {CA_WAIT,          CAA_SLOW},
		[CAE_STOP]          = {CA_INACTIVE_SENT, CAA_ASPIA},
		[CAE_LOST]          = {CA_IDLE,          CAA_RESET},
		[CAE_FALL_BACK]     = {CA_ACTIVE_SENT,   CAA_NONE},
		[CAE_OVERRIDDEN]    = {CA_ACTIVE_SENT,   CAA_NONE}, /* older than our ASPAC */
		[CAE_NEEDED]        = {CA_ACTIVE_SENT,   CAA_NONE},
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_RESET},
		[CAE_PEER_INACTIVE] = {CA_ACTIVE_SENT,   CAA_NONE},
	},
	[CA_WAIT] = {
		[CAE_GO]            = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_LATER]         = {CA_WAIT,          CAA_NONE},
		[CAE_TIMER]         = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_GIVE_UP]       = {CA_WAIT,          CAA_NONE},
		[CAE_ACTIVE_ACK]    = {CA_ACTIVE,        CAA_ACTIVATE},
		[CAE_INACTIVE_ACK]  = {CA_WAIT,          CAA_NONE},
		[CAE_ERROR]         = {CA_WAIT,          CAA_NONE},
		[CAE_STOP]          = {CA_IDLE,          CAA_RESET},
		[CAE_LOST]          = {CA_IDLE,          CAA_RESET},
		[CAE_FALL_BACK]     = {CA_WAIT,          CAA_NONE},
		[CAE_OVERRIDDEN]    = {CA_STANDBY,       CAA_RESET},
		[CAE_NEEDED]        = {CA_WAIT,          CAA_NONE}, /* it was refused: patience */
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_RESET},
		[CAE_PEER_INACTIVE] = {CA_WAIT,          CAA_NONE},
	},
	[CA_STANDBY] = {
		[CAE_GO]            = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_LATER]         = {CA_STANDBY,       CAA_NONE},
		[CAE_TIMER]         = {CA_STANDBY,       CAA_NONE},
		[CAE_GIVE_UP]       = {CA_STANDBY,       CAA_NONE},
		[CAE_ACTIVE_ACK]    = {CA_ACTIVE,        CAA_ACTIVATE},
		[CAE_INACTIVE_ACK]  = {CA_STANDBY,       CAA_NONE},
		[CAE_ERROR]         = {CA_STANDBY,       CAA_NONE},
		[CAE_STOP]          = {CA_IDLE,          CAA_RESET},
		[CAE_LOST]          = {CA_IDLE,          CAA_RESET},
		[CAE_FALL_BACK]     = {CA_STANDBY,       CAA_NONE},
		[CAE_OVERRIDDEN]    = {CA_STANDBY,       CAA_NONE},
		[CAE_NEEDED]        = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_RESET},
		[CAE_PEER_INACTIVE] = {CA_STANDBY,       CAA_NONE},
	},
	[CA_ACTIVE] = {
		[CAE_GO]            = {CA_ACTIVE,        CAA_NONE},
		[CAE_LATER]         = {CA_ACTIVE,        CAA_NONE},
		[CAE_TIMER]         = {CA_ACTIVE,        CAA_NONE},
		[CAE_GIVE_UP]       = {CA_ACTIVE,        CAA_NONE},
		[CAE_ACTIVE_ACK]    = {CA_ACTIVE,        CAA_NONE},
		[CAE_INACTIVE_ACK]  = {CA_WAIT,          CAA_RETURN}, /* s.4.3.4.4 */
		[CAE_ERROR]         = {CA_ACTIVE,        CAA_NONE},
		[CAE_STOP]          = {CA_INACTIVE_SENT, CAA_ASPIA},
		[CAE_LOST]          = {CA_IDLE,          CAA_RESET},
		[CAE_FALL_BACK]     = {CA_WAIT,          CAA_RETURN},
		[CAE_OVERRIDDEN]    = {CA_STANDBY,       CAA_STANDBY}, /* s.4.3.4.3: MUST */
		[CAE_NEEDED]        = {CA_ACTIVE,        CAA_NONE},
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_NONE},
		[CAE_PEER_INACTIVE] = {CA_WAIT,          CAA_SLOW},
	},
	[CA_INACTIVE_SENT] = {
		[CAE_GO]            = {CA_ACTIVE_SENT,   CAA_ASPAC},
		[CAE_LATER]         = {CA_WAIT,          CAA_DELAY},
		[CAE_TIMER]         = {CA_INACTIVE_SENT, CAA_ASPIA},
		[CAE_GIVE_UP]       = {CA_IDLE,          CAA_DONE},
		[CAE_ACTIVE_ACK]    = {CA_INACTIVE_SENT, CAA_NONE}, /* older than our ASPIA */
		[CAE_INACTIVE_ACK]  = {CA_IDLE,          CAA_DONE},
		[CAE_ERROR]         = {CA_IDLE,          CAA_DONE},
		[CAE_STOP]          = {CA_INACTIVE_SENT, CAA_NONE},
		[CAE_LOST]          = {CA_IDLE,          CAA_RESET},
		[CAE_FALL_BACK]     = {CA_INACTIVE_SENT, CAA_NONE},
		[CAE_OVERRIDDEN]    = {CA_INACTIVE_SENT, CAA_NONE},
		[CAE_NEEDED]        = {CA_INACTIVE_SENT, CAA_NONE},
		[CAE_PEER_ACTIVE]   = {CA_ACTIVE,        CAA_RESET},
		[CAE_PEER_INACTIVE] = {CA_IDLE,          CAA_DONE},
	},
};
/* clang-format on */

const char *client_state_name(enum client_state s)
{
	static const char *const names[CL_STATES] = {[CL_IDLE] = "idle",
		[CL_UP_SENT] = "up-sent",
		[CL_REFUSED] = "refused",
		[CL_UP] = "up",
		[CL_DOWN_SENT] = "down-sent"};

	return s < CL_STATES ? names[s] : "?";
}

const char *client_as_state_name(enum client_as_state s)
{
	static const char *const names[CA_STATES] = {[CA_IDLE] = "idle",
		[CA_ACTIVE_SENT] = "active-sent",
		[CA_WAIT] = "waiting",
		[CA_STANDBY] = "standby",
		[CA_ACTIVE] = "active",
		[CA_INACTIVE_SENT] = "inactive-sent"};

	return s < CA_STATES ? names[s] : "?";
}
