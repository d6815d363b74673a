# unit tests of src/wire
