dist_man8_MANS = doc/signalboxd.8
dist_doc_DATA += doc/configuration.md doc/benchmarks.md doc/transports.md doc/testing.md
