# unit tests of src/sctp
check_PROGRAMS += test_transport
TESTS += test_transport
test_transport_SOURCES = tests/unit/sctp/test_transport.c tests/unit/sctp/rig.c tests/unit/sctp/rig.h
test_transport_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_transport_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)

check_PROGRAMS += test_crc32c test_embedded_packet test_embedded
TESTS += test_crc32c test_embedded_packet test_embedded
test_crc32c_SOURCES = tests/unit/sctp/test_crc32c.c
test_crc32c_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_crc32c_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
test_embedded_packet_SOURCES = tests/unit/sctp/test_embedded_packet.c
test_embedded_packet_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_embedded_packet_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
test_embedded_SOURCES = tests/unit/sctp/test_embedded.c tests/unit/sctp/embedded_fake.c \
	tests/unit/sctp/embedded_fake.h tests/unit/sctp/rig.c tests/unit/sctp/rig.h
test_embedded_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_embedded_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
