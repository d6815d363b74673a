# unit tests of src/console; those that need a gateway have one that stands still (fake_gateway.c), so they link no
# plane, and of libm3ua what is pure.
CONSOLE_TEST_LIBS = src/libconsole.a src/libm3ua.a src/libdata.a src/libwire.a $(SCTP_LIBS_ALL) $(JANSSON_LIBS) $(CMOCKA_LIBS)

check_PROGRAMS += tests/unit/console/test_walk
TESTS += tests/unit/console/test_walk
tests_unit_console_test_walk_SOURCES = tests/unit/console/test_walk.c
tests_unit_console_test_walk_LDADD = $(CONSOLE_TEST_LIBS)

check_PROGRAMS += tests/unit/console/test_show
TESTS += tests/unit/console/test_show
tests_unit_console_test_show_SOURCES = tests/unit/console/test_show.c tests/unit/console/fake_gateway.c \
	tests/unit/console/fake_gateway.h
tests_unit_console_test_show_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit/console
tests_unit_console_test_show_LDADD = $(CONSOLE_TEST_LIBS)

check_PROGRAMS += tests/unit/console/test_console
TESTS += tests/unit/console/test_console
tests_unit_console_test_console_SOURCES = tests/unit/console/test_console.c tests/unit/console/fake_gateway.c
tests_unit_console_test_console_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/tests/unit/console
tests_unit_console_test_console_LDADD = $(CONSOLE_TEST_LIBS)
