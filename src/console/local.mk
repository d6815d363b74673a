noinst_LIBRARIES += src/libconsole.a
src_libconsole_a_SOURCES = \
	src/console/console.h \
	src/console/walk.c src/console/walk.h
