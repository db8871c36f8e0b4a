import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
public import DepthReport
public import DepthTuning
import Foundation
public import Storage

/// Searches the thresholds of a fusion, validated in scenes that the choice has not seen: what `fathom tune` does.
public struct TuneJob: Sendable {
  /// Data sets, scenes and frames; at least two scenes with LiDAR, truth and a relative map.
  public var data: DataSelection
  /// What is searched, and how.
  public var plan: TuningPlan
  /// What stays fixed, under the names of an evaluation's configuration; handed on to `tuned.yaml`.
  public var fixed: [(name: String, value: String)] = []
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  public init(_ data: DataSelection, plan: TuningPlan) {
    self.data = data
    self.plan = plan
  }

  /// Searches.
  ///
  /// - Parameter observe: Told what happens, on the calling task.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where no scene matches, `FathomError` where fewer than two
  ///   scenes can be searched.
  public func run(_ observe: JobObserver = { _ in }) async throws -> TuneResult {
    let search = try open(observe)
    return try await search.run(observe)
  }

  /// Opens the data sets and finds the scenes that can be searched.
  package func open(_ observe: JobObserver) throws -> OpenSearch { try OpenSearch(self, observe) }
}

/// What a search found.
public struct TuneResult {
  /// Name of the search: the data sets' names.
  public let name: String
  /// Scores of every configuration, the choice and its validation.
  public let run: TuningRun
  /// Tables, figures and the report.
  public let report: TuningReport
  /// `tuned.yaml`: what is recommended, for an evaluation.
  public let tuned: String

  /// Writes `tuned.yaml`, the tables and the report; the folder is not yet complete, see `tune.json`.
  ///
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true) throws {
    try folder.write(tuned, to: "tuned.yaml")
    try folder.write(tables: report.files)
    try folder.write(figures ? report.figures : [])
    try folder.write(report.document(drawing: figures))
  }
}

/// A search whose data sets are open: every configuration on samples, the finalists on everything.
package struct OpenSearch {
  /// A scene that can be searched, and its file.
  private struct Place {
    let file: RunInputs.File
    var scene: SceneContext
  }

  package let name: String
  private let job: TuneJob
  private let inputs: RunInputs
  private let places: [Place]
  /// Names of the scenes that cannot be searched.
  private let leftOut: [String]

  /// - Throws: `FathomError` where fewer than two scenes can be searched.
  fileprivate init(_ job: TuneJob, _ observe: JobObserver) throws {
    self.job = job
    inputs = try RunInputs(job.data, rules: job.plan.rules, observe)
    name = inputs.name
    let all = inputs.files.flatMap { file in file.scenes.map { Place(file: file, scene: $0) } }
    let lacks = all.map { Self.lack($0.scene, job.data) }
    places = zip(all, lacks).filter { $0.1 == nil }.map(\.0)
    leftOut = zip(all, lacks).filter { $0.1 != nil }.map(\.0.scene.name)
    guard places.count >= 2 else {
      let names = places.map(\.scene.name).joined(separator: ", ")
      let lacking = zip(all, lacks).compactMap { place, lack in
        lack.map { "\(place.scene.name) lacks \($0.rawValue)" }
      }
      let why = ((names.isEmpty ? [] : [names]) + lacking).joined(separator: "; ")
      throw FathomError(
        .badData, attempted: "tune on", place: name,
        reason:
          "thresholds are chosen in some scenes and judged in others, so at least 2 scenes with LiDAR, truth and a relative map are needed, found \(places.count) (\(why))",
        advice: "give more data sets, or use 'fathom evaluate' with the thresholds in question")
    }
    for (place, lack) in zip(all, lacks) {
      if let lack { observe(.noticed(.leftOutOfSearch(scene: place.scene.name, lack))) }
    }
    let plain = places.filter { !$0.scene.header.hasConfidence }.map(\.scene.name)
    if !plain.isEmpty, job.plan.grid.axis("min-confidence") != nil {
      observe(.noticed(.withoutConfidence(scenes: plain)))
    }
  }

  /// What keeps a scene out; nil where it can be searched.
  private static func lack(_ scene: SceneContext, _ data: DataSelection) -> SearchLack? {
    if scene.header.truthSize == nil { return .truth }
    if scene.header.relativeSize == nil { return .relative }
    if scene.header.lidarSize == nil { return .lidar }
    return data.range(of: scene.header).isEmpty ? .frames : nil
  }

  /// Everything that determines the scores.
  package var fingerprint: TuningFingerprint {
    get async throws(FathomError) {
      var digests: [String] = []
      for file in inputs.files { digests.append(try await file.digests.whole) }
      // Other scores come of the same files where they are held against another truth.
      if job.data.truth != .stored { digests.append(job.data.truth.rawValue) }
      return TuningFingerprint(
        job.plan, base: job.plan.grid.configurations[SearchGrid.reference].options, files: digests,
        scenes: places.map(\.scene.name), frames: job.data.frames?.description)
    }
  }

  /// - Parameters:
  ///   - checkpoint: Where scenes are kept that are finished, and those of an earlier search are found.
  ///   - kept: Called when another one is.
  package func run(
    checkpoint: TuningCheckpoint? = nil, kept: () throws -> Void = {}, _ observe: JobObserver
  ) async throws -> TuneResult {
    let plan = job.plan
    var places = places
    let names = places.map(\.scene.name)
    let search = try await scores(.everything(plan), in: &places, .searching, observe) { index in
      checkpoint?.scores(
        index, scene: names[index], configurations: Array(plan.grid.configurations.indices))
    } finished: { index, scores in
      // A search that is gone on with must not take over scores of other data.
      try inputs.requireUnchanged()
      try checkpoint?.keep(scores, as: index)
      try kept()
    }
    try check(search)
    let confirmed = try await scores(
      .finalists(TuningRun.finalists(plan, search), plan), in: &places, .confirming, observe)
    let run = TuningRun(plan: plan, scenes: places.map(\.scene), search: search, confirmed: confirmed)
    let report = TuningReport(
      run, title: name, inputs: try await inputs.manifest(), fixed: job.fixed, leftOut: leftOut,
      scenePattern: job.data.scenes.description, frameRange: job.data.frames?.description)
    let tuned = try TunedFile.text(
      plan, recommended: run.verdict.recommended, fixed: job.fixed, headline: report.headline)
    try inputs.requireUnchanged()
    return TuneResult(name: name, run: run, report: report, tuned: tuned)
  }

  /// - Throws: `FathomError` where fewer than two scenes could be scored.
  private func check(_ search: [SceneScores]) throws(FathomError) {
    let table = LossTable(search, plan: job.plan)
    guard table.scenes.count < 2 else { return }
    throw FathomError(
      .badData, attempted: "tune on", place: job.data.paths.joined(separator: ", "),
      reason:
        "\(job.plan.objective.name) has a value in \(table.scenes.count) of \(search.count) scenes, at least 2 are needed",
      advice: "choose another --objective or more data")
  }

  /// Scores configurations scene by scene.
  ///
  /// - Parameters:
  ///   - known: The scores of a scene that are there already.
  ///   - finished: Called with the scores of each other scene.
  private func scores(
    _ search: SceneSearch, in places: inout [Place], _ stage: JobStage, _ observe: JobObserver,
    known: (Int) -> SceneScores? = { _ in nil },
    finished: (Int, SceneScores) throws -> Void = { _, _ in }
  ) async throws -> [SceneScores] {
    observe(.began(stage, steps: places.reduce(0) { $0 + job.data.range(of: $1.scene.header).count }))
    var results: [SceneScores] = []
    for index in places.indices {
      if let scores = known(index) {
        for _ in job.data.range(of: places[index].scene.header) { observe(.advanced) }
        results.append(scores)
        continue
      }
      let file = places[index].file
      let scores = try await scores(search, of: &places[index], from: file.source, observe)
      try finished(index, scores)
      results.append(scores)
    }
    return results
  }

  private func scores(
    _ search: SceneSearch, of place: inout Place, from source: borrowing some FrameSource & ~Copyable,
    _ observe: JobObserver
  ) async throws(FathomError) -> SceneScores {
    let header = place.scene.header
    var detections: SceneDetections?
    if job.plan.objective.measure == .placement,
      case .usable(let found) = try SceneDetections.find(in: header, source, plan: job.plan.objects)
    {
      detections = found
    }
    return try await search.scores(
      of: &place.scene, frames: job.data.range(of: header), jobs: job.jobs,
      progress: { observe(.advanced) }
    ) { (index) throws(FathomError) in
      (
        try source.frame(index, of: header, including: .fusion),
        try detections?.frame(index, from: source)
      )
    }
  }
}
