/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pooled memory is never given back, so AddressSanitizer cannot know when it is free. These marks tell it: a
 * touch of a freed message buffer is reported as any other use after free. */
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define SB_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SB_ASAN 1
#endif
#endif

#ifdef SB_ASAN
#include <sanitizer/asan_interface.h>
#define ASAN_POISON(p, n)   __asan_poison_memory_region((p), (n))
#define ASAN_UNPOISON(p, n) __asan_unpoison_memory_region((p), (n))
#else
#define ASAN_POISON(p, n)   ((void)(p), (void)(n))
#define ASAN_UNPOISON(p, n) ((void)(p), (void)(n))
#endif
