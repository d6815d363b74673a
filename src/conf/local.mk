noinst_LIBRARIES += src/libconf.a
src_libconf_a_SOURCES = \
	src/conf/check.c src/conf/check.h \
	src/conf/check_as.c \
	src/conf/check_assoc.c \
	src/conf/check_keys.c \
	src/conf/check_routes.c \
	src/conf/check_ss7.c \
	src/conf/conf.h \
	src/conf/diff.c \
	src/conf/dump.c \
	src/conf/load.c \
	src/conf/reader.c src/conf/reader.h \
	src/conf/reference.c \
	src/conf/schema.c src/conf/schema.h \
	src/conf/schema_as.c \
	src/conf/schema_asp.c src/conf/schema_peer.c src/conf/schema_peer_rows.h \
	src/conf/schema_route.c \
	src/conf/schema_row.h \
	src/conf/schema_sctp.c \
	src/conf/schema_ss7.c \
	src/conf/source.c src/conf/source.h \
	src/conf/suggest.c src/conf/suggest.h \
	src/conf/value.c src/conf/value.h \
	src/conf/value_group.c \
	src/conf/value_prefix.c \
	src/conf/value_list.c
