# unit tests of src/sctp
