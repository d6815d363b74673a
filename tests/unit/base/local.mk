# unit tests of src/base
BASE_TESTS = \
	tests/unit/base/test_backoff \
	tests/unit/base/test_clock \
	tests/unit/base/test_inbox \
	tests/unit/base/test_mbuf \
	tests/unit/base/test_paged
check_PROGRAMS += $(BASE_TESTS)
TESTS += $(BASE_TESTS)
BASE_TEST_LIBS = $(BASE_LIBS) $(CMOCKA_LIBS) -lpthread

tests_unit_base_test_backoff_SOURCES = tests/unit/base/test_backoff.c
tests_unit_base_test_backoff_LDADD = $(BASE_TEST_LIBS)
tests_unit_base_test_clock_SOURCES = tests/unit/base/test_clock.c
tests_unit_base_test_clock_LDADD = $(BASE_TEST_LIBS)
tests_unit_base_test_inbox_SOURCES = tests/unit/base/test_inbox.c
tests_unit_base_test_inbox_LDADD = $(BASE_TEST_LIBS)
tests_unit_base_test_mbuf_SOURCES = tests/unit/base/test_mbuf.c
tests_unit_base_test_mbuf_LDADD = $(BASE_TEST_LIBS)
tests_unit_base_test_paged_SOURCES = tests/unit/base/test_paged.c
tests_unit_base_test_paged_LDADD = $(BASE_TEST_LIBS)
