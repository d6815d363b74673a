# The paths in the unit are this installation's.
systemdsystemunit_DATA = systemd/signalboxd.service
sysusersdir = $(prefix)/lib/sysusers.d
sysusers_DATA = systemd/signalbox.conf
EXTRA_DIST += systemd/signalboxd.service.in systemd/signalbox.sysusers
CLEANFILES += systemd/signalboxd.service systemd/signalbox.conf

systemd/signalboxd.service: systemd/signalboxd.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) systemd && sed -e 's|@sbindir''@|$(sbindir)|g' -e 's|@sysconfdir''@|$(sysconfdir)|g' \
		"$(srcdir)/systemd/signalboxd.service.in" >$@.tmp && mv $@.tmp $@

systemd/signalbox.conf: systemd/signalbox.sysusers
	$(AM_V_GEN)$(MKDIR_P) systemd && cp "$(srcdir)/systemd/signalbox.sysusers" $@
