/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sctp/offload.h"

#include <errno.h>
#include <ifaddrs.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { MAX_DEVICES = 32 };

static const char FEATURE[] = "tx-checksum-sctp";

static bool ethtool(int fd, const char *device, void *command)
{
	struct ifreq ifr = {.ifr_data = command};

	strncpy(ifr.ifr_name, device, sizeof(ifr.ifr_name) - 1);
	return ioctl(fd, SIOCETHTOOL, &ifr) >= 0;
}

static unsigned feature_count(int fd, const char *device)
{
	/* the count comes behind the structure, one for each bit of the mask */
	union {
		struct ethtool_sset_info info;
		uint8_t room[sizeof(struct ethtool_sset_info) + sizeof(uint32_t)];
	} q = {.room = {0}};

	q.info.cmd = ETHTOOL_GSSET_INFO;
	q.info.sset_mask = 1ull << ETH_SS_FEATURES;
	return ethtool(fd, device, &q) && q.info.sset_mask ? q.info.data[0] : 0;
}

/* The feature's number in 0 .. N - 1, or -1: numbers differ between kernels, names do not. */
static int feature_index(int fd, const char *device, unsigned n)
{
	struct ethtool_gstrings *names = calloc(1, sizeof(*names) + (size_t)n * ETH_GSTRING_LEN);
	int found = -1;

	if (!names)
		return -1;
	names->cmd = ETHTOOL_GSTRINGS;
	names->string_set = ETH_SS_FEATURES;
	names->len = n;
	if (ethtool(fd, device, names))
		for (unsigned i = 0; i < n && found < 0; i++)
			if (!strncmp((char *)names->data + (size_t)i * ETH_GSTRING_LEN, FEATURE,
				    ETH_GSTRING_LEN))
				found = (int)i;
	free(names);
	return found;
}

static enum offload_state query(int fd, const char *device, unsigned n, unsigned index)
{
	unsigned blocks = (n + 31) / 32;
	struct ethtool_gfeatures *f = calloc(1, sizeof(*f) + blocks * sizeof(f->features[0]));
	enum offload_state state = OFFLOAD_UNKNOWN;

	if (!f)
		return state;
	f->cmd = ETHTOOL_GFEATURES;
	f->size = blocks;
	if (ethtool(fd, device, f))
		state = f->features[index / 32].active & (1u << index % 32) ? OFFLOAD_YES : OFFLOAD_NO;
	free(f);
	return state;
}

enum offload_state offload_get(const char *device)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), index = -1;
	enum offload_state state = OFFLOAD_UNKNOWN;
	unsigned n = 0;

	if (fd < 0)
		return state;
	n = feature_count(fd, device);
	if (n)
		index = feature_index(fd, device, n);
	if (index >= 0)
		state = query(fd, device, n, (unsigned)index);
	close(fd);
	return state;
}

static enum sb_err change(int fd, const char *device, unsigned n, unsigned index, bool on)
{
	unsigned blocks = (n + 31) / 32;
	struct ethtool_sfeatures *f = calloc(1, sizeof(*f) + blocks * sizeof(f->features[0]));
	enum sb_err e = SB_OK;

	if (!f)
		return SB_ENOMEM;
	f->cmd = ETHTOOL_SFEATURES;
	f->size = blocks;
	f->features[index / 32].valid = 1u << index % 32;
	f->features[index / 32].requested = on ? 1u << index % 32 : 0;
	if (!ethtool(fd, device, f))
		e = errno == EOPNOTSUPP ? SB_ENOTSUP : SB_ESYS;
	free(f);
	return e;
}

enum sb_err offload_set(const char *device, bool on)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), index = -1;
	enum sb_err e = SB_ENOTSUP;
	unsigned n;

	if (fd < 0)
		return SB_ESYS;
	n = feature_count(fd, device);
	if (n)
		index = feature_index(fd, device, n);
	if (index >= 0)
		e = change(fd, device, n, (unsigned)index, on);
	close(fd);
	/* a device with the feature fixed accepts the request and stays as it is */
	if (!e && offload_get(device) != (on ? OFFLOAD_YES : OFFLOAD_NO))
		e = SB_ENOTSUP;
	return e;
}

const char *offload_name(enum offload_state s)
{
	static const char *const names[] = {
		[OFFLOAD_UNKNOWN] = "unknown", [OFFLOAD_YES] = "yes", [OFFLOAD_NO] = "no"};

	return names[s];
}

static bool wanted(const union tp_addr *addrs, unsigned n, const union tp_addr *a)
{
	for (unsigned i = 0; i < n; i++)
		if (tp_addr_is_any(&addrs[i]) || tp_addr_same(&addrs[i], a))
			return true;
	return n == 0;
}

static struct offload_device *device(struct offload_device *out, unsigned *n, unsigned max, const char *name)
{
	struct offload_device *d;

	for (unsigned i = 0; i < *n; i++)
		if (!strcmp(out[i].name, name))
			return &out[i];
	if (*n == max)
		return NULL;
	d = &out[(*n)++];
	memset(d, 0, sizeof(*d));
	strncpy(d->name, name, sizeof(d->name) - 1);
	d->state = offload_get(name);
	return d;
}

unsigned offload_list(const union tp_addr *addrs, unsigned n, struct offload_device *out, unsigned max)
{
	struct ifaddrs *all = NULL;
	unsigned count = 0;

	if (getifaddrs(&all) != 0)
		return 0;
	for (struct ifaddrs *i = all; i; i = i->ifa_next) {
		struct offload_device *d;
		union tp_addr a = {0};

		if (!i->ifa_addr || (i->ifa_addr->sa_family != AF_INET && i->ifa_addr->sa_family != AF_INET6))
			continue;
		a.sa.sa_family = i->ifa_addr->sa_family;
		memcpy(&a, i->ifa_addr, tp_addr_len(&a));
		if (!wanted(addrs, n, &a))
			continue;
		d = device(out, &count, max, i->ifa_name);
		if (d && d->n_addrs < TP_MAX_ADDRS)
			d->addrs[d->n_addrs++] = a;
	}
	freeifaddrs(all);
	return count;
}

const char *offload_summary(const union tp_addr *addrs, unsigned n)
{
	struct offload_device d[MAX_DEVICES];
	unsigned count = offload_list(addrs, n, d, MAX_DEVICES), yes = 0;

	for (unsigned i = 0; i < count; i++)
		yes += d[i].state == OFFLOAD_YES;
	if (!count)
		return "unknown: no device has the local addresses";
	if (yes == count)
		return "left to the device (tx-checksum-sctp)";
	return yes ? "left to the device on some paths, else computed by the kernel"
		   : "computed by the kernel";
}
