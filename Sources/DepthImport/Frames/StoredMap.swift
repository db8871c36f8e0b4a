internal import FathomLZFSE
internal import DepthCore
internal import FathomPictureFiles

/// The numbers of a map's file, as they are stored.
enum StoredMap {
  /// A PNG.
  case counts(Raster<UInt16>)
  case array(NumpyArray, bytes: [UInt8])
  /// An EXR.
  case reals(Raster<Float>)

  /// - Parameter raw: The form of files without a header; nil where they have one.
  /// - Throws: `PictureFault` where the file is damaged, or no map.
  init(_ path: String, raw: RawMaps?) throws(PictureFault) {
    let bytes = try FileBytes.read(path)
    if let raw {
      let (array, numbers) = try raw.array(bytes)
      self = .array(array, bytes: numbers)
    } else if FileEnding.of(path) == "npy" {
      self = .array(try NumpyArray(bytes), bytes: bytes)
    } else if FileEnding.of(path) == "npz" {
      let array = try NumpyArchive(bytes).map
      self = .array(try NumpyArray(array), bytes: array)
    } else if FileEnding.of(path) == "exr" {
      self = .reals(try EXRReader.map(bytes))
    } else {
      self = .counts(try PNGReader.grey(bytes))
    }
  }

  var size: RasterSize {
    switch self {
    case .counts(let map): map.size
    case .array(let array, _): array.size
    case .reals(let map): map.size
    }
  }

  /// The numbers, row by row.
  var values: [Double] {
    switch self {
    case .counts(let map): map.values.map { Double($0) }
    case .array(let array, let bytes): array.values(bytes)
    case .reals(let map): map.values.map { Double($0) }
    }
  }
}

/// Maps without a header: numbers row by row, lowest byte first, as they are or packed with LZFSE.
struct RawMaps: Sendable, Hashable {
  let type: RawNumbers.Kind
  /// Sizes that a map may have; its number of bytes tells which.
  let sizes: [RasterSize]

  /// - Throws: `PictureFault` where it has none of the sizes, or is damaged.
  func array(_ file: [UInt8]) throws(PictureFault) -> (NumpyArray, [UInt8]) {
    if let size = size(file.count) { return (NumpyArray(type.numpy, size), file) }
    do throws(LZFSE.Fault) {
      let size = try packedSize(file)
      return (NumpyArray(type.numpy, size), try LZFSE.decoded(file, limit: size.count * type.width))
    } catch {
      throw PictureFault(error.reason)
    }
  }

  /// The size of a map, without decoding it.
  ///
  /// - Throws: `PictureFault` where it has none of the sizes, or is cut short.
  func size(of file: [UInt8]) throws(PictureFault) -> RasterSize {
    if let size = size(file.count) { return size }
    do throws(LZFSE.Fault) { return try packedSize(file) } catch { throw PictureFault(error.reason) }
  }

  private func size(_ bytes: Int) -> RasterSize? { sizes.first { $0.count * type.width == bytes } }

  private func packedSize(_ file: [UInt8]) throws(LZFSE.Fault) -> RasterSize {
    let isPacked = LZFSE.begins(file)
    let count = isPacked ? try LZFSE.declaredCount(file) : file.count
    if isPacked, let size = size(count) { return size }
    let listed = sizes.map { "\($0)" }.joined(separator: " or ")
    throw LZFSE.Fault(
      "it holds \(count) bytes, and a map of \(listed) has \(sizes.map { "\($0.count * type.width)" }.joined(separator: " or "))"
    )
  }
}
