internal import DepthCore
internal import FathomPictureFiles

/// Depth maps of MPI Sintel: "PIEH", which is the number 202021.25, width and height in 32 bits, then floats, row by row, lowest byte
/// first.
///
/// Layout: MPI-Sintel's depth SDK 1.0 of 2015, `sdk/python/sintel_io.py`.
extension MapFormat {
  static let sintel = {
    var format = MapFormat("Sintel's depth map", endings: ["dpt"], begins: { $0.starts(with: tag) }) {
      (path) throws(PictureFault) in
      let file = try FileBytes.read(path), size = try size(file, fileSize: file.count)
      return MapFile(header(size)) { (_) throws(PictureFault) in
        .array(NumpyArray("<f4", size), bytes: Array(file[start...]), layer: 0)
      }
    }
    format.look = { (ends) throws(PictureFault) in header(try size(ends.first, fileSize: ends.fileSize)) }
    return format
  }()

  private static let tag = Array("PIEH".utf8), start = 12

  private static func header(_ size: RasterSize) -> MapHeader {
    MapHeader(size: size, bits: 32, form: "32 bits")
  }

  /// - Parameter fileSize: Bytes of the file where only its beginning is given.
  private static func size(_ file: [UInt8], fileSize: Int) throws(PictureFault) -> RasterSize {
    guard file.count >= start else { throw PictureFault("it is cut short") }
    func side(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(file[place + $1]) << (8 * $1) } }
    let (width, height) = (side(4), side(8))
    guard (1...65_536).contains(width), (1...65_536).contains(height)
    else { throw PictureFault("its size cannot be read") }
    let size = RasterSize(width: width, height: height)
    guard fileSize != start + 8 * size.count else {
      throw PictureFault("it is optical flow, two numbers a pixel")
    }
    guard fileSize == start + 4 * size.count else {
      throw PictureFault("it holds \(fileSize) bytes, and a map of \(size) has \(start + 4 * size.count)")
    }
    return size
  }
}
