noinst_LIBRARIES += src/libsim.a
src_libsim_a_SOURCES = \
	src/sim/as.c src/sim/as.h \
	src/sim/asp.c src/sim/asp.h \
	src/sim/asp_fsm.c src/sim/asp_fsm.h \
	src/sim/asp_msg.c \
	src/sim/changeover.c src/sim/changeover.h \
	src/sim/check.c src/sim/check.h \
	src/sim/dress.c src/sim/dress.h \
	src/sim/flow.c src/sim/flow.h \
	src/sim/hist.c src/sim/hist.h \
	src/sim/keyval.c src/sim/keyval.h \
	src/sim/link.c src/sim/link.h \
	src/sim/link_seq.c \
	src/sim/lsc.c src/sim/lsc.h \
	src/sim/node.c src/sim/node.h \
	src/sim/node_inhibit.c \
	src/sim/node_set.c \
	src/sim/node_share.c \
	src/sim/node_snm.c \
	src/sim/opts.c src/sim/opts.h \
	src/sim/opts_flow.c \
	src/sim/opts_node.c \
	src/sim/opts_resolve.c \
	src/sim/opts_rows.c src/sim/opts_rows.h \
	src/sim/pace.c src/sim/pace.h \
	src/sim/party.c src/sim/party.h \
	src/sim/payload.c src/sim/payload.h \
	src/sim/progress.c src/sim/progress.h \
	src/sim/replay.c src/sim/replay.h \
	src/sim/report.c src/sim/report.h \
	src/sim/report_json.c \
	src/sim/report_text.c \
	src/sim/rng.h \
	src/sim/script.h src/sim/script_int.h \
	src/sim/script_build.c \
	src/sim/script_console.c src/sim/script_console.h \
	src/sim/script_end.c src/sim/script_end.h \
	src/sim/script_lex.c \
	src/sim/script_m2pa.c src/sim/script_m2pa.h \
	src/sim/script_m2pa_match.c \
	src/sim/script_match.c \
	src/sim/script_message.c \
	src/sim/script_parse.c \
	src/sim/script_run.c \
	src/sim/script_stall.c src/sim/script_stall.h \
	src/sim/script_value.c \
	src/sim/sim.c src/sim/sim.h \
	src/sim/sim_phase.c \
	src/sim/sim_rx.c \
	src/sim/serve.c src/sim/serve.h \
	src/sim/serve_fsm.c src/sim/serve_fsm.h \
	src/sim/size.c src/sim/size.h \
	src/sim/user.c src/sim/user.h

bin_PROGRAMS += ss7sim
ss7sim_SOURCES = src/sim/main.c
ss7sim_LDADD = src/libsim.a src/libsctp.a src/libwire.a src/libbase.a $(SIM_LIBS)

dist_man1_MANS = doc/ss7sim.1
dist_doc_DATA += doc/ss7sim.md doc/ss7sim-script.md
