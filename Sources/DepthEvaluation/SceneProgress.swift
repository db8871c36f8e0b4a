import DepthCore
import DepthFusion

/// What is known of a scene while its frames are evaluated in any order.
struct SceneProgress {
  /// Something that a task has finished.
  enum Step: Sendable {
    case evaluated(PosedRecords)
    case compared(NeighbourScores)
  }

  /// Tasks that were started and not yet finished.
  var underWay = 0
  /// Whether neighbouring frames can be compared at all.
  let comparesFrames: Bool
  private let frames: Range<Int>
  private var rows: [Int: [FrameRecord]] = [:]
  private var objects: [Int: FrameObjects] = [:]
  private var scores: [NeighbourScores] = []
  /// Frames whose maps a neighbour still needs.
  private var waiting: [Int: PosedRecords] = [:]
  /// How many frames keep their maps.
  var waitingCount: Int { waiting.count }

  /// - Parameter frames: Those that will be evaluated.
  init(_ scene: SceneContext, frames: Range<Int>) {
    comparesFrames =
      scene.header.hasPoses && scene.header.intrinsics != nil && scene.header.cameraConvention != .unknown
      && scene.header.frameCount > 1
    self.frames = frames
  }

  /// Takes a step in; returns the comparisons of neighbouring frames that can now be made, each a task of its own.
  mutating func finish(_ step: Step) -> [FrameNeighbours] {
    underWay -= 1
    switch step {
    case .compared(let result):
      scores.append(result)
      return []
    case .evaluated(let records):
      let index = records.index
      rows[index] = records.withoutMaps
      objects[index] = records.objects
      guard comparesFrames else { return [] }
      waiting[index] = records
      var ready: [FrameNeighbours] = []
      for later in [index, index + 1] {
        if let first = waiting[later - 1], let second = waiting[later] {
          ready.append(.pair(first, second))
        }
      }
      for middle in index - 1...index + 1 {
        if let first = waiting[middle - 1], let second = waiting[middle], let third = waiting[middle + 1] {
          ready.append(.triple(first, second, third))
        }
      }
      // A map is needed until the two frames on either side are there; so few wait, however long the scene.
      for candidate in index - 2...index + 2 {
        let needed = (candidate - 2...candidate + 2).filter(frames.contains)
        if needed.allSatisfy({ rows[$0] != nil }) { waiting[candidate] = nil }
      }
      underWay += ready.count
      return ready
    }
  }

  /// What was found of objects, in the order of frames.
  func objects(in frames: Range<Int>) -> FrameObjects {
    frames.reduce(into: FrameObjects()) { total, index in
      if let found = objects[index] { total.append(found) }
    }
  }

  /// All rows in order, with what the comparison of frames gave. A frame without truth has such values too.
  func records(in frames: Range<Int>) -> [FrameRecord] {
    var found: [Int: [(column: Int, values: [String: Double])]] = [:]
    for score in scores {
      found[score.index, default: []].append((score.column.position, score.values))
    }
    return frames.flatMap { index in
      (rows[index] ?? []).map { record in
        var record = record
        for (column, values) in found[index] ?? [] {
          guard let value = values[record.method] else { continue }
          if record.values.isEmpty { record.values = Array(repeating: nil, count: MetricColumn.all.count) }
          record.values[column] = value
        }
        return record
      }
    }
  }
}

/// A frame's rows with their maps, and the camera that they belong to.
struct PosedRecords: Sendable {
  let index: Int
  /// What was found of the frame's objects.
  let objects: FrameObjects
  private let rows: [FrameRecord]
  private let intrinsics: CameraIntrinsics?
  private let worldFromCamera: RigidTransform?
  private let convention: CameraConvention

  init(
    _ frame: DepthFrame, _ scene: SceneContext, _ rows: [FrameRecord], objects: FrameObjects = FrameObjects()
  ) {
    (index, self.rows, self.objects) = (frame.index, rows, objects)
    (intrinsics, worldFromCamera) = (
      frame.intrinsics, frame.worldFromCamera.flatMap { $0.isUsable ? $0 : nil }
    )
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
  func view(of method: String) -> PosedDepth? {
    guard let intrinsics, let worldFromCamera,
      let depth = rows.first(where: { $0.method == method })?.fusion.prediction?.depth
    else { return nil }
    return PosedDepth(
      depth: depth, intrinsics: intrinsics, worldFromCamera: worldFromCamera, convention: convention)
  }

  /// Methods that have a map and are something that an app could show.
  var methods: [String] { rows.filter { !$0.isOracle && $0.fusion.prediction != nil }.map(\.method) }
}
