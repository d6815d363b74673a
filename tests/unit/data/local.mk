# unit tests of src/data
DATA_TESTS = \
	tests/unit/data/test_plane
check_PROGRAMS += $(DATA_TESTS)
TESTS += $(DATA_TESTS)
DATA_TEST_LIBS = $(DATA_LIBS) $(CMOCKA_LIBS)
DATA_TEST_RIG = tests/unit/data/rig.c tests/unit/data/rig.h

tests_unit_data_test_plane_SOURCES = tests/unit/data/test_plane.c $(DATA_TEST_RIG)
tests_unit_data_test_plane_LDADD = $(DATA_TEST_LIBS)
