import DepthFusion

/// What is known of a scene while its frames are evaluated in any order.
struct SceneProgress {
  /// Something that a task has finished.
  enum Step: Sendable {
    case evaluated(PosedRecords)
    /// temporal_abs_rel by method, for the later of two frames.
    case compared(Int, [String: Double])
  }

  /// Tasks that were started and not yet finished.
  var underWay = 0
  /// Whether neighbouring frames can be compared at all.
  let comparesFrames: Bool
  private var rows: [Int: [FrameRecord]] = [:]
  private var temporal: [Int: [String: Double]] = [:]
  /// Frames whose maps a neighbour still needs.
  private var waiting: [Int: PosedRecords] = [:]
  private var comparisons: [Int: Int] = [:]

  init(_ scene: SceneContext) {
    comparesFrames =
      scene.header.hasPoses && scene.header.intrinsics != nil && scene.header.cameraConvention != .unknown
      && scene.header.frameCount > 1
  }

  /// Takes a step in; returns the pairs of neighbouring frames that can now be compared, each a task of its own.
  mutating func finish(_ step: Step) -> [FramePair] {
    underWay -= 1
    switch step {
    case .compared(let index, let values):
      temporal[index] = values
      return []
    case .evaluated(let records):
      rows[records.index] = records.withoutMaps
      guard comparesFrames else { return [] }
      waiting[records.index] = records
      let pairs = [records.index - 1, records.index].compactMap { earlier in
        waiting[earlier].flatMap { first in waiting[earlier + 1].map { FramePair(earlier: first, later: $0) }
        }
      }
      for index in pairs.flatMap({ [$0.earlier.index, $0.later.index] }) {
        comparisons[index, default: 0] += 1
      }
      // Both neighbours had their turn; the first and last frames of a range wait a little longer, to its end.
      for (index, count) in comparisons where count == 2 { waiting[index] = nil }
      underWay += pairs.count
      return pairs
    }
  }

  /// All rows in order, with what the comparison of frames gave.
  func records(in frames: Range<Int>) -> [FrameRecord] {
    let column = MetricColumn.index(of: Metric.temporalAbsRel.id)
    return frames.flatMap { index in
      (rows[index] ?? []).map { record in
        var record = record
        if let column, !record.values.isEmpty { record.values[column] = temporal[index]?[record.method] }
        return record
      }
    }
  }
}

/// A frame's rows with their maps, and the camera that they belong to.
struct PosedRecords: Sendable {
  let index: Int
  private let rows: [FrameRecord]
  private let intrinsics: CameraIntrinsics?
  private let worldFromCamera: RigidTransform?
  private let convention: CameraConvention

  init(_ frame: DepthFrame, _ scene: SceneContext, _ rows: [FrameRecord]) {
    (index, self.rows) = (frame.index, rows)
    (intrinsics, worldFromCamera) = (frame.intrinsics, frame.worldFromCamera)
    convention = scene.header.cameraConvention
  }

  /// The rows as a run keeps them.
  var withoutMaps: [FrameRecord] {
    rows.map { row in
      var row = row
      row.fusion.prediction = nil
      return row
    }
  }

  /// A method's map with its camera; nil where it has none.
  func view(of method: String) -> TemporalConsistency.View? {
    guard let intrinsics, let worldFromCamera,
      let depth = rows.first(where: { $0.method == method })?.fusion.prediction?.depth
    else { return nil }
    return TemporalConsistency.View(
      depth: depth, intrinsics: intrinsics, worldFromCamera: worldFromCamera, convention: convention)
  }

  /// Methods that have a map and are something that an app could show.
  var methods: [String] { rows.filter { !$0.isOracle && $0.fusion.prediction != nil }.map(\.method) }
}

/// Two frames that follow each other.
struct FramePair: Sendable {
  let earlier: PosedRecords
  let later: PosedRecords

  /// The agreement of each method's two maps.
  var temporalAbsRel: [String: Double] {
    var values: [String: Double] = [:]
    for method in later.methods {
      guard let first = earlier.view(of: method), let second = later.view(of: method) else { continue }
      values[method] = TemporalConsistency.absRel(first, second)
    }
    return values
  }
}
