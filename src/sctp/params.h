/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator may set per association or listener: plain data, filled by the configuration, copied by
 * whoever keeps it. Names and defaults follow doc/configuration.md; units are in the names. */
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

enum { TP_MAX_ADDRS = 8 };

enum tp_kind { TP_AUTO, TP_KERNEL, TP_EMBEDDED, TP_TCP, TP_MEM, TP_KINDS };
enum tp_encap { TP_ENCAP_UDP, TP_ENCAP_RAW };                   /* embedded: RFC 6951, or IP protocol 132 */
enum tp_crc { TP_CRC_AUTO, TP_CRC_ALWAYS, TP_CRC_TRUST_LOCAL }; /* embedded: see doc/transports.md */

union tp_addr {
	struct sockaddr sa;
	struct sockaddr_in in;
	struct sockaddr_in6 in6;
};

struct tp_params {
	enum tp_kind kind;
	union tp_addr local[TP_MAX_ADDRS], remote[TP_MAX_ADDRS]; /* ports in them are ignored: see below */
	uint8_t n_local, n_remote;                               /* n_local 0: any local address */
	uint16_t local_port, remote_port;                        /* SCTP or TCP port, host order; 0: any */

	enum tp_encap encap;
	uint16_t local_udp_port,
		remote_udp_port; /* 0: 9899 (RFC 6951 s.4.1); remote 0 on a listener: as it comes */
	enum tp_crc crc;
	bool gso;          /* UDP_SEGMENT between embedded peers */
	uint16_t path_mtu; /* bytes of SCTP packet, 0: 1400 embedded, path MTU discovery kernel */

	uint16_t out_streams, max_in_streams;
	uint32_t rto_initial_ms, rto_min_ms, rto_max_ms;
	uint16_t path_max_retrans, assoc_max_retrans;
	uint16_t init_max_attempts;
	uint32_t init_max_timeout_ms;
	uint32_t heartbeat_ms;  /* 0: no SCTP heartbeats */
	uint32_t sack_delay_ms; /* 0: acknowledge every packet */
	uint8_t dscp;
	uint32_t sndbuf, rcvbuf; /* bytes */
	uint16_t backlog;        /* listeners */
};

/* The defaults of an operator's network (doc/configuration.md gives the reasons). */
void tp_params_default(struct tp_params *p);
