dist_man8_MANS = doc/signalboxd.8
dist_doc_DATA += doc/configuration.md doc/benchmarks.md doc/transports.md doc/testing.md \
	doc/rfc4666-compliance.md doc/rfc4165-compliance.md doc/q704-compliance.md
