import DepthCore
import DepthObjects

/// How much of an object's mask lies in its box: a mask is cut out at its box, so that nearly all of it does unless
/// their rows are counted from different ends.
struct MaskInBox {
  /// Shares, 0…1, where both count from the same end and where they do not.
  let sameOrigin: Double, otherOrigin: Double

  /// A mask pixel counts where its centre is at most a mask pixel outside of the box.
  /// - Returns: nil without a mask, or where no value of it is above the threshold.
  init?(_ object: DetectedObject, _ conventions: DetectionConventions, imageSize: RasterSize) {
    guard let mask = object.mask, mask.size.count > 0 else { return nil }
    let stride = conventions.maskStride
    let letterbox = Letterbox(
      image: imageSize, input: RasterSize(width: mask.width * stride, height: mask.height * stride))
    let (same, other) = (
      letterbox.input(object.box), letterbox.input(object.box.flipped(imageHeight: imageSize.height))
    )
    let (pixel, threshold) = (Float(stride), ObjectOptions().maskThreshold)
    func holds(_ box: PixelRectangle, _ x: Float, _ y: Float) -> Bool {
      x >= box.minX - pixel && x <= box.maxX + pixel && y >= box.minY - pixel && y <= box.maxY + pixel
    }
    var (count, inSame, inOther) = (0, 0, 0)
    for row in 0..<mask.height {
      for column in 0..<mask.width where mask[row, column] > threshold {
        let (x, y) = ((Float(column) + 0.5) * pixel, (Float(row) + 0.5) * pixel)
        count += 1
        inSame += holds(same, x, y) ? 1 : 0
        inOther += holds(other, x, y) ? 1 : 0
      }
    }
    guard count > 0 else { return nil }
    (sameOrigin, otherOrigin) = (Double(inSame) / Double(count), Double(inOther) / Double(count))
  }
}
