public import DepthCore
public import DepthEvaluation

/// Scores configurations on the frames of a scene.
public struct SceneSearch: Sendable {
  let plan: TuningPlan
  let configurations: [Int]  // Positions in the grid.
  /// Truth pixels and pairs of a frame that are looked at; nil for all.
  let pixels: Int?, pairs: Int?
  /// Ids of the columns that are wanted; nil for all.
  let columns: Set<String>?

  /// Every configuration, on the plan's samples of pixels and pairs.
  public static func everything(_ plan: TuningPlan) -> SceneSearch {
    SceneSearch(
      plan: plan, configurations: Array(plan.grid.configurations.indices), pixels: plan.searchPixels,
      pairs: plan.searchPairs, columns: nil)
  }

  /// A few, on all pixels and pairs, and of their columns those that the choice looks at and a report shows.
  public static func finalists(_ configurations: [Int], _ plan: TuningPlan) -> SceneSearch {
    SceneSearch(
      plan: plan, configurations: configurations, pixels: nil, pairs: nil,
      columns: Set([plan.objective.name] + TuningObjective.shownColumns.map(\.id)))
  }

  /// Sums are made in the order of frames, whatever the number of jobs.
  /// - Parameter scene: Its kind is set here where the file does not declare it.
  /// - Parameter read: Reads a frame with its detections; only called from the calling task.
  /// - Throws: What `read` throws.
  public func scores<Failure: Error>(
    of scene: inout SceneContext, frames: Range<Int>, jobs: Int,
    isolation: isolated (any Actor)? = #isolation, progress: () -> Void = {},
    read: (Int) throws(Failure) -> (frame: DepthFrame, detections: FrameDetections?)
  ) async throws(Failure) -> SceneScores {
    try scene.resolveKind { (index) throws(Failure) in try read(index).frame }
    let context = scene
    var scores = SceneScores(scene: context.name, configurations: configurations)
    try await FrameStream(frames, jobs: jobs).run(isolation: isolation) { (index) throws(Failure) in
      let input = try read(index)
      return FrameSearch(
        plan: plan, scene: context, frame: input.frame, detections: input.detections, pixels: pixels,
        pairs: pairs, columns: columns)
    } work: { [configurations] search in
      search.outcomes(of: configurations)
    } take: { _, outcomes in
      if let outcomes { scores.add(outcomes) }
      progress()
    }
    return scores
  }
}
