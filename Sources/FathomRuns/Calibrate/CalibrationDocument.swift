package import FathomRunFolders
import FathomTables
import DepthCalibration
import DepthCore
package import DepthFusion
import Foundation
import FathomPlainText

/// `calibration.yaml`, as ``CalibrationFile`` reads it; numbers in full precision.
package struct CalibrationDocument {
  package static let fileName = CalibrationVerdict.NextStep.calibrationFile

  package init(
    calibration: Calibration, inputs: [RunManifest.Input], unmeasured: [Int], covariance: [[Double]]? = nil
  ) {
    (self.calibration, self.inputs, self.unmeasured) = (calibration, inputs, unmeasured)
    self.covariance = covariance
  }

  let calibration: Calibration, inputs: [RunManifest.Input]
  let unmeasured: [Int]  // Levels whose law and weight are assumptions.
  /// Of a and b, where a certificate measured one law for all levels.
  let covariance: [[Double]]?

  /// The file's text.
  package var yaml: String {
    let (correction, registration) = (calibration.correction, calibration.registration)
    let noise = calibration.noise.map { "- {a: \($0.a), b: \($0.b)}" }.joined(separator: "\n")
    let files = inputs.map { "  - {file: \(Self.quoted($0.file)), sha256: \($0.sha256)}" }
    let assumed =
      (unmeasured.isEmpty ? "" : "  unmeasured: \(unmeasured)\n")
      + (covariance.map { "  covariance: \($0)\n" } ?? "")
    let weights =
      calibration.confidenceWeights.isEmpty
      ? "" : "# confidence 0, 1 and 2\nconfidence-weights: \(calibration.confidenceWeights)\n"
    return """
      # Written by fathom \(covariance == nil ? "calibrate" : "certify"); applied by fathom evaluate \(flag: "calibration").
      format: fathom-calibration
      version: 1
      # d' = scale·d + offset, metres
      correction: {scale: \(correction.scale), offset: \(correction.offset)}
      # LiDAR pixels, towards the relative map
      registration: {x: \(registration.x), y: \(registration.y)}
      \(weights)# σ(d) = √(a² + (b·d)²), metres, confidence 0, 1 and 2
      noise:
      \(noise)
      source:
        program: \(Version.name)
      \(assumed)  files:
      \(files.joined(separator: "\n"))

      """
  }

  /// A double-quoted YAML scalar; its escapes are JSON's.
  private static func quoted(_ text: String) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self).visibleJSON } ?? "\"\""
  }
}
