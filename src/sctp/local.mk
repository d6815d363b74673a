noinst_LIBRARIES += src/libsctp.a
src_libsctp_a_SOURCES = \
	src/sctp/addr.c src/sctp/addr.h \
	src/sctp/crc32c.c src/sctp/crc32c.h \
	src/sctp/embedded.c src/sctp/embedded.h src/sctp/embedded_int.h \
	src/sctp/embedded_assoc.c \
	src/sctp/embedded_in.c \
	src/sctp/embedded_info.c \
	src/sctp/embedded_ops.c \
	src/sctp/embedded_packet.c src/sctp/embedded_packet.h \
	src/sctp/embedded_peer.c \
	src/sctp/embedded_read.c \
	src/sctp/embedded_sock.c \
	src/sctp/embedded_tx.c \
	src/sctp/kernel.c src/sctp/kernel_int.h \
	src/sctp/kernel_info.c \
	src/sctp/kernel_io.c \
	src/sctp/kernel_notify.c \
	src/sctp/kernel_opts.c \
	src/sctp/mem.c \
	src/sctp/offload.c src/sctp/offload.h \
	src/sctp/params.c src/sctp/params.h \
	src/sctp/sock.c src/sctp/sock.h \
	src/sctp/tcp.c \
	src/sctp/transport.c src/sctp/transport.h
