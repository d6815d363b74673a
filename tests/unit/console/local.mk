# unit tests of src/console
