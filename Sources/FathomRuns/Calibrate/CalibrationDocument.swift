package import FathomRunFolders
import FathomTables
package import DepthCalibration
import DepthCore
package import DepthFusion
import Foundation
import FathomPlainText

/// `calibration.yaml`, as `CalibrationFile` reads it; numbers in full precision.
package struct CalibrationDocument {
  package static let fileName = CalibrationVerdict.NextStep.calibrationFile

  package init(
    calibration: Calibration, inputs: [RunManifest.Input], unmeasured: [Int], covariance: [[Double]]? = nil,
    of deviation: DeviationCorrection? = nil
  ) {
    (self.calibration, self.inputs, self.unmeasured) = (calibration, inputs, unmeasured)
    (self.covariance, self.deviation) = (covariance, deviation)
  }

  let calibration: Calibration, inputs: [RunManifest.Input]
  let unmeasured: [Int]  // Levels whose law and weight are assumptions.
  /// Of a and b, where a certificate measured one law for all levels.
  let covariance: [[Double]]?
  let deviation: DeviationCorrection?  // Where the factors for stated standard deviations come from.

  /// The file's text.
  package var yaml: String {
    let files = inputs.map { "  - {file: \(Self.quoted($0.file)), sha256: \($0.sha256)}" }
    let assumed =
      (unmeasured.isEmpty ? "" : "  unmeasured: \(unmeasured)\n")
      + (covariance.map { "  covariance: \($0)\n" } ?? "")
    return """
      # Written by fathom \(covariance == nil ? "calibrate" : "certify"); applied by fathom evaluate \(flag: "calibration").
      format: fathom-calibration
      version: 1
      \(lidar + scales)source:
        program: \(Version.name)
      \(assumed)\(learnt)  files:
      \(files.joined(separator: "\n"))

      """
  }

  /// Nothing where only standard deviations were corrected.
  private var lidar: String {
    var plain = calibration
    plain.deviationScales = []
    if plain == Calibration() { return "" }
    let (correction, registration) = (calibration.correction, calibration.registration)
    let noise = calibration.noise.map { "- {a: \($0.a), b: \($0.b)}" }.joined(separator: "\n")
    let weights =
      calibration.confidenceWeights.isEmpty
      ? "" : "# confidence 0, 1 and 2\nconfidence-weights: \(calibration.confidenceWeights)\n"
    let laws = """
      # σ(d) = √(a² + (b·d)²), metres, confidence 0, 1 and 2
      noise:
      \(noise)

      """
    return """
      # d' = scale·d + offset, metres
      correction: {scale: \(correction.scale), offset: \(correction.offset)}
      # LiDAR pixels, towards the relative map
      registration: {x: \(registration.x), y: \(registration.y)}
      \(weights)\(noise.isEmpty ? "" : laws)
      """
  }

  private var scales: String {
    guard !calibration.deviationScales.isEmpty else { return "" }
    let lines = calibration.deviationScales.map { line in
      let cell = line.confidence.map {
        ", confidence: \($0), from: \(line.from ?? 0), to: \(line.to ?? 0)"
      }
      return "- {method: \(Self.quoted(line.method))\(cell ?? ""), scale: \(line.scale)}\n"
    }
    return "# σ' = scale·σ; depths above from, up to to, metres\ndeviation:\n" + lines.joined()
  }

  private var learnt: String {
    guard let deviation else { return "" }
    let after = deviation.after.map { ", after_on_unseen_\(deviation.unit.rawValue)s: \($0.value)" } ?? ""
    return
      "  deviation: {coverage: \(deviation.coverage), \(deviation.unit.rawValue)s: \(deviation.scenes), before: \(deviation.before.value)\(after)}\n"
  }

  /// A double-quoted YAML scalar; its escapes are JSON's.
  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self).visibleJSON } ?? "\"\""
  }
}
