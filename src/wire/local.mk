noinst_LIBRARIES += src/libwire.a
src_libwire_a_SOURCES = \
	src/wire/cursor.h \
	src/wire/m2pa.c src/wire/m2pa.h \
	src/wire/m3ua.c src/wire/m3ua.h \
	src/wire/m3ua_data.c src/wire/m3ua_data.h src/wire/m3ua_data_inline.h \
	src/wire/m3ua_dict.c \
	src/wire/m3ua_dump.c \
	src/wire/m3ua_write.c \
	src/wire/mtp3.c src/wire/mtp3.h \
	src/wire/mtp3_snm.c src/wire/mtp3_snm.h \
	src/wire/pc.c src/wire/pc.h
