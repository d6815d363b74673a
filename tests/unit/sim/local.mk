# unit tests of src/sim
SIM_TESTS = \
	tests/unit/sim/test_as \
	tests/unit/sim/test_asp \
	tests/unit/sim/test_asp_fsm \
	tests/unit/sim/test_changeover \
	tests/unit/sim/test_check \
	tests/unit/sim/test_dress \
	tests/unit/sim/test_flow \
	tests/unit/sim/test_hist \
	tests/unit/sim/test_keyval \
	tests/unit/sim/test_lsc \
	tests/unit/sim/test_opts \
	tests/unit/sim/test_pace \
	tests/unit/sim/test_payload \
	tests/unit/sim/test_replay \
	tests/unit/sim/test_script_match \
	tests/unit/sim/test_script_message \
	tests/unit/sim/test_script_parse \
	tests/unit/sim/test_script_stall \
	tests/unit/sim/test_serve \
	tests/unit/sim/test_serve_fsm \
	tests/unit/sim/test_size
check_PROGRAMS += $(SIM_TESTS)
TESTS += $(SIM_TESTS)
SIM_TEST_LIBS = src/libsim.a src/libsctp.a src/libwire.a src/libbase.a $(SIM_LIBS) $(CMOCKA_LIBS)

tests_unit_sim_test_as_SOURCES = tests/unit/sim/test_as.c
tests_unit_sim_test_as_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_asp_SOURCES = tests/unit/sim/test_asp.c tests/unit/sim/fake_tp.c tests/unit/sim/fake_tp.h
tests_unit_sim_test_asp_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_asp_fsm_SOURCES = tests/unit/sim/test_asp_fsm.c
tests_unit_sim_test_asp_fsm_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_check_SOURCES = tests/unit/sim/test_check.c
tests_unit_sim_test_check_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_flow_SOURCES = tests/unit/sim/test_flow.c tests/unit/sim/fake_tp.c tests/unit/sim/fake_tp.h
tests_unit_sim_test_flow_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_hist_SOURCES = tests/unit/sim/test_hist.c
tests_unit_sim_test_hist_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_keyval_SOURCES = tests/unit/sim/test_keyval.c
tests_unit_sim_test_keyval_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_opts_SOURCES = tests/unit/sim/test_opts.c
tests_unit_sim_test_opts_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_pace_SOURCES = tests/unit/sim/test_pace.c
tests_unit_sim_test_pace_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_payload_SOURCES = tests/unit/sim/test_payload.c
tests_unit_sim_test_payload_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_serve_SOURCES = tests/unit/sim/test_serve.c tests/unit/sim/fake_tp.c tests/unit/sim/fake_tp.h
tests_unit_sim_test_serve_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_serve_fsm_SOURCES = tests/unit/sim/test_serve_fsm.c
tests_unit_sim_test_serve_fsm_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_size_SOURCES = tests/unit/sim/test_size.c
tests_unit_sim_test_size_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_script_match_SOURCES = tests/unit/sim/test_script_match.c tests/unit/sim/script_rig.h
tests_unit_sim_test_script_match_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_script_message_SOURCES = tests/unit/sim/test_script_message.c tests/unit/sim/script_rig.h
tests_unit_sim_test_script_message_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_script_parse_SOURCES = tests/unit/sim/test_script_parse.c tests/unit/sim/script_rig.h
tests_unit_sim_test_script_parse_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_script_stall_SOURCES = tests/unit/sim/test_script_stall.c
tests_unit_sim_test_script_stall_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_changeover_SOURCES = tests/unit/sim/test_changeover.c
tests_unit_sim_test_changeover_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_lsc_SOURCES = tests/unit/sim/test_lsc.c
tests_unit_sim_test_lsc_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_dress_SOURCES = tests/unit/sim/test_dress.c
tests_unit_sim_test_dress_LDADD = $(SIM_TEST_LIBS)
tests_unit_sim_test_replay_SOURCES = tests/unit/sim/test_replay.c
tests_unit_sim_test_replay_LDADD = $(SIM_TEST_LIBS)
