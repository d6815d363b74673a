noinst_LIBRARIES += src/libsctp.a
src_libsctp_a_SOURCES = \
	src/sctp/addr.c src/sctp/addr.h \
	src/sctp/params.c src/sctp/params.h \
	src/sctp/transport.c src/sctp/transport.h
