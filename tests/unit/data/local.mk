# unit tests of src/data
