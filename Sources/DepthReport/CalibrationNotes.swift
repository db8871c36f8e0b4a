import DepthCore
import DepthFusion

/// What a run took from a calibration, in words.
enum CalibrationNotes {
  /// One sentence; nothing where no calibration was given.
  static func list(_ input: RunManifest.Input?, _ options: FusionOptions) -> [String] {
    guard let input else { return [] }
    var parts: [String] = []
    if let correction = options.correction {
      let sign = correction.offset < 0 ? "−" : "+"
      parts.append(
        "LiDAR depth × \(Rounded.number(correction.scale, digits: 5)) \(sign) \(Rounded.length(abs(correction.offset)))"
      )
    }
    if let shift = options.registration {
      parts.append(
        "what a LiDAR pixel shows is taken from (\(Rounded.number(shift.x, digits: 3)), "
          + "\(Rounded.number(shift.y, digits: 3))) LiDAR pixels beside it in the relative map")
    }
    if options.confidenceWeights != FusionOptions().confidenceWeights {
      let weights = options.confidenceWeights.map { Rounded.number($0, digits: 3) }
      parts.append("weights \(weights.joined(separator: " / ")) where confidence is the weight")
    }
    if let noise = options.noiseModel?.noise {
      let laws = noise.map {
        "√(\(Rounded.number($0.a, digits: 3))² + (\(Rounded.number($0.b, digits: 3))·d)²)"
      }
      parts.append("σ(d) = \(laws.joined(separator: ", ")) m at confidence 0, 1, 2")
    }
    return [
      "Calibration `\(input.file)` (SHA-256 `\(input.sha256)`): "
        + (parts.isEmpty ? "it changes nothing" : parts.joined(separator: "; "))
        + ". `spec`, `shipped`, `smoothed` and the raw LiDAR take none of it."
    ]
  }
}
