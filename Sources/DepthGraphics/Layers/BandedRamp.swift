public import DepthCore

/// Depth in four bands with hard borders at 1, 2.5 and 5 m, which can be read off as distances: red, yellow to green, cyan, blue.
///
/// The table of the depth visualization names one colour for a band and two for the second, 1–2.5 m "Yellow/Green":
/// that one runs from yellow to green, the others are flat. A border belongs to the farther band. Missing depth is
/// transparent. Depth is read like ``DepthRamp``'s.
public struct BandedRamp: PictureLayer {
  public struct Band: Sendable, Hashable {
    /// Where it begins, metres; it ends where the next one does.
    public let start: Float
    /// Colours at its beginning and end.
    public let first: RGB, last: RGB
    /// "1–2.5 m".
    public let name: String
  }

  /// From near to far.
  public static let bands = [
    Band(start: 0, first: DepthRamp.nearColour, last: DepthRamp.nearColour, name: "0–1 m"),
    Band(
      start: 1, first: RGB(red: 255, green: 255, blue: 0), last: RGB(red: 0, green: 255, blue: 0),
      name: "1–2.5 m"),
    Band(
      start: 2.5, first: RGB(red: 0, green: 255, blue: 255), last: RGB(red: 0, green: 255, blue: 255),
      name: "2.5–5 m"),
    Band(start: 5, first: DepthRamp.farColour, last: DepthRamp.farColour, name: "5 m and more"),
  ]

  /// Planar depth, metres, any resolution.
  public var depth: DepthMap
  /// 0…1.
  public var opacity: Float

  /// - Precondition: `opacity` is 0…1.
  public init(_ depth: DepthMap, opacity: Float = 0.4) {
    precondition((0...1).contains(opacity), "an opacity is 0…1")
    (self.depth, self.opacity) = (depth, opacity)
  }

  public func draw(on picture: inout Raster<RGBA>) {
    let rows = BilinearRows(depth.knownDepths, size: picture.size)
    let opacity = SIMD8<Float>(repeating: opacity)
    picture.blend(sampling: rows.read) { depth in
      let isKnown = depth .== depth
      let t = (depth - 1) / 1.5
      // Red, and over it each band that has begun.
      var red = SIMD8<Float>(repeating: 255)
      var (green, blue) = (SIMD8<Float>(repeating: 0), SIMD8<Float>(repeating: 0))
      let isMiddle = depth .>= 1
      red.replace(with: 255 * (1 - t), where: isMiddle)
      green.replace(with: 255, where: isMiddle)
      let isFar = depth .>= 2.5
      red.replace(with: 0, where: isFar)
      blue.replace(with: 255, where: isFar)
      green.replace(with: 0, where: depth .>= 5)
      return OctetColour(
        red: red, green: green, blue: blue, alpha: opacity.replacing(with: 0, where: .!isKnown))
    }
  }
}
