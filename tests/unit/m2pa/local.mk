# unit tests of src/m2pa
M2PA_TESTS = \
	tests/unit/m2pa/test_link \
	tests/unit/m2pa/test_link_assoc \
	tests/unit/m2pa/test_link_fsm \
	tests/unit/m2pa/test_link_pair
check_PROGRAMS += $(M2PA_TESTS)
TESTS += $(M2PA_TESTS)
M2PA_RIG = tests/unit/m2pa/rig.c tests/unit/m2pa/rig.h
M2PA_TEST_LIBS = $(M2PA_LIBS) $(CMOCKA_LIBS)

tests_unit_m2pa_test_link_SOURCES = tests/unit/m2pa/test_link.c $(M2PA_RIG)
tests_unit_m2pa_test_link_LDADD = $(M2PA_TEST_LIBS)
tests_unit_m2pa_test_link_assoc_SOURCES = tests/unit/m2pa/test_link_assoc.c $(M2PA_RIG)
tests_unit_m2pa_test_link_assoc_LDADD = $(M2PA_TEST_LIBS)
tests_unit_m2pa_test_link_fsm_SOURCES = tests/unit/m2pa/test_link_fsm.c $(M2PA_RIG)
tests_unit_m2pa_test_link_fsm_LDADD = $(M2PA_TEST_LIBS)
tests_unit_m2pa_test_link_pair_SOURCES = tests/unit/m2pa/test_link_pair.c $(FREE_PORTS)
tests_unit_m2pa_test_link_pair_LDADD = $(M2PA_TEST_LIBS)
