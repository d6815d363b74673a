# unit tests of src/console; those that need a gateway have one that stands still (fake_gateway.c), so they link no
# plane, and of libm3ua what is pure.
CONSOLE_TEST_LIBS = src/libconsole.a src/libm3ua.a src/libdata.a src/libwire.a $(SCTP_LIBS_ALL) $(JANSSON_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/console/test_walk
TESTS += tests/unit/console/test_walk
tests_unit_console_test_walk_SOURCES = tests/unit/console/test_walk.c
tests_unit_console_test_walk_LDADD = $(CONSOLE_TEST_LIBS)

FAKE_GATEWAY = tests/unit/console/fake_gateway.c tests/unit/console/fake_gateway.h tests/unit/console/fake_ss7.c
SHOW_RIG = tests/unit/console/show_rig.c tests/unit/console/show_rig.h $(FAKE_GATEWAY)
CONSOLE_TEST_FLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit/console

CONSOLE_TESTS = tests/unit/console/test_console tests/unit/console/test_operate tests/unit/console/test_show \
	tests/unit/console/test_show_ss7
check_PROGRAMS += $(CONSOLE_TESTS)
TESTS += $(CONSOLE_TESTS)
tests_unit_console_test_console_SOURCES = tests/unit/console/test_console.c $(FREE_PORTS) $(FAKE_GATEWAY)
tests_unit_console_test_console_CPPFLAGS = $(CONSOLE_TEST_FLAGS)
tests_unit_console_test_console_LDADD = $(CONSOLE_TEST_LIBS)
tests_unit_console_test_operate_SOURCES = tests/unit/console/test_operate.c $(SHOW_RIG)
tests_unit_console_test_operate_CPPFLAGS = $(CONSOLE_TEST_FLAGS)
tests_unit_console_test_operate_LDADD = $(CONSOLE_TEST_LIBS)
tests_unit_console_test_show_SOURCES = tests/unit/console/test_show.c $(SHOW_RIG)
tests_unit_console_test_show_CPPFLAGS = $(CONSOLE_TEST_FLAGS)
tests_unit_console_test_show_LDADD = $(CONSOLE_TEST_LIBS)
tests_unit_console_test_show_ss7_SOURCES = tests/unit/console/test_show_ss7.c $(SHOW_RIG)
tests_unit_console_test_show_ss7_CPPFLAGS = $(CONSOLE_TEST_FLAGS)
tests_unit_console_test_show_ss7_LDADD = $(CONSOLE_TEST_LIBS)
