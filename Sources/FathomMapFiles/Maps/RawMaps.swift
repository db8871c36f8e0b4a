package import DepthCore
internal import FathomLZFSE
package import FathomPictureFiles

/// Maps without a header: numbers row by row, lowest byte first, as they are or packed with LZFSE.
package struct RawMaps: Sendable, Hashable {
  let type: RawNumbers.Kind
  /// Sizes that a map may have; its number of bytes tells which.
  let sizes: [RasterSize]
  package init(type: RawNumbers.Kind, sizes: [RasterSize]) { (self.type, self.sizes) = (type, sizes) }

  /// The map of a file.
  /// - Throws: `PictureFault` where it has none of the sizes, or is damaged.
  package func map(_ file: [UInt8]) throws(PictureFault) -> StoredMap {
    if let size = size(file.count) { return .array(NumpyArray(type.numpy, size), bytes: file, layer: 0) }
    do throws(LZFSE.Fault) {
      let size = try packedSize(file)
      let bytes = try LZFSE.decoded(file, limit: size.count * type.width)
      return .array(NumpyArray(type.numpy, size), bytes: bytes, layer: 0)
    } catch { throw PictureFault(error.reason) }
  }

  /// What can be said of a map without decoding it.
  /// - Throws: `PictureFault` where it has none of the sizes, or is cut short.
  package func header(_ file: [UInt8]) throws(PictureFault) -> MapHeader {
    let bits = type.width * 8
    let header = MapHeader(size: try size(of: file), bits: bits, form: "\(bits) bits")
    try header.requireMapSize()
    return header
  }

  private func size(of file: [UInt8]) throws(PictureFault) -> RasterSize {
    if let size = size(file.count) { return size }
    do throws(LZFSE.Fault) { return try packedSize(file) } catch { throw PictureFault(error.reason) }
  }

  private func size(_ bytes: Int) -> RasterSize? { sizes.first { $0.count * type.width == bytes } }

  private func packedSize(_ file: [UInt8]) throws(LZFSE.Fault) -> RasterSize {
    let isPacked = LZFSE.begins(file), count = isPacked ? try LZFSE.declaredCount(file) : file.count
    if isPacked, let size = size(count) { return size }
    let listed = sizes.map { "\($0)" }.joined(separator: " or ")
    throw LZFSE.Fault(
      "it holds \(count) bytes, and a map of \(listed) has \(sizes.map { "\($0.count * type.width)" }.joined(separator: " or "))"
    )
  }
}

/// How the numbers of files without a header stand in them: row by row, lowest byte first, as they are or packed with LZFSE.
package struct RawNumbers: Sendable, Hashable, Decodable {
  package enum Kind: String, CaseIterable, Sendable {
    case f2, f4, u1, u2

    var width: Int { self == .f4 ? 4 : self == .u1 ? 1 : 2 }
    /// As numpy writes it.
    var numpy: String { (width == 1 ? "|" : "<") + rawValue }
  }

  package var type: Kind
  /// Keys of the width and the height in the recording's JSON.
  package var sizeKeys: [String]
  /// Where the keys are not there; the number of bytes tells which it is.
  package var sizes: [RasterSize]

  private enum CodingKeys: String, MappingKeys {
    case type, sizes, sizeKeys = "size"
  }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    (type, sizeKeys) = (try keys.requiredWord(.type), try keys.optional(.sizeKeys) ?? [])
    let listed: [[Int]] = try keys.optional(.sizes) ?? []
    guard listed.allSatisfy({ $0.count == 2 && $0.allSatisfy((1...8192).contains) }),
      sizeKeys.isEmpty || sizeKeys.count == 2, !(listed.isEmpty && sizeKeys.isEmpty)
    else {
      throw MappingFault(
        words: "'raw' needs sizes: [[width, height], …], or size: two keys of the recording's JSON")
    }
    sizes = listed.map { RasterSize(width: $0[0], height: $0[1]) }
  }
}
