noinst_LIBRARIES += src/libm2pa.a
src_libm2pa_a_SOURCES = \
	src/m2pa/link.c src/m2pa/link.h \
	src/m2pa/link_act.c \
	src/m2pa/link_assoc.c \
	src/m2pa/link_fsm.c src/m2pa/link_fsm.h \
	src/m2pa/link_int.h
