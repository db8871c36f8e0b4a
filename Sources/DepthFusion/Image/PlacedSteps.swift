import DepthCore

/// What the camera image says of a LiDAR map's depth steps, and why it is taken or not.
///
/// Steps that the LiDAR draws clearly wider than an image does (``StepWidth/isWide``) are placed by the image where it shows them. Of a sharp
/// map the image is taken where it predicts held-out returns at steps better (``HeldOutSteps``).
struct PlacedSteps {
  /// Depth near steps, NaN elsewhere; nil where the image is not taken.
  let depths: DepthMap?
  /// The reason.
  let words: String

  /// - Parameter size: Of the raster that is wanted, in the image's view.
  /// - Parameter offset: Where that lies in the LiDAR's view, beside its own place, its pixels.
  init(
    _ lidar: DepthMap, _ image: Raster<RGB>, at size: RasterSize, offset: PixelOffset,
    registration: PixelOffset?
  ) {
    let steps = StepWidth(of: lidar)
    let guide = ImageGuide(lidar, steps, image, registration: registration)
    var words = steps.words
    if steps.isWide {
      depths = guide.depths(at: size, offset: offset, agreeing: true)
    } else {
      let fineness = Double(min(image.width, size.width)) / Double(max(lidar.width, 1))
      let heldOut = HeldOutSteps(guide.lidar, colours: guide.colours, fineness: fineness)
      depths = heldOut.favourImage ? guide.means(at: size, offset: offset) : nil
      if let absolute = heldOut.absolute, let squared = heldOut.squared {
        words +=
          ", and the image changes the error of held-out returns there by \(percent(-absolute.share)), its square by \(percent(-squared.share))"
      }
    }
    let share = depths.map { map in Double(map.values.count { $0.isFinite }) / Double(map.values.count) }
    self.words =
      words + ": "
      + (share.map { "the image places \(percent($0)) of the pixels" } ?? "the image is not used")
  }
}
