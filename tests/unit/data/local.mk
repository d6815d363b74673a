# unit tests of src/data
DATA_TESTS = \
	tests/unit/data/test_assoc \
	tests/unit/data/test_changeover \
	tests/unit/data/test_congested \
	tests/unit/data/test_forward \
	tests/unit/data/test_fwd_bucket \
	tests/unit/data/test_fwd_route \
	tests/unit/data/test_fwd_table \
	tests/unit/data/test_hold \
	tests/unit/data/test_intake \
	tests/unit/data/test_m2pa \
	tests/unit/data/test_m2pa_outage \
	tests/unit/data/test_m2pa_pair \
	tests/unit/data/test_moments \
	tests/unit/data/test_msu \
	tests/unit/data/test_noalloc \
	tests/unit/data/test_plane \
	tests/unit/data/test_share \
	tests/unit/data/test_sls
check_PROGRAMS += $(DATA_TESTS)
TESTS += $(DATA_TESTS)
DATA_TEST_LIBS = $(DATA_LIBS) $(CMOCKA_LIBS)
DATA_TEST_RIG = tests/unit/data/rig.c tests/unit/data/rig.h
DATA_TEST_BARE = tests/unit/data/bare.c tests/unit/data/bare.h
DATA_TEST_MSU = tests/unit/data/msu_rig.c tests/unit/data/msu_rig.h $(DATA_TEST_BARE)

tests_unit_data_test_assoc_SOURCES = tests/unit/data/test_assoc.c $(DATA_TEST_BARE)
tests_unit_data_test_assoc_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_changeover_SOURCES = tests/unit/data/test_changeover.c $(DATA_TEST_RIG)
tests_unit_data_test_changeover_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_congested_SOURCES = tests/unit/data/test_congested.c $(DATA_TEST_MSU)
tests_unit_data_test_congested_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_forward_SOURCES = tests/unit/data/test_forward.c $(DATA_TEST_RIG)
tests_unit_data_test_forward_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_fwd_bucket_SOURCES = tests/unit/data/test_fwd_bucket.c
tests_unit_data_test_fwd_bucket_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_fwd_route_SOURCES = tests/unit/data/test_fwd_route.c
tests_unit_data_test_fwd_route_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_fwd_table_SOURCES = tests/unit/data/test_fwd_table.c
tests_unit_data_test_fwd_table_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_hold_SOURCES = tests/unit/data/test_hold.c $(DATA_TEST_RIG)
tests_unit_data_test_hold_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_intake_SOURCES = tests/unit/data/test_intake.c $(DATA_TEST_BARE)
tests_unit_data_test_intake_LDADD = $(DATA_TEST_LIBS)
LINK_RIG = tests/unit/data/link_rig.c tests/unit/data/link_rig.h $(DATA_TEST_BARE)
tests_unit_data_test_m2pa_SOURCES = tests/unit/data/test_m2pa.c $(LINK_RIG)
tests_unit_data_test_m2pa_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_m2pa_outage_SOURCES = tests/unit/data/test_m2pa_outage.c $(LINK_RIG)
tests_unit_data_test_m2pa_outage_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_m2pa_pair_SOURCES = tests/unit/data/test_m2pa_pair.c $(FREE_PORTS)
tests_unit_data_test_m2pa_pair_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_moments_SOURCES = tests/unit/data/test_moments.c $(DATA_TEST_MSU)
tests_unit_data_test_moments_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_msu_SOURCES = tests/unit/data/test_msu.c $(DATA_TEST_MSU)
tests_unit_data_test_msu_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_noalloc_SOURCES = tests/unit/data/test_noalloc.c $(DATA_TEST_RIG)
tests_unit_data_test_noalloc_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_plane_SOURCES = tests/unit/data/test_plane.c $(DATA_TEST_RIG)
tests_unit_data_test_plane_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_sls_SOURCES = tests/unit/data/test_sls.c
tests_unit_data_test_sls_LDADD = $(DATA_TEST_LIBS)
tests_unit_data_test_share_SOURCES = tests/unit/data/test_share.c
tests_unit_data_test_share_LDADD = $(DATA_TEST_LIBS)
