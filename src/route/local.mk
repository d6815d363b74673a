noinst_LIBRARIES += src/libroute.a
src_libroute_a_SOURCES = \
	src/route/dest.c src/route/dest.h \
	src/route/egress.c \
	src/route/move.c \
	src/route/news.c \
	src/route/plan.c \
	src/route/route.h src/route/route_int.h \
	src/route/router.c \
	src/route/status.c \
	src/route/target.c \
	src/route/team.c
