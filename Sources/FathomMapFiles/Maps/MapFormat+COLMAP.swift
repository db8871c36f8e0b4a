internal import DepthCore
internal import FathomPictureFiles

/// Depth maps of COLMAP's patch-match stereo: "128&96&1&", then floats, row by row.
///
/// Layout: colmap/colmap, `scripts/python/read_write_dense.py`.
extension MapFormat {
  static let colmap = {
    var format = MapFormat("COLMAP's depth map", endings: ["bin"], begins: { sides($0) != nil }) {
      (path) throws(PictureFault) in
      let file = try FileBytes.read(path)
      let (size, start) = try header(file, fileSize: file.count)
      return MapFile(reals(size)) { (_) throws(PictureFault) in
        .array(NumpyArray("<f4", size), bytes: Array(file[start...]), layer: 0)
      }
    }
    format.look = { (ends) throws(PictureFault) in
      reals(try header(ends.first, fileSize: ends.fileSize).size)
    }
    return format
  }()

  /// - Parameter fileSize: Bytes of the file where only its beginning is given.
  private static func header(
    _ file: [UInt8], fileSize: Int
  ) throws(PictureFault) -> (size: RasterSize, start: Int) {
    guard let (sides, start) = sides(file) else { throw PictureFault("it is not a depth map of COLMAP") }
    guard sides[2] == 1 else { throw PictureFault("it has \(sides[2]) channels, and depth has one") }
    guard sides[..<2].allSatisfy((1...65_536).contains) else { throw PictureFault("its size cannot be read") }
    let size = RasterSize(width: sides[0], height: sides[1])
    guard fileSize == start + 4 * size.count else {
      throw PictureFault("it holds \(fileSize) bytes, and a map of \(size) has \(start + 4 * size.count)")
    }
    return (size, start)
  }

  /// Width, height and channels, and where the numbers begin; nil for another file.
  private static func sides(_ file: [UInt8]) -> (sides: [Int], start: Int)? {
    let parts = file.prefix(32).split(
      separator: UInt8(ascii: "&"), maxSplits: 3, omittingEmptySubsequences: false)
    let sides = parts.prefix(3).compactMap { Int(String(decoding: $0, as: UTF8.self)) }
    guard parts.count == 4, sides.count == 3, sides.allSatisfy({ $0 > 0 }) else { return nil }
    return (sides, parts[3].startIndex)
  }
}
