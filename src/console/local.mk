noinst_LIBRARIES += src/libconsole.a
src_libconsole_a_SOURCES = \
	src/console/command.c src/console/command.h \
	src/console/console.c src/console/console.h \
	src/console/holder.c src/console/holder.h \
	src/console/lookup.c src/console/lookup.h \
	src/console/operate.c src/console/operate.h \
	src/console/operate_ss7.c \
	src/console/show.c src/console/show.h \
	src/console/show_as.c \
	src/console/show_asp.c \
	src/console/show_association.c \
	src/console/show_client.c \
	src/console/show_lookup.c \
	src/console/show_network.c \
	src/console/show_route.c \
	src/console/show_sctp.c \
	src/console/show_sls.c \
	src/console/show_ss7.c \
	src/console/show_statistics.c \
	src/console/show_version.c \
	src/console/show_workers.c \
	src/console/stall.c src/console/stall.h \
	src/console/telnet_fd.c src/console/telnet_fd.h \
	src/console/walk.c src/console/walk.h \
	src/console/walk_json.c \
	src/console/walk_text.c \
	src/console/walk_tree.h
dist_doc_DATA += doc/console.md
