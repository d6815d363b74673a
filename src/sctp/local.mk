noinst_LIBRARIES += src/libsctp.a
src_libsctp_a_SOURCES = \
	src/sctp/addr.c src/sctp/addr.h \
	src/sctp/embedded.c \
	src/sctp/kernel.c \
	src/sctp/mem.c \
	src/sctp/params.c src/sctp/params.h \
	src/sctp/sock.c src/sctp/sock.h \
	src/sctp/tcp.c \
	src/sctp/transport.c src/sctp/transport.h
