# unit tests of src/m3ua
