internal import CFathomHDF5

/// A Swift number that HDF5 can convert to and from.
///
/// Conversion is HDF5's: out-of-range integers are clamped and fractions truncated, as in C.
public protocol HDF5Scalar: BitwiseCopyable, Sendable {
  static var scalarKind: HDF5ScalarKind { get }
  /// The value that unread elements hold.
  static var zero: Self { get }
}

/// The native number types of `HDF5Scalar`.
public enum HDF5ScalarKind: Sendable, Hashable {
  case float32, float64, int8, uint8, int16, uint16, int32, uint32, int64, uint64

  /// Type of an element in memory. Call inside `HDF5Library.call`.
  var nativeType: hid_t { types.native() }
  /// Type of an element in files that this module writes. Call inside `HDF5Library.call`.
  var storedType: hid_t { types.stored() }

  private var types: (native: () -> hid_t, stored: () -> hid_t) {
    switch self {
    case .float32: (chdf5_native_float, chdf5_stored_float)
    case .float64: (chdf5_native_double, chdf5_stored_double)
    case .int8: (chdf5_native_int8, chdf5_stored_int8)
    case .uint8: (chdf5_native_uint8, chdf5_stored_uint8)
    case .int16: (chdf5_native_int16, chdf5_stored_int16)
    case .uint16: (chdf5_native_uint16, chdf5_stored_uint16)
    case .int32: (chdf5_native_int32, chdf5_stored_int32)
    case .uint32: (chdf5_native_uint32, chdf5_stored_uint32)
    case .int64: (chdf5_native_int64, chdf5_stored_int64)
    case .uint64: (chdf5_native_uint64, chdf5_stored_uint64)
    }
  }
}

extension Float: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .float32 } }
extension Double: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .float64 } }
extension Int8: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .int8 } }
extension UInt8: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .uint8 } }
extension Int16: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .int16 } }
extension UInt16: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .uint16 } }
extension Int32: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .int32 } }
extension UInt32: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .uint32 } }
extension Int64: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .int64 } }
extension UInt64: HDF5Scalar { public static var scalarKind: HDF5ScalarKind { .uint64 } }
