/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an operator configures, as RFC 6458 s.8 socket options. An option that a kernel does not know is no
 * error: the association works with the kernel's default. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "sctp/kernel_int.h"

/* RFC 9260's 4 is for the open Internet; on an operator's network a burst of that size would be the limit
 * after every idle time. */
enum { MAX_BURST = 16 };

#define SET(fd, option, value) ((void)!setsockopt((fd), IPPROTO_SCTP, (option), &(value), sizeof(value)))

static void set_path(int fd, const struct tp_params *p)
{
	struct sctp_paddrparams pp = {
		.spp_pathmaxrxt = p->path_max_retrans,
		.spp_hbinterval = p->heartbeat_ms,
		.spp_flags = p->heartbeat_ms ? SPP_HB_ENABLE : SPP_HB_DISABLE,
	};

	if (p->path_mtu) {
		pp.spp_pathmtu = p->path_mtu;
		pp.spp_flags |= SPP_PMTUD_DISABLE;
	}
	if (p->dscp) {
		pp.spp_dscp = (uint8_t)(p->dscp << 2);
		pp.spp_flags |= SPP_DSCP;
	}
	if (setsockopt(fd, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &pp, sizeof(pp)) == 0)
		return;
	/* a kernel before 4.20, whose structure ends before the flow label */
	pp.spp_flags &= ~(uint32_t)SPP_DSCP;
	(void)!setsockopt(fd, IPPROTO_SCTP, SCTP_PEER_ADDR_PARAMS, &pp,
		offsetof(struct sctp_paddrparams, spp_ipv6_flowlabel));
}

static void set_sack_delay(int fd, const struct tp_params *p)
{
	/* frequency 1: every packet (RFC 6458 s.8.1.19); 0 leaves the stack's 2 */
	struct sctp_sack_info si = {.sack_delay = p->sack_delay_ms, .sack_freq = p->sack_delay_ms ? 0 : 1};

	SET(fd, SCTP_DELAYED_SACK, si);
}

static void subscribe(int fd)
{
	/* one by one: the structure of the older SCTP_EVENTS differs between kernels */
	static const uint16_t events[] = {SCTP_ASSOC_CHANGE, SCTP_PEER_ADDR_CHANGE, SCTP_SEND_FAILED_EVENT,
		SCTP_SHUTDOWN_EVENT, SCTP_PARTIAL_DELIVERY_EVENT};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct sctp_event ev = {.se_type = events[i], .se_on = 1};

		SET(fd, SCTP_EVENT, ev);
	}
}

void kernel_set_assoc_options(int fd, const struct tp_params *p)
{
	struct sctp_rtoinfo rto = {
		.srto_initial = p->rto_initial_ms,
		.srto_min = p->rto_min_ms,
		.srto_max = p->rto_max_ms,
	};
	struct sctp_assocparams ap = {.sasoc_asocmaxrxt = p->assoc_max_retrans};
	struct sctp_assoc_value burst = {.assoc_value = MAX_BURST};

	sock_set_buffers(fd, p);
	sock_set_dscp(fd, p->dscp);
	sock_set_int(fd, IPPROTO_SCTP, SCTP_NODELAY, 1);
	sock_set_int(fd, IPPROTO_SCTP, SCTP_RECVRCVINFO, 1);
	SET(fd, SCTP_RTOINFO, rto);
	set_path(fd, p);
	/* after the paths: a kernel may refuse more for the association than its paths add up to */
	SET(fd, SCTP_ASSOCINFO, ap);
	SET(fd, SCTP_MAX_BURST, burst);
	set_sack_delay(fd, p);
}

void kernel_set_options(int fd, const struct tp_params *p)
{
	struct sctp_initmsg im = {
		.sinit_num_ostreams = p->out_streams,
		.sinit_max_instreams = p->max_in_streams,
		.sinit_max_attempts = p->init_max_attempts,
		.sinit_max_init_timeo = (uint16_t)p->init_max_timeout_ms,
	};

	kernel_set_assoc_options(fd, p);
	SET(fd, SCTP_INITMSG, im);
	subscribe(fd);
}

void kernel_pack(uint8_t *out, const union tp_addr *addrs, unsigned n, uint16_t port)
{
	for (unsigned i = 0; i < n; i++) {
		union tp_addr a = addrs[i];

		tp_addr_unmap(&a);
		tp_addr_set_port(&a, port);
		memcpy(out, &a, tp_addr_len(&a));
		out += tp_addr_len(&a);
	}
}

/* Lists are packed, so that an address may lie anywhere. Returns its size there. */
static size_t copy_address(union tp_addr *out, const void *sockaddr)
{
	memset(out, 0, sizeof(*out));
	memcpy(out, sockaddr, sizeof(out->sa)); /* the shortest one */
	memcpy(out, sockaddr, tp_addr_len(out));
	return tp_addr_len(out);
}

uint16_t kernel_address(union tp_addr *out, const void *sockaddr)
{
	uint16_t port;

	copy_address(out, sockaddr);
	port = tp_addr_port(out);
	tp_addr_set_port(out, 0);
	tp_addr_unmap(out);
	return port;
}

unsigned kernel_unpack(const struct sockaddr *p, int n, union tp_addr addrs[TP_MAX_ADDRS], uint16_t *port)
{
	const uint8_t *next = (const uint8_t *)p;
	unsigned count = 0;

	*port = 0;
	for (; count < (unsigned)n && count < TP_MAX_ADDRS; count++) {
		union tp_addr raw;

		*port = kernel_address(&addrs[count], next);
		next += copy_address(&raw, next);
	}
	return count;
}

static int bind_local(int fd, const struct tp_params *p, int family)
{
	uint8_t packed[TP_MAX_ADDRS * sizeof(union tp_addr)];
	union tp_addr any;

	if (p->n_local) {
		kernel_pack(packed, p->local, p->n_local, p->local_port);
		return sctp_bindx(fd, (struct sockaddr *)(void *)packed, p->n_local, SCTP_BINDX_ADD_ADDR);
	}
	sock_any(&any, family, p->local_port);
	return bind(fd, &any.sa, tp_addr_len(&any));
}

enum sb_err kernel_open(const struct tp_params *p, int family, int *out)
{
	int fd = socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_SCTP);

	if (fd < 0)
		return errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT || errno == EAFNOSUPPORT
			       ? SB_ENOTSUP
			       : SB_ESYS;
	kernel_set_options(fd, p);
	sock_set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if ((p->n_local || p->local_port) && bind_local(fd, p, family) != 0) {
		enum sb_err e =
			errno == EADDRINUSE || errno == EADDRNOTAVAIL || errno == EINVAL ? SB_EADDR : SB_ESYS;
		close(fd);
		return e;
	}
	*out = fd;
	return SB_OK;
}

void kernel_demand_heartbeat(int fd)
{
	struct sctp_status st = {0};
	socklen_t len = sizeof(st);
	struct sctp_paddrparams pp = {.spp_flags = SPP_HB_DEMAND};

	/* on a given path only; the primary is as good as any */
	if (getsockopt(fd, IPPROTO_SCTP, SCTP_STATUS, &st, &len) != 0)
		return;
	pp.spp_address = st.sstat_primary.spinfo_address;
	SET(fd, SCTP_PEER_ADDR_PARAMS, pp);
}
