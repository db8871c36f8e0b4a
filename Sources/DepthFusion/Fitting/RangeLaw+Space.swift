public import DepthCore

extension RangeLaw {
  /// 1/σ² of the observation in a fitting space: σ is propagated by |dy/dd|, so σ/d² in disparity and σ/d in log.
  public func weight(at depth: Double, in space: Space) -> Double {
    let square = depth * depth
    switch space {
    case .depth: return 1 / variance(at: depth)
    case .disparity: return square * square / variance(at: depth)
    case .log: return square / variance(at: depth)
    }
  }
}
