# unit tests of src/sctp
check_PROGRAMS += test_transport
TESTS += test_transport
test_transport_SOURCES = tests/unit/sctp/test_transport.c tests/unit/sctp/rig.c tests/unit/sctp/rig.h
test_transport_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_transport_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
