# unit tests of src/m3ua
M3UA_TESTS = \
	tests/unit/m3ua/test_flows
check_PROGRAMS += $(M3UA_TESTS)
TESTS += $(M3UA_TESTS)
M3UA_RIG = tests/unit/m3ua/rig.c tests/unit/m3ua/rig.h tests/unit/m3ua/fake_plane.c tests/unit/m3ua/fake_plane.h
M3UA_TEST_LIBS = $(M3UA_LIBS) $(CMOCKA_LIBS)

tests_unit_m3ua_test_flows_SOURCES = tests/unit/m3ua/test_flows.c $(M3UA_RIG)
tests_unit_m3ua_test_flows_LDADD = $(M3UA_TEST_LIBS)
