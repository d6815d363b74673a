noinst_LIBRARIES += src/libss7.a
src_libss7_a_SOURCES = \
	src/ss7/ss7.c src/ss7/ss7.h \
	src/ss7/ss7_apply.c \
	src/ss7/ss7_conf.h \
	src/ss7/ss7_egress.c \
	src/ss7/ss7_int.h \
	src/ss7/ss7_interwork.c \
	src/ss7/ss7_leave.c \
	src/ss7/ss7_link.c \
	src/ss7/ss7_onward.c \
	src/ss7/ss7_operate.c \
	src/ss7/ss7_ops.c \
	src/ss7/ss7_reroute.c \
	src/ss7/ss7_traffic.c \
	src/ss7/ss7_view.c
