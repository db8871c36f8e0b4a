package import DepthCore

extension SceneHeader {
  /// Stacks of standard deviations in the scene's group, with their sizes.
  package var deviationStacks: [(object: String, size: RasterSize)] {
    let truth = hasTruthDeviation ? truthSize.map { [("truth/deviation", $0)] } ?? [] : []
    return truth + predictions.filter(\.hasDeviation).map { ($0.deviationObject, $0.size) }
  }
}

extension DepthFrame {
  /// The frame's maps of these stacks, in their order.
  var deviationStacks: [(object: String, map: DepthMap)] {
    let truth = truthDeviation.map { [("truth/deviation", $0)] } ?? []
    return truth
      + predictions.compactMap { stored, _ in
        deviations[stored.name].map { (stored.deviationObject, $0) }
      }
  }
}

/// Where the standard deviations of maps are stored.
package enum DeviationObject {
  /// - Returns: nil for maps that have none.
  package static func beside(_ object: String) -> String? {
    object.hasSuffix("/depth") ? object.dropLast(5) + "deviation" : nil
  }
}

extension StoredPrediction {
  fileprivate var deviationObject: String { "predictions/\(name)/deviation" }
}
