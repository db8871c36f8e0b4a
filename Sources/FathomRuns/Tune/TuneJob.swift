import FathomRunFolders
import FathomPlainText
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
public import DepthReport
public import DepthTuning
import Foundation
public import FathomStorage

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
  /// Only the scenes of this part are scored; nil for all.
  package var part: ScenePart?

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
    try folder.write(try CanonicalJSON.text(run.conclusions) + "\n", to: SearchVerdict.fileName)
    try folder.write(tables: report.files)
    try folder.write(figures ? report.figures : [])
    try folder.write(report.document(drawing: figures))
  }
}

/// A search whose data sets are open: every configuration on samples, the finalists on everything.
package struct OpenSearch {
  /// A scene that can be searched, and its file.
  private struct Place {
    /// Among all scenes that can be searched.
    let number: Int
    let file: RunInputs.File
    var scene: SceneContext
  }

  package let name: String
  private let job: TuneJob
  private let inputs: RunInputs
  /// Those of the part.
  private let places: [Place]
  /// Names of all scenes that can be searched.
  private let searchable: [String]
  /// Names of the scenes that cannot be searched.
  private let leftOut: [String]

  /// - Throws: `FathomError` where fewer than two scenes can be searched.
  fileprivate init(_ job: TuneJob, _ observe: JobObserver) throws {
    self.job = job
    inputs = try RunInputs(
      job.data, part: job.part, hashesAhead: job.part == nil, rules: job.plan.rules, observe)
    name = inputs.name
    let all = inputs.allScenes
    let lacks = all.map { Self.lack($0, job.data) }
    let usable = zip(all, lacks).filter { $0.1 == nil }.map(\.0)
    searchable = usable.map(\.name)
    let numbers = Dictionary(searchable.enumerated().map { ($1, $0) }) { first, _ in first }
    places = inputs.files.flatMap { file in
      file.scenes.compactMap { scene in
        numbers[scene.name].map { Place(number: $0, file: file, scene: scene) }
      }
    }
    leftOut = zip(all, lacks).filter { $0.1 != nil }.map(\.0.name)
    guard usable.count >= 2 else {
      let names = searchable.joined(separator: ", ")
      let lacking = zip(all, lacks).compactMap { scene, lack in
        lack.map { "\(scene.name) lacks \($0.rawValue)" }
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
  }

  /// What keeps a scene out; nil where it can be searched.
  private static func lack(_ scene: SceneContext, _ data: DataSelection) -> SearchLack? {
    if scene.header.truthSize == nil { return .truth }
    if scene.header.relativeSize == nil { return .relative }
    if scene.header.lidarSize == nil { return .lidar }
    return data.range(of: scene.header).isEmpty ? .frames : nil
  }

  /// What kept the readers of the data from doing anything else.
  package var protections: [String] { inputs.protections }

  /// Everything that determines the scores.
  package var fingerprint: TuningFingerprint {
    get async throws(FathomError) {
      var digests: [String] = []
      for file in inputs.files { digests.append(try await file.digests.whole) }
      return fingerprint(ofFiles: digests)
    }
  }

  /// The same of a part, which reads the headers of the other data sets only.
  package var task: String { get throws { try fingerprint(ofFiles: inputs.outlines.map(\.file)).text } }

  private func fingerprint(ofFiles files: [String]) -> TuningFingerprint {
    var digests = files
    // Other scores come of the same files where they are held against another truth.
    if job.data.truth != .stored { digests.append(job.data.truth.rawValue) }
    return TuningFingerprint(
      job.plan, base: job.plan.grid.configurations[SearchGrid.reference].options, files: digests,
      scenes: searchable, frames: job.data.frames?.description)
  }

  /// - Parameters:
  ///   - checkpoint: Where scenes are kept that are finished, and those of an earlier search are found.
  ///   - kept: Called when another one is.
  package func run(
    checkpoint: SceneCheckpoint? = nil, kept: () throws -> Void = {}, _ observe: JobObserver
  ) async throws -> TuneResult {
    var places = places
    let search = try await search(&places, checkpoint: checkpoint, kept: kept, observe)
    return try await result(search, &places, observe)
  }

  /// Scores the scenes of the part.
  ///
  /// - Returns: Digest of the data that each lies in, by its number.
  package func fill(_ checkpoint: SceneCheckpoint, _ observe: JobObserver) async throws -> [Int: String] {
    var places = places
    _ = try await search(&places, checkpoint: checkpoint, kept: {}, observe)
    var digests: [Int: String] = [:]
    for place in places { digests[place.number] = try await place.file.digests.whole }
    try inputs.requireUnchanged()
    return digests
  }

  /// Confirms and judges what parts found.
  ///
  /// - Throws: `FathomError` where they are of another search, or the data have changed since.
  package func run(merging parts: PartSet, _ observe: JobObserver) async throws -> TuneResult {
    try parts.requireTask(try task)
    var (places, search) = (places, [SceneScores]())
    for place in places {
      let digest = try await place.file.digests.whole
      guard let found = try parts.found(place.number), found.digest == digest,
        let scores = stored(found.data, of: place)
      else { throw parts.changed(place.file.path) }
      search.append(scores)
    }
    return try await result(search, &places, observe)
  }

  private func stored(_ data: Data, of place: Place) -> SceneScores? {
    SceneScores(
      data: data, scene: place.scene.name, configurations: Array(job.plan.grid.configurations.indices))
  }

  private func search(
    _ places: inout [Place], checkpoint: SceneCheckpoint?, kept: () throws -> Void, _ observe: JobObserver
  ) async throws -> [SceneScores] {
    try await scores(.everything(job.plan), in: &places, .searching, observe) { place in
      try checkpoint?.data(place.number).flatMap { stored($0, of: place) }
    } finished: { place, scores in
      // A search that is gone on with must not take over scores of other data.
      try inputs.requireUnchanged()
      try checkpoint?.keep(scores.data, as: place.number)
      try kept()
    }
  }

  /// The finalists on everything, the choice and the report.
  private func result(
    _ search: [SceneScores], _ places: inout [Place], _ observe: JobObserver
  ) async throws -> TuneResult {
    let plan = job.plan
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
      advice: "choose another \(option: "objective") or more data")
  }

  /// Scores configurations scene by scene.
  ///
  /// - Parameters:
  ///   - known: The scores of a scene that are there already.
  ///   - finished: Called with the scores of each other scene.
  private func scores(
    _ search: SceneSearch, in places: inout [Place], _ stage: JobStage, _ observe: JobObserver,
    known: (Place) throws -> SceneScores? = { _ in nil },
    finished: (Place, SceneScores) throws -> Void = { _, _ in }
  ) async throws -> [SceneScores] {
    observe(.began(stage, steps: places.reduce(0) { $0 + job.data.range(of: $1.scene.header).count }))
    var results: [SceneScores] = []
    for index in places.indices {
      if let scores = try known(places[index]) {
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
