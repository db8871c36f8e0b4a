package import DepthCore

extension SceneHeader {
  /// Stacks of standard deviations and confidences in the scene's group, with their sizes.
  package var deviationStacks: [(object: String, size: RasterSize)] {
    let truth = hasTruthDeviation ? truthSize.map { [("truth/deviation", $0)] } ?? [] : []
    return truth + predictions.compactMap { stored in stored.certaintyObject.map { ($0, stored.size) } }
  }
}

extension DepthFrame {
  /// The frame's maps of these stacks, in their order.
  var deviationStacks: [(object: String, map: DepthMap)] {
    let truth = truthDeviation.map { [("truth/deviation", $0)] } ?? []
    return truth
      + predictions.compactMap { stored, _ in
        stored.certaintyObject.flatMap { object in certainties[stored.name].map { (object, $0) } }
      }
  }
}

extension StoredPrediction.Certainty {
  /// Where it is stored beside a map.
  /// - Returns: nil for maps that have none.
  package func object(beside depth: String) -> String? {
    depth.hasSuffix("/depth") ? depth.dropLast(5) + rawValue : nil
  }
}

extension StoredPrediction {
  fileprivate var certaintyObject: String? { certainty?.object(beside: "predictions/\(name)/depth") }
}
