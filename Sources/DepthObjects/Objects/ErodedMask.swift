public import DepthCore

/// An object's mask as a selection of points wants it, and without its rim: made once for all depth maps and row flips
/// that it is laid on.
public struct ErodedMask: Sendable {
  let whole: Raster<Float>
  /// Without what ``PointSelection/eroded`` leaves out.
  let inner: Raster<Float>

  /// - Parameter options: Of them the selection's erosion and the letterbox count.
  /// - Returns: nil without a mask.
  public init?(
    of object: DetectedObject, imageSize: RasterSize, conventions: DetectionConventions,
    options: ObjectOptions
  ) {
    guard let mask = object.mask, mask.size.count > 0 else { return nil }
    let stride = conventions.maskStride
    let input = RasterSize(width: mask.width * stride, height: mask.height * stride)
    let letterbox = Letterbox(image: imageSize, input: input, rounding: options.letterboxRounding)
    let side = min(
      Double(object.box.width) * letterbox.scaleX, Double(object.box.height) * letterbox.scaleY)
    // A box that reaches beyond the mask is at most as large as the mask.
    let shorter = max(min(side / Double(stride), Double(min(mask.width, mask.height))), 0)
    let wanted = options.selection.erosion.steps(shorterSide: shorter)
    let rim = PointSelection.eroded.erosion.steps(shorterSide: shorter)
    whole = mask.eroded(steps: wanted)
    inner = rim >= wanted ? whole.eroded(steps: rim - wanted) : mask.eroded(steps: rim)
  }
}
