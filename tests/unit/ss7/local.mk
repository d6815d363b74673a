# unit tests of src/ss7
SS7_TESTS = \
	tests/unit/ss7/test_ss7 \
	tests/unit/ss7/test_ss7_egress \
	tests/unit/ss7/test_ss7_interwork \
	tests/unit/ss7/test_ss7_link \
	tests/unit/ss7/test_ss7_onward \
	tests/unit/ss7/test_ss7_operate \
	tests/unit/ss7/test_ss7_reroute
check_PROGRAMS += $(SS7_TESTS)
TESTS += $(SS7_TESTS)
SS7_RIG = tests/unit/ss7/rig.c tests/unit/ss7/rig.h tests/unit/ss7/level2.c tests/unit/ss7/level2.h $(M3UA_RIG)
SS7_TEST_LIBS = src/libss7.a src/libm3ua.a $(MTP3_LIBS) $(CMOCKA_LIBS)

tests_unit_ss7_test_ss7_SOURCES = tests/unit/ss7/test_ss7.c $(SS7_RIG)
tests_unit_ss7_test_ss7_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_egress_SOURCES = tests/unit/ss7/test_ss7_egress.c $(SS7_RIG)
tests_unit_ss7_test_ss7_egress_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_interwork_SOURCES = tests/unit/ss7/test_ss7_interwork.c $(SS7_RIG)
tests_unit_ss7_test_ss7_interwork_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_link_SOURCES = tests/unit/ss7/test_ss7_link.c $(SS7_RIG)
tests_unit_ss7_test_ss7_link_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_onward_SOURCES = tests/unit/ss7/test_ss7_onward.c $(SS7_RIG)
tests_unit_ss7_test_ss7_onward_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_operate_SOURCES = tests/unit/ss7/test_ss7_operate.c $(SS7_RIG)
tests_unit_ss7_test_ss7_operate_LDADD = $(SS7_TEST_LIBS)
tests_unit_ss7_test_ss7_reroute_SOURCES = tests/unit/ss7/test_ss7_reroute.c $(SS7_RIG)
tests_unit_ss7_test_ss7_reroute_LDADD = $(SS7_TEST_LIBS)
