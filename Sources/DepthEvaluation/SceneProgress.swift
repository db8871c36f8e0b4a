import DepthCore
import DepthFusion

/// What is known of a scene while its frames come in, in order. Only the rows of the last frames are kept: those that a
/// comparison with a neighbour may still give a value.
struct SceneProgress {
  fileprivate struct Frame {
    let index: Int
    var rows: [FrameRecord]
    let objects: FrameObjects
    var comparisons = 0  // Comparisons that are under way, and those that come with the next frames.
    var scores: [NeighbourScores] = []
  }

  private let first: Int  // The first frame that is handed over; one before it is there to be compared with.
  private var frames: [Frame] = []
  private var last: [PosedRecords] = []  // The last frames, whose maps the next one is compared with.
  init(from first: Int = 0) { self.first = first }

  /// Whether neighbouring frames can be compared at all.
  static func comparesFrames(of scene: SceneContext) -> Bool {
    scene.header.hasPoses && scene.header.intrinsics != nil && scene.header.cameraConvention != .unknown
      && scene.header.frameCount > 1
  }

  /// Takes the next frame in; returns the comparisons with the frames before that can now be made.
  mutating func take(_ records: PosedRecords, comparesFrames: Bool) -> [FrameNeighbours] {
    frames.append(Frame(index: records.index, rows: records.withoutMaps, objects: records.objects))
    guard comparesFrames else { return [] }
    last = last.suffix(2) + [records]
    var ready: [FrameNeighbours] = []
    if last.count > 1 { ready.append(.pair(last[last.count - 2], records)) }
    if last.count > 2 { ready.append(.triple(last[0], last[1], records)) }
    for neighbours in ready { change(neighbours.index) { $0.comparisons += 1 } }
    return ready
  }

  /// Takes the result of a comparison in.
  mutating func take(_ result: NeighbourScores) {
    change(result.index) { frame in
      frame.comparisons -= 1
      frame.scores.append(result)
    }
  }

  private mutating func change(_ index: Int, _ change: (inout Frame) -> Void) {
    // From the end: it is among the last.
    if let place = frames.lastIndex(where: { $0.index == index }) { change(&frames[place]) }
  }

  /// Hands over the frames, in order, that nothing more comes for: rows with what the comparison of frames gave. A frame
  /// without truth has such values too.
  /// - Parameter isOver: Whether all frames of the scene were taken in and compared.
  mutating func release<Failure: Error>(
    isOver: Bool, comparesFrames: Bool, _ take: ([FrameRecord], FrameObjects) throws(Failure) -> Void
  ) throws(Failure) {
    // The last frame is compared with the next one, which has not come.
    let coming = isOver || !comparesFrames ? 0 : 1
    while let frame = frames.first, frames.count > coming, frame.comparisons == 0 {
      frames.removeFirst()
      if frame.index >= first { try take(frame.completed, frame.objects) }
    }
  }
}

extension SceneProgress.Frame {
  fileprivate var completed: [FrameRecord] {
    rows.map { record in
      var record = record
      for score in scores {
        guard let value = score.values[record.method] else { continue }
        if record.values.isEmpty { record.values = Array(repeating: nil, count: MetricColumn.all.count) }
        record.values[score.column.position] = value
      }
      return record
    }
  }
}
