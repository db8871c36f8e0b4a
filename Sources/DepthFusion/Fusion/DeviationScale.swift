package import DepthCore

/// A factor for the standard deviations that a method states, learnt where there is truth: a line of `deviation` in a calibration file.
public struct DeviationScale: Sendable, Hashable, Codable {
  /// As ids name it: "auto", "stored:mynet".
  public var method: String
  public var scale: Double
  /// LiDAR confidence of its pixels; nil in the line for every pixel that has no line of its own.
  public var confidence: Int?
  /// Its pixels' depth in the method's map, metres: above `from`, up to `to`.
  public var from: Double?, to: Double?

  public init(
    _ method: String, _ scale: Double, confidence: Int? = nil, from: Double? = nil, to: Double? = nil
  ) {
    (self.method, self.scale, self.confidence, self.from, self.to) = (method, scale, confidence, from, to)
  }

  /// What makes no sense; nil where all does.
  var problem: String? {
    guard scale > 0, scale <= 1e6 else { return "scale \(scale) of \(method) must be above 0, at most 1e6" }
    switch (confidence, from, to) {
    case (nil, nil, nil): return nil
    case (let level?, let from?, let to?) where (0...2).contains(level) && from >= 0 && to > from: return nil
    default:
      return "a line of \(method) needs confidence 0, 1 or 2 with from and to above it, or none of them"
    }
  }
}

extension [DeviationScale] {
  /// Standard deviations times the factors of their pixels; those without a line stay. Without confidence every pixel has level 2.
  /// - Parameter self: Of one method.
  /// - Parameter depth: Of the method, metres, of the same size.
  package func corrected(
    _ deviation: DepthMap, of depth: DepthMap, _ confidence: Raster<UInt8>?
  ) -> DepthMap {
    let general = Float(first { $0.confidence == nil }?.scale ?? 1)
    let levels = (0...2).map { level in
      filter { $0.confidence == level }.map { (Float($0.from ?? 0), Float($0.to ?? 0), Float($0.scale)) }
    }
    var result = deviation
    for row in 0..<depth.height {
      for column in 0..<depth.width {
        let d = depth[row, column]
        let level = confidence?.nearest(row, column, of: depth.size) ?? 2
        let own = levels[Int(Swift.min(level, 2))].first { d > $0.0 && d <= $0.1 }
        result[row, column] *= own?.2 ?? general
      }
    }
    return result
  }
}
