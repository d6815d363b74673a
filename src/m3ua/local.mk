noinst_LIBRARIES += src/libm3ua.a
src_libm3ua_a_SOURCES = \
	src/m3ua/as.c src/m3ua/as.h \
	src/m3ua/asp.h \
	src/m3ua/dest.h \
	src/m3ua/sg.h \
	src/m3ua/sg_conf.h
