import DepthCore
import DepthFusion

/// A frame's rows with their maps, and the camera that they belong to.
struct PosedRecords: Sendable {
  let index: Int
  let objects: FrameObjects  // What was found of the frame's objects.
  private let rows: [FrameRecord], intrinsics: CameraIntrinsics?
  private let worldFromCamera: RigidTransform?, convention: CameraConvention

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
