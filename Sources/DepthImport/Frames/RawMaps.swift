internal import DepthCore
internal import FathomLZFSE
internal import FathomPictureFiles

/// Maps without a header: numbers row by row, lowest byte first, as they are or packed with LZFSE.
struct RawMaps: Sendable, Hashable {
  let type: RawNumbers.Kind
  /// Sizes that a map may have; its number of bytes tells which.
  let sizes: [RasterSize]

  /// The map of a file.
  /// - Throws: `PictureFault` where it has none of the sizes, or is damaged.
  func map(_ file: [UInt8]) throws(PictureFault) -> StoredMap {
    if let size = size(file.count) { return .array(NumpyArray(type.numpy, size), bytes: file, layer: 0) }
    do throws(LZFSE.Fault) {
      let size = try packedSize(file)
      let bytes = try LZFSE.decoded(file, limit: size.count * type.width)
      return .array(NumpyArray(type.numpy, size), bytes: bytes, layer: 0)
    } catch { throw PictureFault(error.reason) }
  }

  /// What can be said of a map without decoding it.
  /// - Throws: `PictureFault` where it has none of the sizes, or is cut short.
  func header(_ file: [UInt8]) throws(PictureFault) -> MapHeader {
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
