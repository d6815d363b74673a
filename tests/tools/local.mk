# What the tests run besides the programs under test.
noinst_PROGRAMS += emit_m2pa emit_m3ua
emit_m2pa_SOURCES = tests/tools/emit_m2pa.c
emit_m2pa_LDADD = $(WIRE_LIBS)
emit_m3ua_SOURCES = tests/tools/emit_m3ua.c tests/unit/wire/messages.c tests/unit/wire/messages.h
emit_m3ua_LDADD = $(WIRE_LIBS)
EXTRA_DIST += tests/tools/tshark_oracle.py tests/tools/vty_transcript.py
noinst_PROGRAMS += emit_mtp3
emit_mtp3_SOURCES = tests/tools/emit_mtp3.c
emit_mtp3_LDADD = $(WIRE_LIBS)
