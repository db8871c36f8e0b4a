public import DepthCore

/// How well the depth of one frame, moved by the camera's motion, agrees with that of the next.
///
/// Every pixel of one map is unprojected, moved and splatted to the nearest pixel of the other map's raster, the
/// nearest depth winning; the error is mean |z_warped − d|/d over the pixels that receive one. Both directions are
/// averaged. Source: Video-Depth-Anything, `eval_tae.py`; domain §3.
public enum TemporalConsistency {
  /// temporal_abs_rel of two views of one scene.
  /// - Returns: nil where the convention is unknown or the views do not overlap.
  public static func absRel(_ first: PosedDepth, _ second: PosedDepth) -> Double? {
    guard first.convention != .unknown, second.convention != .unknown else { return nil }
    let directions = [(first, second), (second, first)].compactMap { source, target in
      target.meanRelativeDifference(of: source.warped(into: target))
    }
    return directions.isEmpty ? nil : directions.reduce(0, +) / Double(directions.count)
  }
}
