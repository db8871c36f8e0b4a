// HDF5
