public import FathomStatistics

/// What the confidence map as a whole is worth for telling good pixels from bad ones.
public struct ConfidenceValue: Sendable {
  /// Area between the curves by confidence and by error (AUSE), and between none and by confidence (AURG): means over
  /// frames, then scenes, of the relative error.
  public let ause: Double, aurg: Double
  /// Over scenes; nil for one.
  public let auseInterval: ConfidenceInterval?, aurgInterval: ConfidenceInterval?
  /// Scenes that have a confidence map.
  public let scenes: Int

  /// - Returns: nil where no scene has a confidence map.
  init?(_ scenes: [SceneErrors], _ bootstrap: inout SceneBootstrap) {
    let found = scenes.compactMap { scene -> (String, Double, Double)? in
      let areas = scene.frames.compactMap { frame in frame.ause.flatMap { a in frame.aurg.map { (a, $0) } } }
      guard !areas.isEmpty else { return nil }
      let count = Double(areas.count)
      return (scene.name, areas.reduce(0) { $0 + $1.0 } / count, areas.reduce(0) { $0 + $1.1 } / count)
    }
    guard !found.isEmpty else { return nil }
    let names = found.map(\.0)
    self.scenes = found.count
    ause = found.reduce(0) { $0 + $1.1 } / Double(found.count)
    aurg = found.reduce(0) { $0 + $1.2 } / Double(found.count)
    auseInterval = bootstrap.interval(ofMean: found.map(\.1), scenes: names, possible: 0...(.infinity))
    aurgInterval = bootstrap.interval(ofMean: found.map(\.2), scenes: names)
  }
}
