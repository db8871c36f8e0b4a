package import DepthCore

/// Standard deviations or confidences of a prediction by pixel, in a folder or file of their own, or beside its maps in their files.
public struct DeviationMaps: Sendable, Hashable, Codable {
  public enum Unit: String, Sendable, Hashable, Codable, CaseIterable {
    /// In the unit of the prediction.
    case same
    case millimetres
    /// Shares of the predicted number.
    case relative
    /// Scores of confidence instead, larger where the network is surer.
    case confidence
  }

  public var name: String, path: String, unit: Unit

  public init(name: String, path: String, unit: Unit = .same) {
    (self.name, self.path, self.unit) = (name, path, unit)
  }

  package var certainty: StoredPrediction.Certainty { unit == .confidence ? .confidence : .deviation }

  /// Standard deviations in the unit of a prediction's map as it is scored; NaN where a number is not above 0. Confidences as they are.
  /// - Parameter map: As it is stored, of the prediction's size.
  /// - Parameter prediction: The map that it belongs to, and what its stored numbers were.
  package func usable(_ map: DepthMap, of prediction: DepthMap, _ meaning: MapMeaning?) -> DepthMap {
    if unit == .confidence { return map }
    let factor =
      switch unit {
      case .same: meaning?.factor ?? 1
      case .millimetres: MapMeaning.millimetres.factor
      case .relative, .confidence: Float(1)
      }
    var result = map
    for index in map.values.indices {
      let value = map.values[index] * (unit == .relative ? abs(prediction.values[index]) : factor)
      result.values[index] = value > 0 && value.isFinite ? value : .nan
    }
    return result
  }
}
