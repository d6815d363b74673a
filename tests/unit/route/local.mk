# unit tests of src/route
check_PROGRAMS += tests/unit/route/test_route
TESTS += tests/unit/route/test_route
tests_unit_route_test_route_SOURCES = tests/unit/route/test_route.c tests/unit/route/rig.c tests/unit/route/rig.h
tests_unit_route_test_route_LDADD = $(ROUTE_LIBS) $(CMOCKA_LIBS)
