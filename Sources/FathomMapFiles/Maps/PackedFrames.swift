internal import DepthCore
package import FathomPictureFiles
package import FathomPlainText

/// The frames of a file in which one stands behind the other, each packed by itself, as ScanNet++'s `depth.bin` has them
/// (scannetpp/scannetpp f3b4712, iphone/prepare_iphone_data.py): four bytes of a length, lowest first, and as many bytes of an LZ4
/// block of 16-bit millimetres, or of deflated 32-bit metres.
package struct PackedFrames: Sendable, Hashable, Decodable {
  package let files: [FilePattern]
  let size: RasterSize

  private enum CodingKeys: String, MappingKeys { case files, size }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    files = try keys.required(.files)
    let sides: [Int] = try keys.required(.size)
    guard sides.count == 2, sides.allSatisfy((1...8192).contains)
    else { throw MappingFault(words: "'packed.size' must be [width, height]") }
    size = RasterSize(width: sides[0], height: sides[1])
  }

  /// Finds the frames of a file, whose numbers become millimetres.
  /// - Throws: `PictureFault` where lengths do not lead from frame to frame up to the end of the file.
  package func open(_ path: String) throws(PictureFault) -> MapFile {
    let end = try FileBytes.Ends(path).fileSize, size = size
    var (places, next) = ([Range<Int>](), 0)
    while next < end {
      guard end - next > 4 else { throw Self.noFrames }
      let bytes = try FileBytes.read(path, next..<next + 4).reversed().reduce(0) { $0 << 8 | Int($1) }
      let place = next + 4..<next + 4 + bytes
      // No packing makes more of a frame than this.
      guard bytes > 0, bytes <= 8 * size.count + 1024, place.upperBound <= end else { throw Self.noFrames }
      places.append(place)
      next = place.upperBound
    }
    guard !places.isEmpty else { throw PictureFault("it is empty") }
    let header = MapHeader(size: size, layerCount: places.count, bits: 16, form: "packed frames")
    return MapFile(header) { [places] (layer) throws(PictureFault) in
      let packed = try FileBytes.read(path, places[layer])
      if let counts = LZ4Block.decoded(packed, count: 2 * size.count) {
        return .array(NumpyArray("<u2", size), bytes: counts, layer: 0)
      }
      guard let metres = try DeflatedBytes.inflated(packed[...], to: 4 * size.count) else {
        throw PictureFault("it is neither an LZ4 block nor deflated, or it is damaged")
      }
      let map = StoredMap.array(NumpyArray("<f4", size), bytes: metres, layer: 0).reals
      return .reals(Raster(width: size.width, height: size.height, values: map.values.map { $0 * 1000 }))
    }
  }

  private static let noFrames = PictureFault(
    "its lengths do not lead from frame to frame: all frames are packed as one, or it is cut short")
  package static let advice: Wording =
    "unpack it to depth/ with extract_depth of ScanNet++'s prepare_iphone_data.py, or copy it again"
}
