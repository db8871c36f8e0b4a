import DepthCore

/// The LiDAR averaged with earlier frames, weighted by how well these agree.
///
/// Poses have errors, too, and these are is in the earlier frames alone. So the mean of these has the weight that the data give it:
/// with D² the variance of the difference between it and the present map, and σ² the present map's own noise, both
/// by confidence, the earlier frames' variance is D² − σ² and the inverse-variance weight is σ²/D². A pixel that differs by more
/// than three D is left as it is: that is a depth step which a pose has moved.
struct SteadiedLidar {
  let map: DepthMap
  /// Earlier frames that took part.
  let frames: Int
  /// Share of the noise's deviation that ``LidarNoise`` sees where errors are alike over ``LocalOptions/lidarCorrelation`` pixels.
  static let visible = 0.7
  /// Deviations from which on the earlier frames show something else.
  static let limit = 3.0

  /// nil where earlier frames do not help: see ``TemporalFilter/Smoothed/isSupported``.
  init?(_ frame: DepthFrame, _ context: FusionContext) {
    guard let smoothed = try? context.smoothed(frame),
      smoothed.isSupported
    else { return nil }
    let noise = context.noise(of: frame).deviations, levels = frame.confidence?.values
    func level(_ index: Int) -> Int { levels.map { Int(min($0[index], 2)) } ?? 2 }
    let (present, earlier) = (frame.lidar.values, smoothed.earlier.values)
    let common = present.indices.filter { present[$0] > 0 && present[$0].isFinite && earlier[$0].isFinite }
    // Together with the noise, because a level's pixels need not be alike under a calibration.
    var ratios = [[Double]](repeating: [], count: 3)
    for i in common { ratios[level(i)].append(Double(abs(earlier[i] / present[i] - 1) / noise[i])) }
    let spreads = ratios.map { sizes in
      sizes.count < TemporalFilter.fewestPixels
        ? nil : OrderStatistics.median(of: sizes).map { OrderStatistics.normalConsistency * $0 }
    }
    let most = Double(smoothed.frames) / Double(smoothed.frames + 1)
    var map = smoothed.map
    for i in present.indices where present[i] > 0 && present[i].isFinite {
      map.values[i] = present[i]
      guard earlier[i].isFinite, let spread = spreads[level(i)], spread > 0,
        Double(abs(earlier[i] / present[i] - 1)) <= Self.limit * spread * Double(noise[i])
      else { continue }
      map.values[i] +=
        Float(min(most, 1 / (Self.visible * spread * Self.visible * spread))) * (earlier[i] - present[i])
    }
    (self.map, frames) = (map, smoothed.frames)
  }
}
