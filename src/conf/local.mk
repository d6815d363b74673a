noinst_LIBRARIES += src/libconf.a
src_libconf_a_SOURCES = \
	src/conf/conf.h \
	src/conf/load.c
