// HDF5 constants are macros that call H5open(); Swift can import only functions.
#pragma once
#include <hdf5.h>

static inline hid_t chdf5_native_float(void) { return H5T_NATIVE_FLOAT; }
static inline hid_t chdf5_native_double(void) { return H5T_NATIVE_DOUBLE; }
static inline hid_t chdf5_native_int8(void) { return H5T_NATIVE_INT8; }
static inline hid_t chdf5_native_uint8(void) { return H5T_NATIVE_UINT8; }
static inline hid_t chdf5_native_int16(void) { return H5T_NATIVE_INT16; }
static inline hid_t chdf5_native_uint16(void) { return H5T_NATIVE_UINT16; }
static inline hid_t chdf5_native_int32(void) { return H5T_NATIVE_INT32; }
static inline hid_t chdf5_native_uint32(void) { return H5T_NATIVE_UINT32; }
static inline hid_t chdf5_native_int64(void) { return H5T_NATIVE_INT64; }
static inline hid_t chdf5_native_uint64(void) { return H5T_NATIVE_UINT64; }

// What the writer stores: little-endian whatever the machine, so that equal content gives equal files.
static inline hid_t chdf5_stored_float(void) { return H5T_IEEE_F32LE; }
static inline hid_t chdf5_stored_double(void) { return H5T_IEEE_F64LE; }
static inline hid_t chdf5_stored_int8(void) { return H5T_STD_I8LE; }
static inline hid_t chdf5_stored_uint8(void) { return H5T_STD_U8LE; }
static inline hid_t chdf5_stored_int16(void) { return H5T_STD_I16LE; }
static inline hid_t chdf5_stored_uint16(void) { return H5T_STD_U16LE; }
static inline hid_t chdf5_stored_int32(void) { return H5T_STD_I32LE; }
static inline hid_t chdf5_stored_uint32(void) { return H5T_STD_U32LE; }
static inline hid_t chdf5_stored_int64(void) { return H5T_STD_I64LE; }
static inline hid_t chdf5_stored_uint64(void) { return H5T_STD_U64LE; }

static inline hid_t chdf5_c_string(void) { return H5T_C_S1; }
static inline size_t chdf5_variable(void) { return H5T_VARIABLE; }

static inline unsigned chdf5_read_only(void) { return H5F_ACC_RDONLY; }
static inline unsigned chdf5_read_write(void) { return H5F_ACC_RDWR; }
static inline unsigned chdf5_truncate(void) { return H5F_ACC_TRUNC; }
static inline hid_t chdf5_file_access(void) { return H5P_FILE_ACCESS; }
static inline hid_t chdf5_file_create(void) { return H5P_FILE_CREATE; }
static inline hid_t chdf5_dataset_create(void) { return H5P_DATASET_CREATE; }
static inline hid_t chdf5_dataset_access(void) { return H5P_DATASET_ACCESS; }
static inline hid_t chdf5_dataset_transfer(void) { return H5P_DATASET_XFER; }
static inline hid_t chdf5_group_create(void) { return H5P_GROUP_CREATE; }
static inline hid_t chdf5_group_access(void) { return H5P_GROUP_ACCESS; }
static inline hid_t chdf5_link_create(void) { return H5P_LINK_CREATE; }
static inline hid_t chdf5_default_properties(void) { return H5P_DEFAULT; }
static inline hid_t chdf5_whole_space(void) { return H5S_ALL; }
static inline hid_t chdf5_default_error_stack(void) { return H5E_DEFAULT; }

// What the library calls itself. Its headers do not declare it, and a build may hide it: then there is none.
extern const char H5_lib_vers_info_g[] __attribute__((weak));
static inline const char *chdf5_version_text(void) { return H5_lib_vers_info_g; }
