/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a message went no further. One row per reason: its name in `show` and JSON, and what an operator reads.
 * The order is the counters' order; add rows at the end of a group, nothing else depends on the numbers. */
#pragma once

#define DROP_REASONS(X)                                                                                      \
	X(MALFORMED, "malformed", "not a well-formed M3UA message")                                          \
	X(TOO_LONG, "too-long", "longer than max-message")                                                   \
	X(NO_BUFFER, "no-buffer", "the worker's buffers were all in use")                                    \
	X(BAD_PPID, "bad-ppid", "SCTP payload protocol identifier is not M3UA's")                            \
	X(STREAM_0, "stream-0", "DATA on stream 0 (RFC 4666 s.1.4.7)")                                       \
	X(NOT_ACTIVE, "not-active", "DATA from an ASP that is not active in that AS")                        \
	X(BAD_RC, "bad-routing-context", "Routing Context is not one of the sender's")                       \
	X(NO_RC, "no-routing-context", "no Routing Context, and the sender has several ASs")                 \
	X(BAD_NA, "bad-network-appearance", "Network Appearance is not the network's")                       \
	X(BAD_NI, "bad-network-indicator", "network indicator is not the network's")                         \
	X(OWN_OPC, "own-opc", "our own point code as OPC: a loop")                                           \
	X(LOOP, "loop", "would go back to the AS it came from")                                              \
	X(NO_ROUTE, "no-route", "no routing key for the destination point code")                             \
	X(NO_USER, "no-user-part", "destination known, but no routing key for this user or OPC")             \
	X(AS_DOWN, "as-down", "the serving AS has no active ASP")                                            \
	X(HOLD_FULL, "pending-full", "AS-PENDING queue is full")                                             \
	X(HOLD_EXPIRED, "pending-expired", "T(r) expired while the message was queued")                      \
	X(TXQ_FULL, "transmit-queue-full", "the association's transmit queue is full")                       \
	X(ASSOC_DOWN, "association-down", "the association went down with the message queued")               \
	X(SEND_FAILED, "send-failed", "SCTP gave the message back undelivered")                              \
	X(CONTROL_BUSY, "control-busy", "too many messages of this peer wait for the control plane")         \
	X(M2PA_SHORT, "m2pa-short", "M2PA: shorter than its header")                                         \
	X(M2PA_VERSION, "m2pa-version", "M2PA: unsupported version")                                         \
	X(M2PA_CLASS, "m2pa-class", "M2PA: invalid message class")                                           \
	X(M2PA_TYPE, "m2pa-type", "M2PA: unsupported message type")                                          \
	X(M2PA_LENGTH, "m2pa-length", "M2PA: length field is not the message's length")                      \
	X(M2PA_STATE, "m2pa-state", "M2PA: no such link status")                                             \
	X(M2PA_MSU, "m2pa-msu", "M2PA: User Data too short for an MSU")                                      \
	X(M2PA_CLOSED, "m2pa-closed", "M2PA: User Data on a link that is not aligned")                       \
	X(M2PA_FSN, "m2pa-fsn", "M2PA: forward sequence number out of order")                                \
	X(M2PA_BSN, "m2pa-bsn", "M2PA: backward sequence number of nothing that was sent")                   \
	X(M2PA_RX_FULL, "m2pa-receive-full", "M2PA: too much received during an outage or while busy")       \
	X(M2PA_RESYNC, "m2pa-resync", "M2PA: sent before the peer knew that an outage had ended")            \
	X(M2PA_FLUSHED, "m2pa-flushed", "M2PA: flushed after a processor outage")                            \
	X(NO_LINKSET, "no-linkset", "MSU from a link whose linkset carries no traffic")                      \
	X(NOT_USER, "not-a-user-part", "DATA of network management or testing (SI 0 to 2)")                  \
	X(OWN_DPC, "own-dpc", "MSU for our own point code, where there is no such user")                     \
	X(BAD_OPC, "bad-opc", "OPC too large for the network's point codes")                                 \
	X(LONG_SIF, "long-sif", "label and user part longer than the linkset's max-sif")

#define X(id, name, text) DROP_##id,
enum drop_reason { DROP_REASONS(X) DROP_COUNT };
#undef X

const char *drop_name(enum drop_reason r);
const char *drop_text(enum drop_reason r);
