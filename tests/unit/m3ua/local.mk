# unit tests of src/m3ua
M3UA_TESTS = \
	tests/unit/m3ua/test_apply \
	tests/unit/m3ua/test_as_fsm \
	tests/unit/m3ua/test_asp_fsm \
	tests/unit/m3ua/test_aspsm \
	tests/unit/m3ua/test_asptm \
	tests/unit/m3ua/test_beat \
	tests/unit/m3ua/test_client \
	tests/unit/m3ua/test_client_fsm \
	tests/unit/m3ua/test_client_reg \
	tests/unit/m3ua/test_compat \
	tests/unit/m3ua/test_dispatch \
	tests/unit/m3ua/test_dispatch_roles \
	tests/unit/m3ua/test_flows \
	tests/unit/m3ua/test_guest \
	tests/unit/m3ua/test_ipsp \
	tests/unit/m3ua/test_leave \
	tests/unit/m3ua/test_lock \
	tests/unit/m3ua/test_peer \
	tests/unit/m3ua/test_rc_index \
	tests/unit/m3ua/test_refused \
	tests/unit/m3ua/test_rkm \
	tests/unit/m3ua/test_rkm_key \
	tests/unit/m3ua/test_settle \
	tests/unit/m3ua/test_ssnm \
	tests/unit/m3ua/test_ssnm_rx
check_PROGRAMS += $(M3UA_TESTS)
TESTS += $(M3UA_TESTS)
M3UA_RIG = tests/unit/m3ua/rig.c tests/unit/m3ua/rig.h tests/unit/m3ua/fake_plane.c tests/unit/m3ua/fake_plane.h
M3UA_TEST_LIBS = $(M3UA_LIBS) $(CMOCKA_LIBS)

tests_unit_m3ua_test_apply_SOURCES = tests/unit/m3ua/test_apply.c $(M3UA_RIG)
tests_unit_m3ua_test_apply_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_as_fsm_SOURCES = tests/unit/m3ua/test_as_fsm.c $(M3UA_RIG)
tests_unit_m3ua_test_as_fsm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_asp_fsm_SOURCES = tests/unit/m3ua/test_asp_fsm.c $(M3UA_RIG)
tests_unit_m3ua_test_asp_fsm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_aspsm_SOURCES = tests/unit/m3ua/test_aspsm.c $(M3UA_RIG)
tests_unit_m3ua_test_aspsm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_asptm_SOURCES = tests/unit/m3ua/test_asptm.c $(M3UA_RIG)
tests_unit_m3ua_test_asptm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_beat_SOURCES = tests/unit/m3ua/test_beat.c $(M3UA_RIG)
tests_unit_m3ua_test_beat_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_client_SOURCES = tests/unit/m3ua/test_client.c $(M3UA_RIG)
tests_unit_m3ua_test_client_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_client_fsm_SOURCES = tests/unit/m3ua/test_client_fsm.c $(M3UA_RIG)
tests_unit_m3ua_test_client_fsm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_client_reg_SOURCES = tests/unit/m3ua/test_client_reg.c $(M3UA_RIG)
tests_unit_m3ua_test_client_reg_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_dispatch_SOURCES = tests/unit/m3ua/test_dispatch.c $(M3UA_RIG)
tests_unit_m3ua_test_dispatch_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_dispatch_roles_SOURCES = tests/unit/m3ua/test_dispatch_roles.c $(M3UA_RIG)
tests_unit_m3ua_test_dispatch_roles_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_flows_SOURCES = tests/unit/m3ua/test_flows.c $(M3UA_RIG)
tests_unit_m3ua_test_flows_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_ipsp_SOURCES = tests/unit/m3ua/test_ipsp.c $(M3UA_RIG)
tests_unit_m3ua_test_ipsp_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_leave_SOURCES = tests/unit/m3ua/test_leave.c $(M3UA_RIG)
tests_unit_m3ua_test_leave_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_peer_SOURCES = tests/unit/m3ua/test_peer.c $(M3UA_RIG)
tests_unit_m3ua_test_peer_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_rc_index_SOURCES = tests/unit/m3ua/test_rc_index.c $(M3UA_RIG)
tests_unit_m3ua_test_rc_index_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_refused_SOURCES = tests/unit/m3ua/test_refused.c $(M3UA_RIG)
tests_unit_m3ua_test_refused_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_rkm_SOURCES = tests/unit/m3ua/test_rkm.c $(M3UA_RIG)
tests_unit_m3ua_test_rkm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_rkm_key_SOURCES = tests/unit/m3ua/test_rkm_key.c $(M3UA_RIG)
tests_unit_m3ua_test_rkm_key_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_settle_SOURCES = tests/unit/m3ua/test_settle.c $(M3UA_RIG)
tests_unit_m3ua_test_settle_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_ssnm_SOURCES = tests/unit/m3ua/test_ssnm.c $(M3UA_RIG)
tests_unit_m3ua_test_ssnm_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_compat_SOURCES = tests/unit/m3ua/test_compat.c $(M3UA_RIG)
tests_unit_m3ua_test_compat_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_lock_SOURCES = tests/unit/m3ua/test_lock.c $(M3UA_RIG)
tests_unit_m3ua_test_lock_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_ssnm_rx_SOURCES = tests/unit/m3ua/test_ssnm_rx.c $(M3UA_RIG)
tests_unit_m3ua_test_ssnm_rx_LDADD = $(M3UA_TEST_LIBS)
tests_unit_m3ua_test_guest_SOURCES = tests/unit/m3ua/test_guest.c $(M3UA_RIG)
tests_unit_m3ua_test_guest_LDADD = $(M3UA_TEST_LIBS)
