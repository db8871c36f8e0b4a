/// What the intervals of the noise models are worth.
public enum NoiseIntervals: String, Codable, Sendable {
  /// There is nothing to take one over.
  case pointValues = "point-values"
  /// Over blocks of frames of one scene: not valid beyond it.
  case withinScene = "within-scene"
  /// Over so few scenes that they are hardly intervals.
  case uncertain
  case overScenes = "over-scenes"

  /// Scenes below which a clustered interval of a noise parameter is hardly one.
  private static let fewClusters = 5

  /// - Returns: nil where no level has a model.
  init?(_ run: CalibrationRun) {
    guard let clusters = Self.clusters(run) else { return nil }
    self =
      clusters < 2
      ? .pointValues
      : run.units != .scenes ? .withinScene : clusters < Self.fewClusters ? .uncertain : .overScenes
  }

  /// Scenes, or blocks of frames, of the level that has the fewest.
  public static func clusters(_ run: CalibrationRun) -> Int? {
    (0...2).compactMap { run.noise(level: $0)?.clusters }.min()
  }
}
