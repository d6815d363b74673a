/* SPDX-License-Identifier: GPL-2.0-or-later */
/* liburcu synchronizes with inline assembly that ThreadSanitizer cannot see. These two marks, at the two ends
 * of our queues, tell it of that one edge, and nothing else: whatever crosses threads by another way is still
 * reported. */
#pragma once

#if defined(__SANITIZE_THREAD__)
#define SB_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SB_TSAN 1
#endif
#endif

#ifdef SB_TSAN
void __tsan_acquire(void *addr);
void __tsan_release(void *addr);
#define TSAN_ACQUIRE(p) __tsan_acquire((void *)(p))
#define TSAN_RELEASE(p) __tsan_release((void *)(p))
#else
#define TSAN_ACQUIRE(p) ((void)(p))
#define TSAN_RELEASE(p) ((void)(p))
#endif
