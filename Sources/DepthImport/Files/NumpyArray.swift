public import DepthCore
public import PictureFiles

/// A map in numpy's format: [h,w], [1,h,w] or [h,w,1] of reals or integers; never objects, which would be code.
///
/// - SeeAlso: NEP 1, "A simple file format for NumPy arrays".
public struct NumpyArray: Sendable {
  public let size: RasterSize
  /// As numpy writes it: "<f4".
  public let type: String
  private let start: Int
  private let width: Int
  private let isSwapped: Bool
  private let isColumnMajor: Bool

  /// Reads the header and holds the length of the file against it.
  ///
  /// - Throws: `PictureFault` where it is no map of numbers, or is cut short.
  public init(_ file: [UInt8]) throws(PictureFault) {
    guard file.starts(with: [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]), file.count >= 12 else {
      throw PictureFault("it is not in numpy's format")
    }
    let isLong = file[6] >= 2
    let length =
      isLong
      ? (8..<12).reversed().reduce(0) { $0 << 8 | Int(file[$1]) } : Int(file[8]) | Int(file[9]) << 8
    start = (isLong ? 12 : 10) + length
    guard (1...3).contains(file[6]), length <= 65_536, start <= file.count else {
      throw PictureFault("its numpy header cannot be read")
    }
    let header = String(decoding: file[(isLong ? 12 : 10)..<start], as: UTF8.self)
    guard let type = Self.value("descr", header)?.dropFirst().prefix(while: { $0 != "'" }).description,
      let shape = Self.value("shape", header)?.dropFirst().prefix(while: { $0 != ")" }),
      let order = Self.value("fortran_order", header)
    else { throw PictureFault("its numpy header cannot be read") }
    self.type = type
    guard let width = Self.widths[String(type.dropFirst())], "<>|=".contains(type.first ?? " ") else {
      throw PictureFault(
        type.hasSuffix("O")
          ? "it holds Python objects, which would be code" : "it holds numbers of the type '\(type)'")
    }
    self.width = width
    isSwapped = type.hasPrefix(">") && width > 1
    isColumnMajor = order.hasPrefix("True")
    var extents = shape.split(separator: ",").compactMap {
      Int($0.filter { !$0.isWhitespace })
    }
    if extents.count == 3, extents[0] == 1 { extents.removeFirst() }
    if extents.count == 3, extents[2] == 1 { extents.removeLast() }
    guard extents.count == 2, extents.allSatisfy({ $0 > 0 && $0 <= 65_536 }),
      extents[0] * extents[1] <= PNGReader.mostPixels
    else { throw PictureFault("its shape is (\(shape)), and a map has the shape (h, w)") }
    size = RasterSize(width: extents[1], height: extents[0])
    guard file.count == start + size.count * width else {
      throw PictureFault(
        file.count < start + size.count * width
          ? "the array is cut short" : "the array is longer than its shape says")
    }
  }

  /// Whether it holds reals.
  public var isReal: Bool { type.contains("f") }

  /// The numbers, row by row.
  ///
  /// - Parameter file: The bytes that the header was read from.
  public func values(_ file: [UInt8]) -> [Double] {
    let (rows, columns) = (size.height, size.width)
    let read = reader
    return file.withUnsafeBytes { bytes in
      (0..<size.count).map { index in
        let place = isColumnMajor ? index % columns * rows + index / columns : index
        return read(bytes, start + place * width)
      }
    }
  }

  private var reader: (UnsafeRawBufferPointer, Int) -> Double {
    let swaps = isSwapped
    func bits<Bits: FixedWidthInteger>(_: Bits.Type) -> (UnsafeRawBufferPointer, Int) -> Bits {
      { bytes, place in
        let stored = bytes.loadUnaligned(fromByteOffset: place, as: Bits.self)
        return swaps ? stored.byteSwapped : stored
      }
    }
    switch type.dropFirst() {
    case "f2": let get = bits(UInt16.self); return { Self.half(get($0, $1)) }
    case "f4": let get = bits(UInt32.self); return { Double(Float(bitPattern: get($0, $1))) }
    case "f8": let get = bits(UInt64.self); return { Double(bitPattern: get($0, $1)) }
    case "u1": let get = bits(UInt8.self); return { Double(get($0, $1)) }
    case "u2": let get = bits(UInt16.self); return { Double(get($0, $1)) }
    case "u4": let get = bits(UInt32.self); return { Double(get($0, $1)) }
    case "i2": let get = bits(Int16.self); return { Double(get($0, $1)) }
    case "i4": let get = bits(Int32.self); return { Double(get($0, $1)) }
    default: let get = bits(Int64.self); return { Double(get($0, $1)) }
    }
  }

  private static let widths = [
    "f2": 2, "f4": 4, "f8": 8, "u1": 1, "u2": 2, "u4": 4, "i2": 2, "i4": 4, "i8": 8,
  ]

  /// IEEE 754 binary16, which this platform's Swift does not have everywhere.
  static func half(_ bits: UInt16) -> Double {
    let (exponent, fraction) = (Int(bits >> 10 & 31), Double(bits & 1023))
    let magnitude =
      switch exponent {
      case 0: Double(sign: .plus, exponent: -24, significand: 1) * fraction
      case 31: fraction == 0 ? Double.infinity : Double.nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction / 1024)
      }
    return bits >> 15 == 1 ? -magnitude : magnitude
  }

  /// What stands behind 'key': in the header.
  private static func value(_ key: String, _ header: String) -> Substring? {
    guard let found = header.firstRange(of: "'\(key)':") else { return nil }
    return header[found.upperBound...].drop { $0 == " " }
  }
}
