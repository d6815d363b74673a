noinst_LIBRARIES += src/libbase.a
src_libbase_a_SOURCES = \
	src/base/asan.h \
	src/base/backoff.h \
	src/base/clock.c src/base/clock.h \
	src/base/err.c src/base/err.h \
	src/base/hash.h \
	src/base/inbox.c src/base/inbox.h \
	src/base/limit.c src/base/limit.h \
	src/base/log.c src/base/log.h \
	src/base/mbuf.c src/base/mbuf.h \
	src/base/paged.c src/base/paged.h \
	src/base/rcu.h \
	src/base/tsan.h
