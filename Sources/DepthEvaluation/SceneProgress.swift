import DepthCore
import DepthFusion

/// What is known of a scene while its frames come in, in order.
struct SceneProgress {
  private var rows: [(index: Int, rows: [FrameRecord])] = []
  private var objects = FrameObjects()
  private var scores: [Int: [NeighbourScores]] = [:]
  /// The last frames, whose maps the next one is compared with.
  private var last: [PosedRecords] = []

  /// Whether neighbouring frames can be compared at all.
  static func comparesFrames(of scene: SceneContext) -> Bool {
    scene.header.hasPoses && scene.header.intrinsics != nil && scene.header.cameraConvention != .unknown
      && scene.header.frameCount > 1
  }

  /// Takes the next frame in; returns the comparisons with the frames before that can now be made.
  mutating func take(_ records: PosedRecords, comparesFrames: Bool) -> [FrameNeighbours] {
    rows.append((records.index, records.withoutMaps))
    objects.append(records.objects)
    guard comparesFrames else { return [] }
    last = last.suffix(2) + [records]
    var ready: [FrameNeighbours] = []
    if last.count > 1 { ready.append(.pair(last[last.count - 2], records)) }
    if last.count > 2 { ready.append(.triple(last[0], last[1], records)) }
    return ready
  }

  /// Takes the result of a comparison in.
  mutating func take(_ result: NeighbourScores) { scores[result.index, default: []].append(result) }

  /// All rows in order, with what the comparison of frames gave. A frame without truth has such values too.
  var records: SceneRecords {
    let rows = rows.flatMap { index, rows in
      rows.map { record in
        var record = record
        for score in scores[index] ?? [] {
          guard let value = score.values[record.method] else { continue }
          if record.values.isEmpty { record.values = Array(repeating: nil, count: MetricColumn.all.count) }
          record.values[score.column.position] = value
        }
        return record
      }
    }
    return SceneRecords(rows: rows, objects: objects)
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
