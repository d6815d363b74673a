noinst_LIBRARIES += src/libdata.a
src_libdata_a_SOURCES = \
	src/data/counter.c src/data/counter.h \
	src/data/drop.c src/data/drop.h \
	src/data/fwd.h \
	src/data/plane.h \
	src/data/share.c src/data/share.h
