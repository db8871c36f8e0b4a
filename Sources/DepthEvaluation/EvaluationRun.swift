public import DepthCore
public import DepthFusion
import Statistics

/// Everything that an evaluation found, ready for tables.
public struct EvaluationRun: Sendable {
  /// What was to be done.
  public let plan: EvaluationPlan
  /// The scenes, with their kinds resolved.
  public let scenes: [SceneContext]
  /// All rows, scene by scene, frame by frame, method by method.
  public let records: [FrameRecord]
  /// Method that gains are held against.
  public let baseline: String
  /// Files that were left out because they could not be read.
  public let unreadable: [UnreadableFile]
  /// Means over frames and scenes, or over pixels.
  public let aggregation: Aggregation
  /// Intervals, tests and ranks.
  public let statistics: RunStatistics
  /// The same predictions under every protocol; nil where it was not asked for.
  public let protocols: ProtocolComparison?
  /// Boxes, placements and detections; nil where no scene has objects that can be looked at.
  public let objects: ObjectResults?

  public init(
    plan: EvaluationPlan, scenes: [SceneContext], records: [FrameRecord], baseline: String,
    unreadable: [UnreadableFile] = [], objects: ObjectResults? = nil
  ) {
    self.plan = plan
    self.scenes = scenes
    self.records = records
    self.baseline = baseline
    self.unreadable = unreadable
    self.objects = objects
    aggregation = Aggregation(records, mode: plan.rules.aggregation)
    statistics = RunStatistics(
      records, references: [baseline, MethodSelection.spec.id], fallback: MethodSelection.lidarBilinear.id,
      seed: plan.seed,
      mode: plan.rules.aggregation)
    protocols = plan.paths.map {
      ProtocolComparison(records, $0, fallback: MethodSelection.lidarBilinear.id, seed: plan.seed)
    }
  }

  /// A paired comparison on this run's frames.
  public func comparison(
    of method: String, against reference: String, column: MetricColumn, form: PairedComparison.Form
  ) -> PairedComparison? {
    statistics.comparison(of: method, against: reference, column: column, form: form)
  }

  /// A method as it was asked for, compared over all scenes: "ols" is `ols@depth` in one scene and `ols@disparity` in
  /// another.
  public func comparison(
    of selection: MethodSelection, against reference: String, column: MetricColumn,
    form: PairedComparison.Form
  ) -> PairedComparison? {
    let ids = Dictionary(
      scenes.map { ($0.name, selection.method(for: $0.relativeKind).id) },
      uniquingKeysWith: { first, _ in first })
    let distinct = Set(ids.values)
    if distinct.count == 1, let id = distinct.first {
      return comparison(of: id, against: reference, column: column, form: form)
    }
    let label = "selection " + selection.description
    let renamed = records.filter { ids[$0.scene] == $0.method }.map { record in
      var record = record
      record.method = label
      return record
    }
    let panel = ScenePanel(
      records + renamed, mode: plan.rules.aggregation, fallback: MethodSelection.lidarBilinear.id)
    var bootstrap = SceneBootstrap(seed: plan.seed)
    return PairedComparison(
      label, against: reference, column: column, form: form, in: panel, &bootstrap)
  }

  /// Evaluates one scene: resolves an unknown kind in a first pass, then fuses and scores frame by frame.
  ///
  /// At most `jobs` frames are under way and one more is read ahead, so memory does not grow with the scene; methods
  /// that look back see the frames before, which are read for it where the range begins later;
  /// results are in frame order whatever the number of jobs.
  ///
  /// - Parameters:
  ///   - scene: Its kind is set here where the file does not declare it.
  ///   - frames: Frames to evaluate, in order.
  ///   - read: Reads a frame; only called from the calling task.
  ///   - progress: Called after each frame.
  /// - Throws: What `read` throws; frames under way are finished first.
  public static func evaluate<Failure: Error>(
    _ scene: inout SceneContext, plan: EvaluationPlan, frames: Range<Int>, jobs: Int,
    isolation: isolated (any Actor)? = #isolation,
    progress: () -> Void = {}, read: (Int) throws(Failure) -> DepthFrame
  ) async throws(Failure) -> [FrameRecord] {
    try await evaluateObjects(
      &scene, plan: plan, frames: frames, jobs: jobs, isolation: isolation, progress: progress, read: read
    ) { (_) throws(Failure) in nil }.rows
  }

  /// The same with the objects of the frames: their maps are dropped with the frame, so that memory does not grow with
  /// their number.
  ///
  /// - Parameter detections: Reads the detections of a frame; nil where its objects are not to be looked at.
  public static func evaluateObjects<Failure: Error>(
    _ scene: inout SceneContext, plan: EvaluationPlan, frames: Range<Int>, jobs: Int,
    isolation: isolated (any Actor)? = #isolation,
    progress: () -> Void = {}, read: (Int) throws(Failure) -> DepthFrame,
    detections: (Int) throws(Failure) -> FrameDetections?
  ) async throws(Failure) -> SceneRecords {
    try scene.resolveKind(read: read)
    let context = scene
    let outcome: Result<SceneRecords, Failure> = await withTaskGroup(
      of: SceneProgress.Step.self, isolation: isolation
    ) { group in
      var state = SceneProgress(context, frames: frames)
      var past = FrameHistory(limit: plan.historyLength)
      for index in past.predecessors(of: frames.lowerBound) + Array(frames) {
        do throws(Failure) {
          let frame = try read(index)
          let history = past.newestFirst
          past.append(frame)
          guard frames.contains(index) else { continue }
          let detected = try detections(index)
          while state.underWay >= max(1, jobs), let step = await group.next() {
            if case .evaluated = step { progress() }
            for neighbours in state.finish(step) { group.addTask { .compared(neighbours.scores) } }
          }
          let keeps = state.comparesFrames
          group.addTask {
            .evaluated(plan.records(of: frame, in: context, history, detected, keepsPredictions: keeps))
          }
          state.underWay += 1
        } catch {
          await group.waitForAll()
          return .failure(error)
        }
      }
      while let step = await group.next() {
        if case .evaluated = step { progress() }
        for neighbours in state.finish(step) { group.addTask { .compared(neighbours.scores) } }
      }
      return .success(
        SceneRecords(rows: state.records(in: frames), objects: state.objects(in: frames)))
    }
    return try outcome.get()
  }
}

extension EvaluationPlan {
  /// What the methods did with a frame, and what was found of its objects in their maps.
  fileprivate func records(
    of frame: DepthFrame, in scene: SceneContext, _ history: [DepthFrame], _ detected: FrameDetections?,
    keepsPredictions: Bool
  ) -> PosedRecords {
    let rows = evaluate(
      frame, of: scene, history: history, keepsPredictions: keepsPredictions || detected != nil)
    return PosedRecords(
      frame, scene, rows, objects: objects(in: frame, of: scene, detected, rows: rows))
  }
}

/// The last frames, reduced to LiDAR and camera.
private struct FrameHistory {
  let limit: Int
  private var frames: [DepthFrame] = []

  init(limit: Int) { self.limit = limit }

  var newestFirst: [DepthFrame] { frames.reversed() }

  /// Frames to be read so that the first one evaluated has its history.
  func predecessors(of first: Int) -> [Int] { Array(max(0, first - limit)..<first) }

  mutating func append(_ frame: DepthFrame) {
    guard limit > 0 else { return }
    if frames.count == limit { frames.removeFirst() }
    frames.append(
      DepthFrame(
        index: frame.index, lidar: frame.lidar, confidence: frame.confidence, intrinsics: frame.intrinsics,
        worldFromCamera: frame.worldFromCamera, timestampSeconds: frame.timestampSeconds))
  }
}

/// A file that a run was to use and could not.
public struct UnreadableFile: Sendable, Hashable {
  /// The file's name without folder and extension.
  public var name: String
  /// Why, in one line.
  public var reason: String

  public init(name: String, reason: String) { (self.name, self.reason) = (name, reason) }
}
