public import DepthCore
public import FathomPictureFiles

/// A map in numpy's format: [h,w] of reals or integers, with axes of one anywhere; never objects, which would be code.
/// - SeeAlso: NEP 1, "A simple file format for NumPy arrays".
public struct NumpyArray: Sendable {
  public let size: RasterSize
  /// Maps behind each other: 1, or the first extent of [n,h,w] where stacks are allowed.
  public let layerCount: Int
  /// Numbers of a pixel, as a part of the rows.
  let channelCount: Int
  /// As numpy writes it: "<f4".
  public let type: String
  private let start: Int, width: Int, isSwapped: Bool, isColumnMajor: Bool

  /// Reads the header and compares the length of the file with it.
  /// - Parameter fileSize: Bytes of the file where only its beginning is given.
  /// - Parameter allowsStacks: Whether [n,h,w] is read.
  /// - Parameter hasChannels: Whether a last axis of at most 4 is taken as a part of the rows: pixels are several numbers then.
  /// - Parameter allowsVectors: Whether a lone number and [n], as a column, are read.
  /// - Throws: `PictureFault` where it is not a map of numbers, or is cut short.
  public init(
    _ file: [UInt8], fileSize: Int? = nil, allowsStacks: Bool = false, hasChannels: Bool = false,
    allowsVectors: Bool = false
  ) throws(PictureFault) {
    guard file.starts(with: Self.signature), file.count >= 12
    else { throw PictureFault("it is not in numpy's format") }
    let isLong = file[6] >= 2
    let length =
      isLong
      ? (8..<12).reversed().reduce(0) { $0 << 8 | Int(file[$1]) } : Int(file[8]) | Int(file[9]) << 8
    start = (isLong ? 12 : 10) + length
    guard (1...3).contains(file[6])
    else { throw PictureFault("it is in version \(file[6]) of numpy's format, and 1 to 3 are known") }
    guard length <= 65_536, start <= file.count else { throw PictureFault("its numpy header cannot be read") }
    let header = String(decoding: file[(isLong ? 12 : 10)..<start], as: UTF8.self)
    guard let type = Self.value("descr", header)?.dropFirst().prefix(while: { $0 != "'" }).description,
      let shape = Self.value("shape", header)?.dropFirst().prefix(while: { $0 != ")" }),
      let order = Self.value("fortran_order", header)
    else { throw PictureFault("its numpy header cannot be read") }
    self.type = type
    guard let width = Self.widths[String(type.dropFirst())], "<>|=".contains(type.first ?? " ") else {
      throw PictureFault(
        type.hasSuffix("O")
          ? "it holds Python objects, which would be code; numpy.load with allow_pickle=True reads them, and numpy.save writes each as an array"
          : "it holds numbers of the type '\(type)'")
    }
    self.width = width
    isSwapped = type.hasPrefix(">") && width > 1
    isColumnMajor = order.hasPrefix("True")
    var extents = shape.split(separator: ",").compactMap { Int($0.filter { !$0.isWhitespace }) }
    if hasChannels, extents.count > 2, let last = extents.last, (1...4).contains(last),
      extents.allSatisfy({ (1...1_000_000).contains($0) })
    {
      channelCount = last
      extents.removeLast()
      extents[extents.count - 1] *= last
    } else {
      channelCount = 1
    }
    while allowsVectors, extents.count < 2 { extents.append(1) }
    while extents.count > 3, let single = extents.firstIndex(of: 1) { extents.remove(at: single) }
    if extents.count == 3, extents[0] == 1 { extents.removeFirst() }
    if extents.count == 3, extents[2] == 1 { extents.removeLast() }
    var layers = 1
    if allowsStacks, extents.count == 3, (1...1_000_000).contains(extents[0]) {
      layers = extents.removeFirst()
    }
    layerCount = layers
    guard extents.count == 2, extents.allSatisfy({ $0 > 0 && $0 <= 65_536 }),
      extents[0] * extents[1] <= PNGReader.mostPixels
    else { throw PictureFault("its shape is (\(shape)), and a map has the shape (h, w)") }
    size = RasterSize(width: extents[1], height: extents[0])
    let (fileSize, end) = (fileSize ?? file.count, start + layers * size.count * width)
    guard fileSize == end else {
      throw PictureFault(
        fileSize < end ? "the array is cut short" : "the array is longer than its shape says")
    }
  }

  /// Numbers without a header, row by row.
  /// - Parameter type: One that numpy has: "<f4".
  package init(_ type: String, _ size: RasterSize) {
    (self.type, self.size, start, isSwapped, isColumnMajor) = (type, size, 0, false, false)
    width = Self.widths[String(type.dropFirst())] ?? 1
    (layerCount, channelCount) = (1, 1)
  }

  /// Where one of several maps lies in the file, and how it is read from those bytes alone; nil where it does not lie in one piece, in the usual order
  /// of bytes, or is the only one.
  func stored(layer: Int) -> (range: Range<Int>, array: NumpyArray)? {
    guard layerCount > 1, !isColumnMajor, !isSwapped else { return nil }
    let (length, first) = (size.count * width, start + layer * size.count * width)
    return (first..<first + length, NumpyArray(type, size))
  }

  /// The numbers of a map as they are stored, where they are reals of 32 bits row by row; nil for others.
  func floats(_ file: [UInt8], layer: Int) -> [Float]? {
    guard type == "<f4", !isColumnMajor else { return nil }
    let first = start + layer * size.count * 4
    return [Float](unsafeUninitializedCapacity: size.count) { values, count in
      file.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(values).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: $0[first..<first + size.count * 4]))
      }
      count = size.count
    }
  }

  /// How such a file begins.
  package static let signature: [UInt8] = [0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59]
  /// Of a number.
  var bits: Int { width * 8 }
  /// Whether it holds reals.
  public var isReal: Bool { type.contains("f") }

  /// The numbers, row by row.
  /// - Parameter file: The bytes that the header was read from.
  /// - Parameter layer: Which map of a stack.
  public func values(_ file: [UInt8], layer: Int = 0) -> [Double] {
    let (rows, columns) = (size.height, size.width)
    let read = reader
    return file.withUnsafeBytes { bytes in
      (0..<size.count).map { index in
        // The first extent of a stack runs fastest where columns come first.
        let place =
          isColumnMajor
          ? layer + layerCount * (index % columns * rows + index / columns) : layer * size.count + index
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
    case "f2": let get = bits(UInt16.self); return { Double(HalfFloat.value(get($0, $1))) }
    case "f4": let get = bits(UInt32.self); return { Double(Float(bitPattern: get($0, $1))) }
    case "f8": let get = bits(UInt64.self); return { Double(bitPattern: get($0, $1)) }
    case "i1": let get = bits(Int8.self); return { Double(get($0, $1)) }
    case "u1": let get = bits(UInt8.self); return { Double(get($0, $1)) }
    case "u2": let get = bits(UInt16.self); return { Double(get($0, $1)) }
    case "u4": let get = bits(UInt32.self); return { Double(get($0, $1)) }
    case "i2": let get = bits(Int16.self); return { Double(get($0, $1)) }
    case "i4": let get = bits(Int32.self); return { Double(get($0, $1)) }
    default: let get = bits(Int64.self); return { Double(get($0, $1)) }
    }
  }

  private static let widths = [
    "f2": 2, "f4": 4, "f8": 8, "u1": 1, "u2": 2, "u4": 4, "i1": 1, "i2": 2, "i4": 4, "i8": 8,
  ]

  /// What stands behind 'key': in the header.
  private static func value(_ key: String, _ header: String) -> Substring? {
    guard let found = header.firstRange(of: "'\(key)':") else { return nil }
    return header[found.upperBound...].drop { $0 == " " }
  }
}
