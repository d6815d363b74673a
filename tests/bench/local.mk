# Programs that benchmarks drive (tests/bench); built with everything, never installed.
noinst_PROGRAMS += relay-floor
relay_floor_SOURCES = tests/bench/relay_floor.c
relay_floor_LDADD = src/libwire.a $(SCTP_LIBS_ALL)
