internal import CFathomHDF5

/// The type of the elements in a file.
public enum HDF5StoredType: Sendable, Hashable, CustomStringConvertible {
  case integer(bits: Int, signed: Bool, bigEndian: Bool), float(bits: Int, bigEndian: Bool)
  /// Text of a fixed number of bytes, or of any length where nil.
  case string(bytes: Int?)
  /// A class that this module does not read: "compound".
  case other(String)

  /// Whether `HDF5Dataset.read` can convert it to a number.
  public var isNumeric: Bool {
    switch self {
    case .integer, .float: true
    case .string, .other: false
    }
  }

  /// Bytes that an element takes in an array, where it is known here: of a text of any length its place in the
  /// file's heap.
  public var byteCount: Int {
    switch self {
    case .integer(let bits, _, _), .float(let bits, _): max(1, bits / 8)
    case .string(let bytes): bytes ?? 16
    case .other: 1
    }
  }

  /// "uint16", "float32 big-endian", "string".
  public var description: String {
    switch self {
    case .integer(let bits, let signed, let bigEndian):
      "\(signed ? "" : "u")int\(bits)\(bigEndian && bits > 8 ? " big-endian" : "")"
    case .float(let bits, let bigEndian): "float\(bits)\(bigEndian ? " big-endian" : "")"
    case .string(let bytes): bytes.map { "string of \($0) bytes" } ?? "string"
    case .other(let name): name
    }
  }

  init(of type: borrowing Handle, on object: String) throws(HDF5Error) {
    let id = type.id
    var (kind, size, order, sign) = (H5T_NO_CLASS, 0, H5T_ORDER_NONE, H5T_SGN_NONE)
    var isVariable = false
    try HDF5Library.call("H5Tget_class", on: object) {
      kind = H5Tget_class(id)
      size = H5Tget_size(id)
      if kind == H5T_INTEGER || kind == H5T_FLOAT { order = H5Tget_order(id) }
      if kind == H5T_INTEGER { sign = H5Tget_sign(id) }
      if kind == H5T_STRING { isVariable = H5Tis_variable_str(id) > 0 }
      return kind.rawValue
    }
    switch kind {
    case H5T_INTEGER:
      self = .integer(bits: size * 8, signed: sign == H5T_SGN_2, bigEndian: order == H5T_ORDER_BE)
    case H5T_FLOAT: self = .float(bits: size * 8, bigEndian: order == H5T_ORDER_BE)
    case H5T_STRING: self = .string(bytes: isVariable ? nil : size)
    case H5T_BITFIELD: self = .other("bit field")
    case H5T_OPAQUE: self = .other("opaque")
    case H5T_COMPOUND: self = .other("compound")
    case H5T_REFERENCE: self = .other("reference")
    case H5T_ENUM: self = .other("enumeration")
    case H5T_VLEN: self = .other("variable-length sequence")
    case H5T_ARRAY: self = .other("array type")
    default: self = .other("class \(kind.rawValue)")
    }
  }
}
