import FathomRuns
public import FathomStatistics

/// How large an evaluation must be to show a difference, and what it is worth at other sizes. Values are in the metric's unit.
public struct SamplePlan: Sendable, Codable, Equatable {
  /// With how many frames of a scene as now, what a scene's mean scatters by, and what follows.
  public struct Frames: Sendable, Codable, Equatable {
    /// nil for no end of them.
    public let times: Double?
    /// Standard deviation of the scenes' means.
    public let ofSceneMeans: Double
    /// Half of the 95 % interval over ``SamplePlan/intervalScenes`` scenes.
    public let halfWidth: Double
    /// That show the difference; nil where none was named, or for more than ``TTestPower/mostScenes``.
    public let scenes: Int?
  }

  /// What so many scenes would tell, with as many frames as now.
  public struct Scenes: Sendable, Codable, Equatable {
    public let scenes: Int
    /// Half of the 95 % interval of the mean.
    public let halfWidth: Double
    /// The smallest difference that they show.
    public let detectable: Double
    /// The 95 % interval of a standard deviation estimated from so many scenes, as multiples of it.
    public let deviationLow: Double, deviationHigh: Double
  }

  /// The run, its metric and its methods; nil where the components were given by hand.
  public internal(set) var run: String?, metric: String?, method: String?
  /// What the method's error is subtracted from; nil for the error itself.
  public internal(set) var reference: String?
  /// Scenes and frames that the components are from; nil where these were given by hand.
  public let scenes: Int?, frames: Int?
  /// Harmonic mean.
  public let framesPerScene: Double
  /// Of the scenes' means; nil where the components were given by hand.
  public let mean: Double?
  /// Standard deviations: between scenes, of the frames of a scene, and of the scenes' means.
  public let betweenScenes: Double, withinScenes: Double?, ofSceneMeans: Double
  /// Independent frames that tell as much as ``framesPerScene``.
  public let independentFrames: Double?
  /// What is to be shown; nil where nothing was named.
  public let difference: Double?
  /// Scenes that show it with the power of ``TTestPower/wanted`` at ``TTestPower/level``, and the ends of the 95 % interval that the
  /// uncertainty of the standard deviation gives. nil where nothing is to be shown, or for more than ``TTestPower/mostScenes``; the ends
  /// also where the components were given by hand.
  public let scenesNeeded: Int?, scenesNeededLow: Int?, scenesNeededHigh: Int?
  /// Scenes of ``Frames/halfWidth``.
  public let intervalScenes: Int
  /// What more frames of a scene are worth; empty where nothing is known of frames.
  public let byFrames: [Frames]
  public let byScenes: [Scenes]
  private static let usualScenes = [4, 6, 8, 12, 20, 50]

  /// - Parameter isEstimate: Whether the components are from ``VarianceComponents/scenes`` scenes, or given by hand.
  /// - Parameter difference: What is to be shown, above 0; nil for nothing.
  public init(_ components: VarianceComponents, isEstimate: Bool, detecting difference: Double?) {
    func needed(_ deviation: Double) -> Int? {
      difference.flatMap { TTestPower.scenes(detecting: $0, deviation: deviation) }
    }
    let deviation = components.ofSceneMeans
    (scenes, frames) = isEstimate ? (components.scenes, components.frames) : (nil, nil)
    framesPerScene = components.framesPerScene
    mean = isEstimate ? components.mean : nil
    (betweenScenes, withinScenes) = (components.betweenScenes, components.withinScenes)
    (ofSceneMeans, independentFrames) = (deviation, components.independentFrames)
    self.difference = difference
    let wanted = needed(deviation)
    let ends = isEstimate ? VarianceComponents.deviationInterval(scenes: components.scenes) : nil
    scenesNeeded = wanted
    scenesNeededLow = ends.flatMap { needed(deviation * $0.lowerBound) }
    scenesNeededHigh = ends.flatMap { needed(deviation * $0.upperBound) }
    let intervalScenes = scenes ?? wanted ?? Self.usualScenes[2]
    self.intervalScenes = intervalScenes
    byFrames =
      components.perFrame == nil
      ? []
      : [1, 2, 4, .infinity].map { times in
        let deviation = components.deviation(framesTimes: times)
        return Frames(
          times: times.isFinite ? times : nil, ofSceneMeans: deviation,
          halfWidth: VarianceComponents.halfWidth(scenes: intervalScenes, deviation: deviation),
          scenes: needed(deviation))
      }
    byScenes = Set(Self.usualScenes + [scenes, wanted].compactMap(\.self)).sorted().map { scenes in
      let factors = VarianceComponents.deviationInterval(scenes: scenes)
      return Scenes(
        scenes: scenes, halfWidth: VarianceComponents.halfWidth(scenes: scenes, deviation: deviation),
        detectable: TTestPower.detectable(scenes: scenes, deviation: deviation),
        deviationLow: factors.lowerBound, deviationHigh: factors.upperBound)
    }
  }
}
