noinst_LIBRARIES += src/libm3ua.a
src_libm3ua_a_SOURCES = \
	src/m3ua/apply.c \
	src/m3ua/as.c src/m3ua/as.h \
	src/m3ua/as_fsm.c src/m3ua/as_fsm.h \
	src/m3ua/asp.c src/m3ua/asp.h \
	src/m3ua/asp_fsm.c src/m3ua/asp_fsm.h \
	src/m3ua/aspsm.c src/m3ua/aspsm.h \
	src/m3ua/asptm.c src/m3ua/asptm.h \
	src/m3ua/audit.c src/m3ua/audit.h \
	src/m3ua/beat.c src/m3ua/beat.h \
	src/m3ua/client.c src/m3ua/client.h src/m3ua/client_int.h \
	src/m3ua/client_as.c \
	src/m3ua/client_fsm.c src/m3ua/client_fsm.h \
	src/m3ua/client_reg.c \
	src/m3ua/client_rx.c \
	src/m3ua/daud.c src/m3ua/daud.h \
	src/m3ua/dispatch.c src/m3ua/dispatch.h \
	src/m3ua/guest.c src/m3ua/guest.h \
	src/m3ua/leave.c \
	src/m3ua/mgmt.c src/m3ua/mgmt.h \
	src/m3ua/once.c src/m3ua/once.h \
	src/m3ua/out.c src/m3ua/out.h \
	src/m3ua/peer.c src/m3ua/peer.h \
	src/m3ua/rc_index.c src/m3ua/rc_index.h \
	src/m3ua/refused.c src/m3ua/refused.h \
	src/m3ua/rkm.c src/m3ua/rkm.h \
	src/m3ua/rkm_as.c \
	src/m3ua/rkm_index.c src/m3ua/rkm_index.h \
	src/m3ua/rkm_key.c src/m3ua/rkm_key.h \
	src/m3ua/role.c src/m3ua/role.h \
	src/m3ua/sg.c src/m3ua/sg.h \
	src/m3ua/sg_conf.h \
	src/m3ua/sg_int.h \
	src/m3ua/sg_settle.c \
	src/m3ua/sg_table.c src/m3ua/sg_table.h \
	src/m3ua/ssnm.c src/m3ua/ssnm.h \
	src/m3ua/ssnm_rx.c src/m3ua/ssnm_rx.h \
	src/m3ua/ssnm_tell.c src/m3ua/ssnm_tell.h
