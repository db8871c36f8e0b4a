package import DepthCore
internal import DepthDataset
package import FathomPictureFiles

/// What the header of a file of maps says, before its pixels are read.
package struct MapHeader: Sendable {
  package let size: RasterSize
  /// Maps behind each other.
  package var layerCount: Int
  package let bits: Int
  /// "8 bits a channel, with colours or opacity": how its numbers are stored.
  package let form: String
  /// Whether a pixel has several channels.
  package var hasColours: Bool
  /// Whether its numbers are whole.
  package var isWhole: Bool
  /// Names of what the file holds, where it names it.
  package var keys: [String]

  package init(
    size: RasterSize, layerCount: Int = 1, bits: Int, form: String, hasColours: Bool = false,
    isWhole: Bool = false, keys: [String] = []
  ) {
    (self.size, self.layerCount, self.bits, self.form) = (size, layerCount, bits, form)
    (self.hasColours, self.isWhole, self.keys) = (hasColours, isWhole, keys)
  }

  /// Whether it can hold metric depth: numbers of more than 256 levels, in one channel.
  package var holdsDepth: Bool { bits > 8 && !hasColours }

  /// - Throws: `PictureFault` where it has more pixels than `Datasets/SCHEMA.md` allows.
  func requireMapSize() throws(PictureFault) {
    guard size.isWithin(SchemaLimits.mapPixels)
    else { throw PictureFault("it has \(size) pixels, and a map has at most \(SchemaLimits.mapPixels)") }
  }

  /// - Throws: `PictureFault` where a file that belongs to one frame holds several maps.
  package func requireOneLayer() throws(PictureFault) {
    guard layerCount == 1 else {
      if size.width == 3 {
        throw PictureFault(
          "it holds \(layerCount) maps of three columns, as points [h,w,3] are stored; write their depth alone, [h,w]"
        )
      }
      throw PictureFault("it holds \(layerCount) maps, and the file of a frame holds one")
    }
  }
}
