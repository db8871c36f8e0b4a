import FathomStorage
import DepthCore
import DepthDataset
import DepthEvaluation

/// Where a scene's detections come from, read frame by frame: masks are large.
struct SceneDetections {
  private let scene: SceneHeader, decodes: Bool
  /// Without masks.
  private let stored: SceneObjects?
  private let positions: [Int: [Int]]  // Positions of the stored detections by frame.

  /// What is to be done with a scene.
  enum Availability {
    case none  // It has no detections.
    case unusable(String)  // It has some that cannot be placed.
    case usable(SceneDetections)
    /// Why they cannot be placed; nil where that is not so.
    var reason: String? { if case .unusable(let reason) = self { reason } else { nil } }
  }

  /// Looks what there is.
  static func find(
    in scene: SceneHeader, _ reader: borrowing some FrameSource & ~Copyable, plan: ObjectPlan
  ) throws(FathomError) -> Availability {
    let stored = try reader.objects(of: scene, includingMasks: false)
    guard stored?.objects.isEmpty == false || scene.detector != nil else { return .none }
    // A group without detections may be what an exporter writes beside the raw output.
    let decodes =
      plan.detections.map { $0 == .decoded } ?? (scene.detector != nil && stored?.objects.isEmpty != false)
    if decodes && scene.detector == nil { return .unusable("no raw detector output to decode") }
    if !decodes && stored == nil {
      return .unusable("no stored detections, and the detector output is not to be decoded")
    }
    guard scene.intrinsics != nil else { return .unusable("no intrinsics") }
    guard scene.hasPoses else { return .unusable("no poses") }
    guard scene.cameraConvention != .unknown else {
      return .unusable("the axes of the poses are not declared (attribute `convention`)")
    }
    return .usable(SceneDetections(scene, stored: stored, decodes: decodes))
  }

  private init(_ scene: SceneHeader, stored: SceneObjects?, decodes: Bool) {
    (self.scene, self.stored, self.decodes) = (scene, stored, decodes)
    let indices = Array((stored?.objects ?? []).indices)
    positions = Dictionary(grouping: indices) { stored?.objects[$0].frame ?? 0 }
  }

  func frame(_ index: Int, from reader: borrowing some FrameSource & ~Copyable) throws(FathomError)
    -> FrameDetections
  {
    var found = FrameDetections()
    for position in positions[index] ?? [] {
      guard var object = stored?.objects[position] else { continue }
      // Decoded detections bring their own masks.
      if !decodes { object.mask = try reader.mask(ofObject: position, in: scene) }
      found.stored.append((position, object))
    }
    found.conventions = stored?.conventions ?? found.conventions
    if decodes {
      found.output = try reader.detectorOutput(frame: index, of: scene)
      found.classNames = scene.detector?.classNames ?? []
    }
    return found
  }
}
