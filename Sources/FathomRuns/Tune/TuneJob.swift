public import FathomRunFolders
import FathomPlainText
import DepthCore
import DepthDataset
import DepthEvaluation
public import DepthTuning
import FathomStorage

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
  public init(_ data: DataSelection, plan: TuningPlan) { (self.data, self.plan) = (data, plan) }

  /// Searches.
  /// - Throws: `FathomError` where data cannot be read, `OptionProblem` where no scene matches, `FathomError` where fewer than two
  ///   scenes can be searched.
  public func run(_ observe: JobObserver = { _ in }) async throws -> TuneResult {
    let search = try open(observe)
    return try await search.run(observe)
  }

  /// Searches, and can be resumed: as ``EvaluateJob/run(resumingIn:_:)``.
  public func run(resumingIn path: String, _ observe: JobObserver = { _ in }) async throws -> TuneResult {
    let search = try open(observe)
    let task = try await search.fingerprint
    return try await AtomicFolder.resuming(path, kind: .tuning, task: task) { work, kept in
      try await search.run(in: work, kept: kept, observe)
    }
  }

  /// Scores the scenes of one part: as ``EvaluateJob/writeShard(_:to:resume:overwrite:_:)``.
  @discardableResult public func writeShard(
    _ part: ScenePart, to path: String, resume: Bool = true, overwrite: Bool = false,
    _ observe: JobObserver = { _ in }
  ) async throws -> Bool {
    let search = try OpenSearch(self, part: part, observe)
    return try await search.task.writeShard(
      part, of: search.inputs, to: path, resume: resume, overwrite: overwrite
    ) { work, kept in try await search.fill(work, kept: kept, observe) }
  }

  /// Opens the data sets and finds the scenes that can be searched.
  package func open(_ observe: JobObserver) throws -> OpenSearch { try OpenSearch(self, observe) }
}

/// What a search found.
public struct TuneResult: Sendable {
  /// Name of the search: the data sets' names.
  public let name: String
  /// Scores of every configuration, the choice and its validation.
  public let run: TuningRun
  /// `tune.json`.
  public let manifest: TuningManifest
  package let fixed: [(name: String, value: String)]  // What stays fixed, as it was given.
  public let data: RunData
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
  fileprivate let inputs: RunInputs
  private let places: [Place]  // Those of the part.
  private let searchable: [String]  // Names of all scenes that can be searched.
  private let leftOut: [String]  // Names of the scenes that cannot be searched.
  private let shards: [Shard<TuneTask>]  // All shards, where they are merged.

  /// - Parameter shards: All of the search, for their merge.
  /// - Throws: `FathomError` where fewer than two scenes can be searched, or the shards are of another search.
  init(
    _ job: TuneJob, part: ScenePart? = nil, merging shards: [Shard<TuneTask>] = [], _ observe: JobObserver
  ) throws {
    (self.job, self.shards) = (job, shards)
    inputs = try RunInputs(job.data, part: part, hashesAhead: part == nil, rules: job.plan.rules, observe)
    name = inputs.name
    let all = inputs.allScenes
    let lacks = all.map { Self.lack($0, job.data) }
    let usable = zip(all, lacks).filter { $0.1 == nil }.map(\.0)
    searchable = usable.map(\.name)
    let names = Set(searchable)
    places = inputs.files.flatMap { file in
      file.scenes.filter { names.contains($0.name) }.map { Place(file: file, scene: $0) }
    }
    leftOut = zip(all, lacks).filter { $0.1 != nil }.map(\.0.name)
    guard usable.count >= 2 else {
      let names = searchable.joined(separator: ", ")
      let lacking = Dictionary(grouping: zip(all, lacks).filter { $0.1 != nil }) { $0.1?.rawValue ?? "" }
        .sorted { $0.key < $1.key }.map { lack, scenes in
          scenes.count == 1
            ? "\(scenes[0].0.name) lacks \(lack)" : "\(counted(scenes.count, "scene")) lack \(lack)"
        }
      let why = ((names.isEmpty ? [] : [names]) + lacking).joined(separator: "; ")
      throw FathomError(
        .badData, attempted: "tune on", place: name,
        reason:
          "thresholds are chosen in some scenes and judged in others, so at least 2 scenes with LiDAR, truth and a relative map are needed, found \(usable.count) (\(why))",
        advice: "give more data sets, or use 'fathom evaluate' with the thresholds in question")
    }
    for (scene, lack) in zip(all, lacks) {
      if let lack { observe(.noticed(.leftOutOfSearch(scene: scene.name, lack))) }
    }
    let plain = usable.filter { !$0.header.hasConfidence }.map(\.name)
    if !plain.isEmpty, job.plan.grid.axis("min-confidence") != nil {
      observe(.noticed(.withoutConfidence(scenes: plain)))
    }
    try shards.first?.require(task)
  }

  /// What keeps a scene out; nil where it can be searched.
  private static func lack(_ scene: SceneContext, _ data: DataSelection) -> SearchLack? {
    if scene.header.lidarSize == nil { return .lidar }
    if scene.header.truthSize == nil { return .truth }
    if scene.header.relativeSize == nil { return .relative }
    return data.range(of: scene.header).isEmpty ? .frames : nil
  }

  /// What kept the readers of the data from doing anything else.
  package var protections: [String] { inputs.protections }
  /// Everything that determines what is found, but for the bytes of the data.
  var task: TuneTask { get throws(FathomError) { try TuneTask(job, inputs) } }

  /// Everything that determines the scores, data included: what `search.json` holds.
  package var fingerprint: String {
    get async throws {
      var files = try await inputs.wholeDigests
      // The same files score differently against another truth.
      if job.data.truth != .stored { files.append(job.data.truth.rawValue) }
      return try TuningFingerprint(
        job.plan, files: files, scenes: searchable, frames: job.data.frames?.description
      ).text
    }
  }

  /// - Parameter work: Where scenes are kept that are finished, and those of an earlier search are found; nil to keep none.
  /// - Parameter kept: Called when another one is.
  /// - Throws: `FathomError`, also where the data have changed since the shards were made.
  package func run(
    in work: WorkFolder? = nil, kept: () throws -> Void = {}, _ observe: JobObserver
  ) async throws -> TuneResult {
    var places = places
    let search = try await search(&places, results(in: work), kept: kept, observe)
    return try await result(search, &places, observe)
  }

  /// Scores the scenes of the part that a folder does not hold.
  /// - Returns: Digest of the data that each lies in, by its number.
  fileprivate func fill(
    _ work: WorkFolder, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> [Int: String] {
    let results = results(in: work)
    var places = places
    _ = try await search(&places, results, kept: kept, observe)
    try inputs.requireUnchanged()
    return try await results.digests(inputs)
  }

  private func results(in work: WorkFolder?) -> SceneResults {
    SceneResults(in: work, of: shards, scenes: searchable)
  }

  private func search(
    _ places: inout [Place], _ known: SceneResults, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> [SceneScores] {
    let configurations = Array(job.plan.grid.configurations.indices)
    return try await scores(.everything(job.plan), in: &places, .searching, observe) { place in
      try await known.find(place.scene.name, in: place.file) {
        SceneScores(data: $0, scene: place.scene.name, configurations: configurations)
      }
    } finished: { place, scores in
      try known.keep(scores.data, of: place.scene.name, from: inputs, kept: kept)
    }
  }

  /// The finalists on everything, and the choice.
  private func result(
    _ search: [SceneScores], _ places: inout [Place], _ observe: JobObserver
  ) async throws -> TuneResult {
    let plan = job.plan
    try check(search)
    let confirmed = try await scores(
      .finalists(TuningRun.finalists(plan, search), plan), in: &places, .confirming, observe)
    let run = TuningRun(plan: plan, scenes: places.map(\.scene), search: search, confirmed: confirmed)
    let manifest = TuningManifest(
      run, inputs: try await inputs.manifest(), fixed: job.fixed, leftOut: leftOut,
      scenePattern: job.data.scenes.description, frameRange: job.data.frames?.description)
    try inputs.requireUnchanged()
    return TuneResult(name: name, run: run, manifest: manifest, fixed: job.fixed, data: inputs.data)
  }

  /// - Throws: `FathomError` where fewer than two scenes could be scored.
  private func check(_ search: [SceneScores]) throws(FathomError) {
    let table = LossTable(search, plan: job.plan)
    guard table.scenes.count < 2 else { return }
    throw FathomError(
      .badData, attempted: "tune on", place: job.data.paths.joined(separator: ", "),
      reason:
        "\(job.plan.objective.name) has a value in \(table.scenes.count) of \(search.count) scenes, at least 2 are needed",
      advice: "choose another \(option: "objective") or more data")
  }

  /// Scores configurations scene by scene.
  /// - Parameter known: The scores of a scene that are there already.
  /// - Parameter finished: Called with the scores of each other scene.
  private func scores(
    _ search: SceneSearch, in places: inout [Place], _ stage: JobStage, _ observe: JobObserver,
    known: (Place) async throws -> SceneScores? = { _ in nil },
    finished: (Place, SceneScores) throws -> Void = { _, _ in }
  ) async throws -> [SceneScores] {
    observe(.began(stage, steps: places.reduce(0) { $0 + job.data.range(of: $1.scene.header).count }))
    var results: [SceneScores] = []
    for index in places.indices {
      if let scores = try await known(places[index]) {
        for _ in job.data.range(of: places[index].scene.header) { observe(.advanced) }
        results.append(scores)
        continue
      }
      let file = places[index].file
      let scores = try await scores(search, of: &places[index], from: file.source, observe)
      try finished(places[index], scores)
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
      of: &place.scene, frames: job.data.range(of: header), jobs: job.jobs, progress: { observe(.advanced) }
    ) { (index) throws(FathomError) in
      (try source.frame(index, of: header, including: .fusion), try detections?.frame(index, from: source))
    }
  }
}
