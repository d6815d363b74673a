# Unit tests (cmocka), mirroring src/. Each folder has its own fragment.
if HAVE_CMOCKA
include $(srcdir)/tests/unit/base/local.mk
include $(srcdir)/tests/unit/wire/local.mk
include $(srcdir)/tests/unit/sctp/local.mk
include $(srcdir)/tests/unit/data/local.mk
include $(srcdir)/tests/unit/route/local.mk
include $(srcdir)/tests/unit/m2pa/local.mk
include $(srcdir)/tests/unit/m3ua/local.mk
include $(srcdir)/tests/unit/mtp3/local.mk
include $(srcdir)/tests/unit/ss7/local.mk
include $(srcdir)/tests/unit/conf/local.mk
include $(srcdir)/tests/unit/console/local.mk
include $(srcdir)/tests/unit/sim/local.mk
endif
