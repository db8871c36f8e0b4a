public import DepthCore

/// Where the app puts an effect on an object, and how wide (domain §5; seed "AR Depth Fusion", section 7).
public struct EffectPlacement: Sendable, Hashable {
  /// World, y up, metres.
  public var position: SIMD3<Double>
  public init(position: SIMD3<Double>) { self.position = position }

  /// The middle of the box's bottom, raised by min(2 cm, half its height).
  public init(on box: OrientedBox, options: EffectOptions = EffectOptions()) {
    let half = box.size.y / 2
    position = box.center + [0, min(options.largestRise, half) - half, 0]
  }

  /// clamp(box width · depth / fx, 0.1, 3), metres.
  /// - Parameter imageBox: Pixels of the intrinsics' image.
  /// - Parameter depth: Median depth of the object, metres.
  public static func width(
    imageBox: PixelRectangle, depth: Double, intrinsics: CameraIntrinsics,
    options: EffectOptions = EffectOptions()
  ) -> Double {
    let width = Double(imageBox.width) * depth / intrinsics.fx
    return min(max(width, options.widths.lowerBound), options.widths.upperBound)
  }
}
