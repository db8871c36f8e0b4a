public import DepthCore

extension EvaluationPlan {
  /// Evaluates one scene: resolves an unknown kind in a first pass, then fuses and scores frame by frame.
  ///
  /// Memory does not grow with the scene but for the rows. Methods that look back see the frames before, which are read for it where the range
  /// begins later; results are in the order of frames, whatever the number of jobs.
  /// - Parameter scene: Its kind is set here where the file does not declare it.
  /// - Parameter frames: Frames to evaluate, in order.
  /// - Parameter progress: Called after each frame.
  /// - Parameter read: Reads a frame; only called from the calling task.
  /// - Throws: What `read` throws; frames under way are finished first.
  public func evaluate<Failure: Error>(
    _ scene: inout SceneContext, frames: Range<Int>, jobs: Int, isolation: isolated (any Actor)? = #isolation,
    progress: () -> Void = {}, read: (Int) throws(Failure) -> DepthFrame
  ) async throws(Failure) -> [FrameRecord] {
    try await evaluateObjects(
      &scene, frames: frames, jobs: jobs, isolation: isolation, progress: progress, read: read
    ) { (_) throws(Failure) in nil }.rows
  }

  /// The same with the objects of the frames: their maps are dropped with the frame, so that memory does not grow with
  /// their number.
  /// - Parameter detections: Reads the detections of a frame; nil where its objects are not to be looked at.
  public func evaluateObjects<Failure: Error>(
    _ scene: inout SceneContext, frames: Range<Int>, jobs: Int, isolation: isolated (any Actor)? = #isolation,
    progress: () -> Void = {}, read: (Int) throws(Failure) -> DepthFrame,
    detections: (Int) throws(Failure) -> FrameDetections?
  ) async throws(Failure) -> SceneRecords {
    var found = SceneRecords()
    try await evaluateObjects(
      &scene, frames: frames, jobs: jobs, isolation: isolation, progress: progress, read: read,
      detections: detections
    ) { (rows, objects) throws(Failure) in
      found.rows += rows
      found.objects.append(objects)
    }
    return found
  }

  /// The same without keeping what was found.
  /// - Parameters:
  ///   - done: How many frames were evaluated before: those behind them are handed over, with the values that they have in one go.
  ///   - detections: Reads the detections of a frame; nil where its objects are not to be looked at.
  ///   - take: Takes in the rows and objects of each frame, in the order of frames.
  /// - Throws: What `read`, `detections` and `take` throw; frames under way are finished first.
  public func evaluateObjects<Failure: Error>(
    _ scene: inout SceneContext, frames: Range<Int>, after done: Int = 0, jobs: Int,
    isolation: isolated (any Actor)? = #isolation, progress: () -> Void = {},
    read: (Int) throws(Failure) -> DepthFrame, detections: (Int) throws(Failure) -> FrameDetections?,
    take: ([FrameRecord], FrameObjects) throws(Failure) -> Void
  ) async throws(Failure) {
    try scene.resolveKind(read: read)
    try await align(&scene, frames: frames, jobs: jobs, isolation: isolation, read: read)
    let context = scene
    let comparesFrames = SceneProgress.comparesFrames(of: context)
    let first = frames.lowerBound + done
    let begin = comparesFrames ? max(frames.lowerBound, first - 1) : first
    var state = SceneProgress(from: first)
    var history = FrameHistory(length: historyLength)
    try await FrameStream(begin..<frames.upperBound, jobs: jobs).run(isolation: isolation) {
      (index) throws(Failure) in
      try state.release(isOver: false, comparesFrames: comparesFrames, take)
      let (frame, before) = try history.frame(index, past: read, read: read)
      return (frame: frame, before: before, detections: try detections(index))
    } work: { input in
      records(of: input.frame, in: context, input.before, input.detections, keepsPredictions: comparesFrames)
    } take: { index, records in
      if index >= first { progress() }
      return state.take(records, comparesFrames: comparesFrames).map { neighbours in
        { @Sendable in neighbours.scores }
      }
    } later: { scores in
      state.take(scores)
    }
    try state.release(isOver: true, comparesFrames: comparesFrames, take)
  }

  /// Whether a scene is one frame that needs nothing but itself, so that several such scenes can be worked on at once.
  public func isSingle(_ scene: SceneContext) -> Bool {
    scene.header.frameCount == 1 && sceneRules.isEmpty
      && (scene.relativeKind != .unknown || scene.header.relativeSize == nil)
  }

  /// What `evaluateObjects` finds of such a scene. A pure function of its arguments, whatever the thread.
  /// - Parameter detected: nil where its objects are not to be looked at.
  public func evaluate(
    single frame: DepthFrame, of scene: SceneContext, _ detected: FrameDetections?
  ) -> (rows: [FrameRecord], objects: FrameObjects) {
    let found = records(of: frame, in: scene, [], detected, keepsPredictions: false)
    return (found.withoutMaps, found.objects)
  }

  /// What the methods did with a frame, and what was found of its objects in their maps.
  private func records(
    of frame: DepthFrame, in scene: SceneContext, _ history: [DepthFrame], _ detected: FrameDetections?,
    keepsPredictions: Bool
  ) -> PosedRecords {
    let rows = evaluate(
      frame, of: scene, history: history, keepsPredictions: keepsPredictions || detected != nil)
    return PosedRecords(frame, scene, rows, objects: objects(in: frame, of: scene, detected, rows: rows))
  }
}
