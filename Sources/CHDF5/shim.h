// HDF5 constants are macros that call H5open(); Swift can import only functions.
#include <hdf5.h>
