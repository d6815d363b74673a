# An installed configuration is the operator's: an upgrade leaves it alone and puts the new sample beside it.
EXTRA_DIST += etc/signalboxd.conf
dist_doc_DATA += etc/mated-a.conf etc/mated-b.conf etc/ss7-gateway.conf etc/stp.conf etc/two-as.conf
confdir = $(sysconfdir)/signalbox

install-data-local:
	$(MKDIR_P) "$(DESTDIR)$(confdir)"
	test -e "$(DESTDIR)$(confdir)/signalboxd.conf" || \
		$(INSTALL_DATA) "$(srcdir)/etc/signalboxd.conf" "$(DESTDIR)$(confdir)/signalboxd.conf"
	$(INSTALL_DATA) "$(srcdir)/etc/signalboxd.conf" "$(DESTDIR)$(confdir)/signalboxd.conf.sample"

uninstall-local:
	rm -f "$(DESTDIR)$(confdir)/signalboxd.conf.sample"
	! cmp -s "$(srcdir)/etc/signalboxd.conf" "$(DESTDIR)$(confdir)/signalboxd.conf" || \
		rm -f "$(DESTDIR)$(confdir)/signalboxd.conf"
