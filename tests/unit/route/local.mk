# unit tests of src/route
ROUTE_TESTS = tests/unit/route/test_move tests/unit/route/test_route
check_PROGRAMS += $(ROUTE_TESTS)
TESTS += $(ROUTE_TESTS)
ROUTE_RIG = tests/unit/route/rig.c tests/unit/route/rig.h
tests_unit_route_test_move_SOURCES = tests/unit/route/test_move.c $(ROUTE_RIG)
tests_unit_route_test_move_LDADD = $(ROUTE_LIBS) $(CMOCKA_LIBS)
tests_unit_route_test_route_SOURCES = tests/unit/route/test_route.c $(ROUTE_RIG)
tests_unit_route_test_route_LDADD = $(ROUTE_LIBS) $(CMOCKA_LIBS)
