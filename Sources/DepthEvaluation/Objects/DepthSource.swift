import DepthCore
import DepthFusion
import DepthObjects

/// A depth map that objects are measured in.
struct DepthSource {
  let id: String  // "lidar", "truth" or a method's id.
  /// The map, its confidence, and the planes in it; or why there is none.
  let content: Result<Content, Missing>
  struct Content { let map: DepthMap, confidence: Raster<UInt8>?, planes: [HorizontalPlane] }
  struct Missing: Error { let reason: String }

  /// The sources of a frame in the order asked for.
  static func all(
    of frame: DepthFrame, rows: [FrameRecord], ids: [String], camera: PosedCamera, plan: ObjectPlan
  ) -> [DepthSource] {
    ids.map { id in
      DepthSource(
        id: id,
        content: map(id, frame, rows, plan.sampling).map { map in
          let confidence = id == ObjectPlan.lidar || plan.sampling == .confident ? frame.confidence : nil
          return Content(
            map: map, confidence: confidence,
            planes: HorizontalPlaneFinder(options: plan.planes).planes(
              in: map, confidence: confidence, camera: camera))
        })
    }
  }

  /// The true depth as it is looked at, without planes; nil where the frame has none.
  static func truth(of frame: DepthFrame, plan: ObjectPlan) -> Content? {
    guard case .success(let map) = map(ObjectPlan.truth, frame, [], plan.sampling) else { return nil }
    return Content(map: map, confidence: plan.sampling == .confident ? frame.confidence : nil, planes: [])
  }

  private static func map(
    _ id: String, _ frame: DepthFrame, _ rows: [FrameRecord], _ sampling: ObjectPlan.Sampling
  ) -> Result<DepthMap, Missing> {
    map(id, frame, rows).map {
      sampling == .map || !frame.hasLidar ? $0 : $0.resampledNearest(to: frame.lidar.size)
    }
  }

  private static func map(
    _ id: String, _ frame: DepthFrame, _ rows: [FrameRecord]
  ) -> Result<DepthMap, Missing> {
    switch id {
    case ObjectPlan.lidar:
      return frame.hasLidar ? .success(frame.lidar) : .failure(Missing(reason: "the scene has no LiDAR"))
    case ObjectPlan.truth:
      return frame.truth.map { .success($0) } ?? .failure(Missing(reason: "the scene has no true depth"))
    default:
      guard let row = rows.first(where: { $0.method == id }) else {
        return .failure(Missing(reason: "\(id) does not run in this scene"))
      }
      return row.fusion.prediction.map { .success($0.depth) }
        ?? .failure(Missing(reason: row.fusion.reason ?? row.fusion.status.rawValue))
    }
  }
}
