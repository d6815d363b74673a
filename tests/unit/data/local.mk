# unit tests of src/data
DATA_TEST_RIG = tests/unit/data/rig.c tests/unit/data/rig.h

check_PROGRAMS += test_plane
TESTS += test_plane
test_plane_SOURCES = tests/unit/data/test_plane.c $(DATA_TEST_RIG)
test_plane_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
test_plane_LDADD = $(DATA_LIBS) $(CMOCKA_LIBS)
