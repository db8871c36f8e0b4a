/// Where a pixel of one map lies in another map of the same field of view.
public enum PositionMapping: String, Sendable, Hashable, Codable, CaseIterable {
  /// First to first and last to last pixel centre: x/(w−1)·(w′−1). The specification's; off by up to half
  /// a pixel of the target at the edges.
  case corners
  /// x·w′/w, the published app's; off by half a pixel of the target on the whole map.
  case scale
  /// Centre to centre: (x+½)·w′/w − ½. The one without bias (domain §2).
  case centres

  /// Position, in pixel indices of the target, of pixel `index` of a source axis.
  /// - Parameter index: Pixel of the source axis, from 0.
  /// - Parameter source: Pixels along the source axis.
  /// - Parameter target: Pixels along the target axis.
  public func position(of index: Int, source: Int, target: Int) -> Double {
    switch self {
    case .corners: source > 1 ? Double(index) / Double(source - 1) * Double(target - 1) : 0
    case .scale: Double(index) * Double(target) / Double(source)
    case .centres: (Double(index) + 0.5) * Double(target) / Double(source) - 0.5
    }
  }
}

/// For each pixel of a source axis, the two pixels of the target axis to interpolate and the second's weight.
///
/// Positions outside the target are clamped to its edge. A second pixel without weight is replaced by the
/// first, so that a missing value without weight cannot leak in.
public struct AxisTable: Sendable {
  /// Index of the first pixel, one per source pixel.
  public let lower: [Int32]
  /// Index of the second pixel.
  public let upper: [Int32]
  /// Weight of the second pixel, 0 ≤ w < 1; NaN for a pixel that has no place.
  public let weight: [Double]

  /// - Parameter offset: Added to every place, pixels of the source; 0 leaves them as they are to the last bit.
  /// - Parameter extendsEdges: Whether a pixel that the offset moves out of the view is clamped like the others; else it has no
  ///   place.
  /// - Precondition: `source` and `target` are at least 1.
  public init(
    source: Int, target: Int, mapping: PositionMapping, offset: Double = 0, extendsEdges: Bool = true
  ) {
    precondition(source > 0 && target > 0, "an axis has at least one pixel")
    let step =
      source > 1
      ? mapping.position(of: 1, source: source, target: target)
        - mapping.position(of: 0, source: source, target: target) : Double(target) / Double(source)
    var (lower, upper, weight) = ([Int32](), [Int32](), [Double]())
    for index in 0..<source {
      let place = mapping.position(of: index, source: source, target: target) + offset * step
      let position = min(max(place, 0), Double(target - 1))
      let first = position.rounded(.down)
      let isInside = (-0.5...Double(source) - 0.5).contains(Double(index) + offset)
      lower.append(Int32(first))
      weight.append(isInside || extendsEdges ? position - first : .nan)
      upper.append(position > first ? Int32(first) + 1 : Int32(first))
    }
    (self.lower, self.upper, self.weight) = (lower, upper, weight)
  }
}
