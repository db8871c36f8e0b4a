import DepthCalibration
import FathomPlainText
import DepthCore
import DepthDataset
import DepthEvaluation
import FathomStorage

/// Why nothing could be measured, and what to do about it.
struct CalibrationFault {
  let error: FathomError

  /// - Parameter scenes: Those that have LiDAR and truth, and yet no pixel with both.
  /// - Parameter refusals: Those that have no multi-view reference.
  init(
    _ inputs: RunInputs, _ truth: TruthOrigin, _ scenes: [SceneErrors],
    _ refusals: [(scene: String, failure: MultiviewFailure)]
  ) {
    let headers = inputs.files.flatMap { $0.scenes.map(\.header) }
    let (reason, advice) =
      switch truth {
      case .stored: Self.stored(headers, scenes)
      case .multiview: Self.multiview(scenes, refusals)
      }
    error = FathomError(
      .badData, attempted: "calibrate the LiDAR", file: inputs.files.map(\.path).joined(separator: ", "),
      object: refusals.first.map { "scenes/\($0.scene)" } ?? "scenes", reason: "\(reason)", advice: advice)
  }

  private static func multiview(
    _ scenes: [SceneErrors], _ refusals: [(scene: String, failure: MultiviewFailure)]
  ) -> (String, Wording) {
    if let first = refusals.first, scenes.isEmpty {
      let others = refusals.count > 1 ? " (and \(refusals.count - 1) more scenes that cannot either)" : ""
      return ("no multi-view reference: \(first.failure)\(others)", first.failure.advice)
    }
    let options = MultiviewReference.Options()
    return (
      "no LiDAR pixel is seen alike by \(options.fewestViews) other frames",
      "check the poses with 'fathom diagnose', or record a place from more frames"
    )
  }

  private static func stored(_ headers: [SceneHeader], _ scenes: [SceneErrors]) -> (String, Wording) {
    if headers.allSatisfy({ $0.lidarSize == nil }) {
      return ("no scene has lidar/depth", "choose a data set with LiDAR depth")
    }
    if headers.allSatisfy({ $0.truthSize == nil || $0.lidarSize == nil }) {
      return (
        "no scene with LiDAR has truth/depth",
        headers.contains(where: \.hasPoses)
          ? "try \(option: "truth") multiview, which builds a reference from neighbouring frames"
          : "add truth, or poses for \(option: "truth") multiview"
      )
    }
    let pixels = scenes.reduce(into: (unknown: 0, steps: 0, outOfRange: 0)) { total, scene in
      total.unknown += scene.pixelsWithoutTruth.unknown
      total.steps += scene.pixelsWithoutTruth.steps
      total.outOfRange += scene.pixelsWithoutTruth.outOfRange
    }
    return (
      "no LiDAR pixel has truth at its centre (unknown at \(pixels.unknown), on a depth step at \(pixels.steps), out of range at "
        + "\(pixels.outOfRange))",
      "truth that leaves the LiDAR's own pixels out cannot calibrate it; else check \(option: "min-truth") and \(option: "max-truth"), or 'fathom diagnose' for the unit of the truth"
    )
  }
}
