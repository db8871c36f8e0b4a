import DepthCore

/// The LiDAR's errors in one frame: every pixel that has truth and a known confidence.
struct LidarErrors: Sendable {
  /// Confidence 0, 1 or 2 of each pixel; 2 throughout where the frame has no confidence map.
  private(set) var levels: [UInt8] = []
  /// True depth, metres.
  private(set) var depths: [Double] = []
  /// Measured minus true, metres; NaN where nothing came back.
  private(set) var errors: [Double] = []
  private(set) var leftOut: TruthAtLidar.LeftOut
  /// Pixels whose confidence is not 0, 1 or 2.
  private(set) var unknownLevels = 0

  /// - Precondition: the frame has truth.
  init(_ frame: DepthFrame, truth: DepthMap, plan: CalibrationPlan) {
    let reading = TruthAtLidar(truth, at: frame.lidar.size, plan: plan)
    leftOut = reading.leftOut
    for (index, depth) in reading.depths.enumerated() where !depth.isNaN {
      let level = frame.confidence.map { $0.values[index] } ?? 2
      guard level <= 2 else {
        unknownLevels += 1
        continue
      }
      let measured = Double(frame.lidar.values[index])
      levels.append(level)
      depths.append(depth)
      errors.append(measured > 0 && measured.isFinite ? measured - depth : .nan)
    }
  }

  var count: Int { levels.count }
}
