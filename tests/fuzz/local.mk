# Fuzzing: the same target functions under libFuzzer (--enable-fuzz) and, over the kept corpus, in `make check`.
EXTRA_DIST += tests/fuzz/corpus tests/fuzz/run
if HAVE_CMOCKA
# below tests/unit: these count as unit tests
check_PROGRAMS += tests/unit/wire/replay_m2pa tests/unit/wire/replay_m3ua tests/unit/wire/replay_m3ua_data tests/unit/sctp/replay_sctp tests/unit/wire/replay_mtp3
TESTS += tests/unit/wire/replay_m2pa tests/unit/wire/replay_m3ua tests/unit/wire/replay_m3ua_data tests/unit/sctp/replay_sctp tests/unit/wire/replay_mtp3
tests_unit_wire_replay_m2pa_SOURCES = tests/fuzz/fuzz_m2pa.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_unit_wire_replay_m2pa_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"m2pa"'
tests_unit_wire_replay_m2pa_LDADD = $(WIRE_LIBS) $(CMOCKA_LIBS)
tests_unit_wire_replay_m3ua_SOURCES = tests/fuzz/fuzz_m3ua.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_unit_wire_replay_m3ua_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"m3ua"'
tests_unit_wire_replay_m3ua_LDADD = $(WIRE_LIBS) $(CMOCKA_LIBS)
tests_unit_wire_replay_m3ua_data_SOURCES = tests/fuzz/fuzz_m3ua_data.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_unit_wire_replay_m3ua_data_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"m3ua_data"'
tests_unit_wire_replay_m3ua_data_LDADD = $(WIRE_LIBS) $(CMOCKA_LIBS)
tests_unit_sctp_replay_sctp_SOURCES = tests/fuzz/fuzz_sctp.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_unit_sctp_replay_sctp_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"sctp"'
tests_unit_sctp_replay_sctp_LDADD = $(SCTP_LIBS_ALL) $(CMOCKA_LIBS)
tests_unit_wire_replay_mtp3_SOURCES = tests/fuzz/fuzz_mtp3.c tests/fuzz/fuzz.h tests/fuzz/replay.c
tests_unit_wire_replay_mtp3_CPPFLAGS = $(AM_CPPFLAGS) -DCORPUS='"mtp3"'
tests_unit_wire_replay_mtp3_LDADD = $(WIRE_LIBS) $(CMOCKA_LIBS)
endif
if FUZZ
# The codec is compiled in again, so that libFuzzer sees its branches.
FUZZER_COMPILE_FLAGS = $(AM_CFLAGS) -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all
FUZZER_LINK_FLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer,address,undefined
noinst_PROGRAMS += tests/fuzz/fuzz_m3ua tests/fuzz/fuzz_m3ua_data tests/fuzz/fuzz_sctp
tests_fuzz_fuzz_m3ua_SOURCES = tests/fuzz/fuzz_m3ua.c tests/fuzz/fuzz.h $(src_libwire_a_SOURCES)
tests_fuzz_fuzz_m3ua_CFLAGS = $(FUZZER_COMPILE_FLAGS)
tests_fuzz_fuzz_m3ua_LDFLAGS = $(FUZZER_LINK_FLAGS)
tests_fuzz_fuzz_m3ua_data_SOURCES = tests/fuzz/fuzz_m3ua_data.c tests/fuzz/fuzz.h $(src_libwire_a_SOURCES)
tests_fuzz_fuzz_m3ua_data_CFLAGS = $(FUZZER_COMPILE_FLAGS)
tests_fuzz_fuzz_m3ua_data_LDFLAGS = $(FUZZER_LINK_FLAGS)
tests_fuzz_fuzz_sctp_SOURCES = tests/fuzz/fuzz_sctp.c tests/fuzz/fuzz.h src/sctp/crc32c.c src/sctp/embedded_packet.c
tests_fuzz_fuzz_sctp_CFLAGS = $(FUZZER_COMPILE_FLAGS)
tests_fuzz_fuzz_sctp_LDFLAGS = $(FUZZER_LINK_FLAGS)
tests_fuzz_fuzz_sctp_LDADD = $(ISAL_LIBS)
noinst_PROGRAMS += tests/fuzz/fuzz_m2pa tests/fuzz/fuzz_mtp3
tests_fuzz_fuzz_m2pa_SOURCES = tests/fuzz/fuzz_m2pa.c tests/fuzz/fuzz.h $(src_libwire_a_SOURCES)
tests_fuzz_fuzz_m2pa_CFLAGS = $(FUZZER_COMPILE_FLAGS)
tests_fuzz_fuzz_m2pa_LDFLAGS = $(FUZZER_LINK_FLAGS)
tests_fuzz_fuzz_mtp3_SOURCES = tests/fuzz/fuzz_mtp3.c tests/fuzz/fuzz.h $(src_libwire_a_SOURCES)
tests_fuzz_fuzz_mtp3_CFLAGS = $(FUZZER_COMPILE_FLAGS)
tests_fuzz_fuzz_mtp3_LDFLAGS = $(FUZZER_LINK_FLAGS)
endif
