# unit tests of src/base
