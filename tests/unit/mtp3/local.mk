# unit tests of src/mtp3
MTP3_TESTS = \
	tests/unit/mtp3/test_changeover \
	tests/unit/mtp3/test_inhibit \
	tests/unit/mtp3/test_input \
	tests/unit/mtp3/test_links \
	tests/unit/mtp3/test_pc_map \
	tests/unit/mtp3/test_restart \
	tests/unit/mtp3/test_routes \
	tests/unit/mtp3/test_storm \
	tests/unit/mtp3/test_tables
check_PROGRAMS += $(MTP3_TESTS)
TESTS += $(MTP3_TESTS)
MTP3_RIG = tests/unit/mtp3/rig.c tests/unit/mtp3/rig.h tests/unit/mtp3/rig_int.h tests/unit/mtp3/rig_l2.c \
	tests/unit/mtp3/rig_node.c
MTP3_TEST_LIBS = $(MTP3_LIBS) $(CMOCKA_LIBS)

tests_unit_mtp3_test_changeover_SOURCES = tests/unit/mtp3/test_changeover.c $(MTP3_RIG)
tests_unit_mtp3_test_changeover_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_inhibit_SOURCES = tests/unit/mtp3/test_inhibit.c $(MTP3_RIG)
tests_unit_mtp3_test_inhibit_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_input_SOURCES = tests/unit/mtp3/test_input.c $(MTP3_RIG)
tests_unit_mtp3_test_input_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_links_SOURCES = tests/unit/mtp3/test_links.c $(MTP3_RIG)
tests_unit_mtp3_test_links_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_pc_map_SOURCES = tests/unit/mtp3/test_pc_map.c $(MTP3_RIG)
tests_unit_mtp3_test_pc_map_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_restart_SOURCES = tests/unit/mtp3/test_restart.c $(MTP3_RIG)
tests_unit_mtp3_test_restart_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_routes_SOURCES = tests/unit/mtp3/test_routes.c $(MTP3_RIG)
tests_unit_mtp3_test_routes_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_storm_SOURCES = tests/unit/mtp3/test_storm.c $(MTP3_RIG)
tests_unit_mtp3_test_storm_LDADD = $(MTP3_TEST_LIBS)
tests_unit_mtp3_test_tables_SOURCES = tests/unit/mtp3/test_tables.c $(MTP3_RIG)
tests_unit_mtp3_test_tables_LDADD = $(MTP3_TEST_LIBS)
