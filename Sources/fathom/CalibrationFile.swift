import DepthFusion
import Foundation
import Yams

/// A YAML file with the LiDAR's noise, σ(d) = √(a² + (b·d)²) in metres, for confidence 0, 1 and 2:
///
///     noise:
///     - {a: 0.02, b: 0.05}
///     - {a: 0.01, b: 0.016}
///     - {a: 0.004, b: 0.004}
///
/// Other keys are left to what writes them.
enum CalibrationFile {
  static func noiseModel(at path: String) throws(ConfigurationError) -> NoiseModel {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw ConfigurationError(
        path: path, reason: "it does not exist or is not UTF-8 text", advice: "check --calibration",
        isMissing: true)
    }
    let advice = "write 'noise:' with three lines '- {a: 0.01, b: 0.02}', for confidence 0, 1 and 2"
    let model: NoiseModel
    do {
      model = try YAMLDecoder().decode(NoiseModel.self, from: text)
    } catch {
      throw ConfigurationError(path: path, reason: "it holds no noise model (\(error))", advice: advice)
    }
    guard model.isUsable else {
      throw ConfigurationError(
        path: path, reason: "it needs three laws with a and b of at least 0, not both 0", advice: advice)
    }
    return model
  }
}
