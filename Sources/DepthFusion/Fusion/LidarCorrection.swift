public import DepthCore

/// What makes a LiDAR's depth right: d′ = scale·d + offset, metres.
public struct LidarCorrection: Sendable, Hashable, Codable {
  /// Without unit.
  public var scale: Double
  /// Metres.
  public var offset: Double
  public init(scale: Double, offset: Double) { (self.scale, self.offset) = (scale, offset) }
  public static let identity = LidarCorrection(scale: 1, offset: 0)
  /// Whether it is one that a depth sensor may need: a scale of 0.5–2, at most half a metre.
  public var isUsable: Bool { (0.5...2).contains(scale) && abs(offset) <= 0.5 }

  /// The corrected depth, metres; NaN for a return that would lie behind the camera.
  @inline(__always) public func callAsFunction(_ depth: Double) -> Double {
    let corrected = scale * depth + offset
    return corrected > 0 ? corrected : .nan
  }

  /// Every return corrected; what is not a return stays as it is.
  public func callAsFunction(_ map: DepthMap) -> DepthMap {
    guard self != .identity else { return map }
    var map = map
    for index in map.values.indices where map.values[index] > 0 && map.values[index].isFinite {
      map.values[index] = Float(self(Double(map.values[index])))
    }
    return map
  }
}
