noinst_LIBRARIES += src/libapp.a
src_libapp_a_SOURCES = \
	src/app/app.c src/app/app.h \
	src/app/app_int.h \
	src/app/logging.c \
	src/app/notify.c \
	src/app/reload.c \
	src/app/signals.c \
	src/app/summary.c \
	src/app/tools.c
