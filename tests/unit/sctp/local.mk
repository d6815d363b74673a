# unit tests of src/sctp
FREE_PORTS = tests/unit/free_ports.c tests/unit/free_ports.h
SCTP_TEST_RIG = tests/unit/sctp/rig.c tests/unit/sctp/rig.h $(FREE_PORTS)
SCTP_TEST_LIBS = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
SCTP_TESTS = \
	tests/unit/sctp/test_addr \
	tests/unit/sctp/test_crc32c \
	tests/unit/sctp/test_embedded \
	tests/unit/sctp/test_embedded_packet \
	tests/unit/sctp/test_embedded_strangers \
	tests/unit/sctp/test_mem \
	tests/unit/sctp/test_offload \
	tests/unit/sctp/test_tcp \
	tests/unit/sctp/test_transport
# test_kernel needs a kernel with SCTP and namespaces: tests/integration/uml runs it
check_PROGRAMS += $(SCTP_TESTS) tests/unit/sctp/test_kernel
TESTS += $(SCTP_TESTS)

tests_unit_sctp_test_addr_SOURCES = tests/unit/sctp/test_addr.c
tests_unit_sctp_test_addr_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_crc32c_SOURCES = tests/unit/sctp/test_crc32c.c
tests_unit_sctp_test_crc32c_LDADD = $(SCTP_TEST_LIBS)
EMBEDDED_RIG = tests/unit/sctp/embedded_rig.c tests/unit/sctp/embedded_rig.h tests/unit/sctp/embedded_fake.c \
	tests/unit/sctp/embedded_fake.h $(SCTP_TEST_RIG)
tests_unit_sctp_test_embedded_SOURCES = tests/unit/sctp/test_embedded.c $(EMBEDDED_RIG)
tests_unit_sctp_test_embedded_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_embedded_packet_SOURCES = tests/unit/sctp/test_embedded_packet.c
tests_unit_sctp_test_embedded_packet_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_embedded_strangers_SOURCES = tests/unit/sctp/test_embedded_strangers.c $(EMBEDDED_RIG)
tests_unit_sctp_test_embedded_strangers_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_kernel_SOURCES = tests/unit/sctp/test_kernel.c $(SCTP_TEST_RIG)
tests_unit_sctp_test_kernel_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_mem_SOURCES = tests/unit/sctp/test_mem.c $(SCTP_TEST_RIG)
tests_unit_sctp_test_mem_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_offload_SOURCES = tests/unit/sctp/test_offload.c
tests_unit_sctp_test_offload_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_tcp_SOURCES = tests/unit/sctp/test_tcp.c $(SCTP_TEST_RIG)
tests_unit_sctp_test_tcp_LDADD = $(SCTP_TEST_LIBS)
tests_unit_sctp_test_transport_SOURCES = tests/unit/sctp/test_transport.c $(SCTP_TEST_RIG)
tests_unit_sctp_test_transport_LDADD = $(SCTP_TEST_LIBS)
