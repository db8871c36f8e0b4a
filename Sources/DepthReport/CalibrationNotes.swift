import FathomRunFolders
import FathomPlainText
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
        "LiDAR depth × \(Quantity(correction.scale, .significant(5)).text) \(sign) \(Quantity(abs(correction.offset), .length).text)"
      )
    }
    if let shift = options.registration {
      parts.append(
        "what a LiDAR pixel shows is taken from (\(Quantity(shift.x, .significant(3)).text), "
          + "\(Quantity(shift.y, .significant(3)).text)) LiDAR pixels beside it in the relative map")
    }
    if options.confidenceWeights != FusionOptions().confidenceWeights {
      let weights = options.confidenceWeights.map { Quantity($0, .significant(3)).text }
      parts.append("weights \(weights.joined(separator: " / ")) where confidence is the weight")
    }
    if let noise = options.noiseModel?.noise {
      let laws = noise.map {
        "√(\(Quantity($0.a, .significant(3)).text)² + (\(Quantity($0.b, .significant(3)).text)·d)²)"
      }
      parts.append("σ(d) = \(laws.joined(separator: ", ")) m at confidence 0, 1, 2")
    }
    for (method, lines) in Dictionary(grouping: options.deviationScales ?? [], by: \.method).sorted(by: {
      $0.key < $1.key
    }) {
      let scales = lines.map(\.scale).sorted()
      let range = [scales.first, scales.count > 1 ? scales.last : nil].compactMap(\.self)
        .map { Quantity($0, .significant(3)).text }.joined(separator: " to ")
      parts.append("the σ of `\(method)` times \(range)")
    }
    return [
      "Calibration `\(input.file)` (SHA-256 `\(input.sha256)`): "
        + (parts.isEmpty ? "it changes nothing" : parts.joined(separator: "; "))
        + ". `spec`, `shipped`, `smoothed` and the raw LiDAR take none of it"
        + (options.deviationScales == nil ? "." : ", except factors of their σ.")
    ]
  }
}
