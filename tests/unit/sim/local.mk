# unit tests of src/sim
