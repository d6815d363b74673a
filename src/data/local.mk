noinst_LIBRARIES += src/libdata.a
src_libdata_a_SOURCES = \
	src/data/assoc.c src/data/assoc.h \
	src/data/assoc_control.c \
	src/data/broadcast.c src/data/broadcast.h \
	src/data/congested.c src/data/congested.h \
	src/data/counter.c src/data/counter.h \
	src/data/drop.c src/data/drop.h \
	src/data/forward.c src/data/forward.h \
	src/data/fwd.h \
	src/data/fwd_bucket.c \
	src/data/fwd_mask.c \
	src/data/fwd_route.c src/data/fwd_route.h \
	src/data/fwd_table.c \
	src/data/hold.c src/data/hold.h \
	src/data/intake.c src/data/intake.h \
	src/data/listener.c src/data/listener.h \
	src/data/m2pa.h src/data/m2pa_priv.h \
	src/data/m2pa_control.c \
	src/data/m2pa_do.c \
	src/data/m2pa_rx.c \
	src/data/m2pa_tx.c \
	src/data/plane.c src/data/plane.h src/data/plane_priv.h \
	src/data/share.c src/data/share.h \
	src/data/sls.c src/data/sls.h \
	src/data/stream.h \
	src/data/worker.c src/data/worker.h
