# Programs that benchmarks drive (tests/bench); built with everything, never installed.
noinst_PROGRAMS += relay-floor
relay_floor_SOURCES = tests/bench/relay_floor.c
relay_floor_LDADD = src/libwire.a $(SCTP_LIBS_ALL)

# Forwarding alone; forward_cost.sh counts its instructions.
noinst_PROGRAMS += forward-cost
forward_cost_SOURCES = tests/bench/forward_cost.c tests/unit/data/bare.c tests/unit/data/bare.h
forward_cost_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)
forward_cost_LDADD = $(DATA_LIBS)
EXTRA_DIST += tests/bench/forward_cost.sh
