import ArgumentParser
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthReport
import DepthTuning
import Logging

/// Runs a search over the files of a run: every configuration on samples, the finalists on everything.
struct TuneEvaluator {
  let plan: TuningPlan
  let inputs: RunInputs
  let frames: FrameRange?
  let jobs: Int
  let console: Console

  /// A scene that can be searched, and its file.
  struct Place {
    let file: RunInputs.File
    var scene: SceneContext
  }

  /// Scenes that cannot be searched: they lack LiDAR, truth or a relative map, or have none of the frames asked for.
  var leftOut: [String] { all.filter { !isUsable($0.scene) }.map(\.scene.name) }

  private var all: [Place] {
    inputs.files.flatMap { file in file.scenes.map { Place(file: file, scene: $0) } }
  }

  private func isUsable(_ scene: SceneContext) -> Bool { lack(scene) == nil }

  /// What a scene lacks; nil where it can be searched.
  private func lack(_ scene: SceneContext) -> String? {
    if scene.header.truthSize == nil { return "truth" }
    if scene.header.relativeSize == nil { return "a relative map" }
    if scene.header.lidarSize == nil { return "LiDAR" }
    return range(of: scene.header.frameCount).isEmpty ? "the frames asked for" : nil
  }

  /// - Throws: `Failure` with 65 where fewer than two scenes can be searched.
  func places() throws -> [Place] {
    let usable = all.filter { isUsable($0.scene) }
    guard usable.count >= 2 else {
      let names = usable.map(\.scene.name).joined(separator: ", ")
      let lacking = all.compactMap { place in lack(place.scene).map { "\(place.scene.name) lacks \($0)" } }
      let why = (names.isEmpty ? [] : [names]) + lacking
      throw Failure(
        message:
          "cannot tune on \(inputs.name): thresholds are chosen in some scenes and judged in others, so at least 2 scenes with LiDAR, truth and a relative map are needed, found \(usable.count) (\(why.joined(separator: "; "))); give more data sets, or use 'fathom evaluate' with the thresholds in question",
        code: Failure.badData)
    }
    for place in all {
      guard let lack = lack(place.scene) else { continue }
      console.log.warning("scene \(place.scene.name) is left out: it lacks \(lack)")
    }
    let plain = usable.filter { !$0.scene.header.hasConfidence }.map(\.scene.name)
    if !plain.isEmpty, plan.grid.axis("min-confidence") != nil {
      console.log.warning(
        "without a confidence map every return counts as confidence 2, whatever the lowest confidence: \(plain.joined(separator: ", "))"
      )
    }
    return usable
  }

  private func range(of count: Int) -> Range<Int> { frames?.clamped(to: count) ?? 0..<count }

  /// Scores configurations scene by scene.
  ///
  /// - Parameters:
  ///   - known: The scores of a scene that are there already.
  ///   - finished: Called with the scores of each other scene.
  func scores(
    _ search: SceneSearch, in places: inout [Place], title: String,
    known: (Int) -> SceneScores? = { _ in nil },
    finished: (Int, SceneScores) throws -> Void = { _, _ in }
  ) async throws -> [SceneScores] {
    let total = places.reduce(0) { $0 + range(of: $1.scene.header.frameCount).count }
    let progress = ProgressBar(title, total: total, console: console)
    var results: [SceneScores] = []
    for index in places.indices {
      let place = places[index]
      let range = range(of: place.scene.header.frameCount)
      if let scores = known(index) {
        for _ in range { progress.advance() }
        results.append(scores)
        continue
      }
      let scores = try await scores(search, of: &places[index], range, progress)
      try finished(index, scores)
      results.append(scores)
    }
    return results
  }

  private func scores(
    _ search: SceneSearch, of place: inout Place, _ range: Range<Int>, _ progress: ProgressBar
  ) async throws(DatasetError) -> SceneScores {
    let reader = try place.file.reader()
    let header = place.scene.header
    var detections: SceneDetections?
    if plan.objective.measure == .placement,
      case .usable(let found) = try SceneDetections.find(in: header, reader, plan: plan.objects)
    {
      detections = found
    }
    return try await search.scores(
      of: &place.scene, frames: range, jobs: jobs, progress: { progress.advance() }
    ) { (index) throws(DatasetError) in
      (
        try reader.frame(index, of: header, including: .fusion),
        try detections?.frame(index, from: reader)
      )
    }
  }
}
