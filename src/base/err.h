/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one error type of the library: what a call could not do. Messages of peers have their own reasons
 * (wire/m3ua.h, data/drop.h); this is for operations of our own. */
#pragma once

#define SB_MUST_USE __attribute__((warn_unused_result))

enum sb_err {
	SB_OK = 0,
	SB_ENOMEM,  /* no memory */
	SB_EINVAL,  /* argument or value not acceptable */
	SB_ERANGE,  /* a bound would be exceeded */
	SB_ENOTSUP, /* this machine or transport cannot do it */
	SB_EADDR,   /* address not usable (not local, in use, bad family) */
	SB_EAGAIN,  /* not now: queue or buffer full */
	SB_ESTATE,  /* not in this state */
	SB_EEXIST,  /* there already */
	SB_ENOENT,  /* no such object */
	SB_ESYS,    /* a system call failed: errno tells */
	SB_ERR_COUNT
};

/* A short English text, never NULL. */
const char *sb_strerror(enum sb_err e);
