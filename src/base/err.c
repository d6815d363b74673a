/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/err.h"

static const char *const texts[SB_ERR_COUNT] = {
	[SB_OK] = "ok",
	[SB_ENOMEM] = "out of memory",
	[SB_EINVAL] = "invalid value",
	[SB_ERANGE] = "out of range",
	[SB_ENOTSUP] = "not supported here",
	[SB_EADDR] = "address not usable",
	[SB_EAGAIN] = "not now",
	[SB_ESTATE] = "not in this state",
	[SB_EEXIST] = "exists already",
	[SB_ENOENT] = "no such object",
	[SB_ESYS] = "system call failed",
};

const char *sb_strerror(enum sb_err e)
{
	if ((unsigned)e >= SB_ERR_COUNT)
		return "unknown error";
	return texts[e];
}
