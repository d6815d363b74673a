noinst_LIBRARIES += src/libapp.a
src_libapp_a_SOURCES = \
	src/app/app.c src/app/app.h
