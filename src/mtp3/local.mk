noinst_LIBRARIES += src/libmtp3.a
src_libmtp3_a_SOURCES = \
	src/mtp3/adjacent.c src/mtp3/adjacent.h \
	src/mtp3/changeback.c src/mtp3/changeback.h \
	src/mtp3/changeover.c src/mtp3/changeover.h \
	src/mtp3/congestion.c src/mtp3/congestion.h \
	src/mtp3/inhibit.c src/mtp3/inhibit.h \
	src/mtp3/input.c \
	src/mtp3/link.c src/mtp3/link.h \
	src/mtp3/linkset.c src/mtp3/linkset.h \
	src/mtp3/memo.c src/mtp3/memo.h \
	src/mtp3/mtp3.c src/mtp3/mtp3.h src/mtp3/mtp3_int.h \
	src/mtp3/out.c src/mtp3/out.h \
	src/mtp3/pc_map.c src/mtp3/pc_map.h \
	src/mtp3/reroute.c src/mtp3/reroute.h \
	src/mtp3/restart.c src/mtp3/restart.h \
	src/mtp3/route_test.c src/mtp3/route_test.h \
	src/mtp3/slt.c src/mtp3/slt.h \
	src/mtp3/tfx.c src/mtp3/tfx.h \
	src/mtp3/timer.c src/mtp3/timer.h
