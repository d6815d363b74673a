bin_PROGRAMS += ss7sim
ss7sim_SOURCES = \
	src/sim/main.c
ss7sim_LDADD = src/libsctp.a src/libwire.a src/libbase.a $(SIM_LIBS)
