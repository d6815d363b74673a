# unit tests of src/conf
