# unit tests of src/wire
WIRE_TESTS = \
	tests/unit/wire/test_m2pa \
	tests/unit/wire/test_m3ua \
	tests/unit/wire/test_m3ua_data \
	tests/unit/wire/test_m3ua_dict \
	tests/unit/wire/test_m3ua_dump \
	tests/unit/wire/test_m3ua_hostile \
	tests/unit/wire/test_m3ua_write \
	tests/unit/wire/test_mtp3 \
	tests/unit/wire/test_mtp3_snm \
	tests/unit/wire/test_pc
check_PROGRAMS += $(WIRE_TESTS)
TESTS += $(WIRE_TESTS)
WIRE_TEST_MESSAGES = tests/unit/wire/hex.h tests/unit/wire/messages.c tests/unit/wire/messages.h
WIRE_TEST_LIBS = $(WIRE_LIBS) $(CMOCKA_LIBS)

tests_unit_wire_test_m2pa_SOURCES = tests/unit/wire/test_m2pa.c tests/unit/wire/hex.h
tests_unit_wire_test_m2pa_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_SOURCES = tests/unit/wire/test_m3ua.c $(WIRE_TEST_MESSAGES)
tests_unit_wire_test_m3ua_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_data_SOURCES = tests/unit/wire/test_m3ua_data.c tests/unit/wire/hex.h
tests_unit_wire_test_m3ua_data_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_dict_SOURCES = tests/unit/wire/test_m3ua_dict.c
tests_unit_wire_test_m3ua_dict_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_dump_SOURCES = tests/unit/wire/test_m3ua_dump.c $(WIRE_TEST_MESSAGES)
tests_unit_wire_test_m3ua_dump_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_hostile_SOURCES = tests/unit/wire/test_m3ua_hostile.c $(WIRE_TEST_MESSAGES)
tests_unit_wire_test_m3ua_hostile_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_m3ua_write_SOURCES = tests/unit/wire/test_m3ua_write.c tests/unit/wire/hex.h
tests_unit_wire_test_m3ua_write_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_mtp3_SOURCES = tests/unit/wire/test_mtp3.c tests/unit/wire/hex.h
tests_unit_wire_test_mtp3_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_mtp3_snm_SOURCES = tests/unit/wire/test_mtp3_snm.c tests/unit/wire/hex.h
tests_unit_wire_test_mtp3_snm_LDADD = $(WIRE_TEST_LIBS)
tests_unit_wire_test_pc_SOURCES = tests/unit/wire/test_pc.c
tests_unit_wire_test_pc_LDADD = $(WIRE_TEST_LIBS)
