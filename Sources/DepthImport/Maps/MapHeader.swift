internal import DepthCore
internal import DepthDataset
internal import FathomPictureFiles

/// What the header of a file of maps says, before its pixels are read.
struct MapHeader: Sendable {
  let size: RasterSize
  /// Maps behind each other.
  var layerCount = 1
  let bits: Int
  /// "8 bits a channel, with colours or opacity": how its numbers are stored.
  let form: String
  /// Whether a pixel has several channels.
  var hasColours = false
  /// Whether its numbers are whole.
  var isWhole = false
  /// Names of what the file holds, where it names it.
  var keys: [String] = []
  /// Whether it can hold metric depth: numbers of more than 256 levels, in one channel.
  var holdsDepth: Bool { bits > 8 && !hasColours }

  /// - Throws: `PictureFault` where it has more pixels than `Datasets/SCHEMA.md` allows.
  func requireMapSize() throws(PictureFault) {
    guard size.isWithin(SchemaLimits.mapPixels)
    else { throw PictureFault("it has \(size) pixels, and a map has at most \(SchemaLimits.mapPixels)") }
  }

  /// - Throws: `PictureFault` where a file that belongs to one frame holds several maps.
  func requireOneLayer() throws(PictureFault) {
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
