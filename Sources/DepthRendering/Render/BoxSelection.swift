import DepthCore
import FathomPlainText
import DepthDataset
import DepthExport
import FathomStorage

/// Decides which boxes of a scene can be drawn.
struct BoxSelection {
  private let scene: SceneHeader, file: String, objects: SceneObjects?

  init(_ scene: SceneHeader, from reader: borrowing some FrameSource & ~Copyable) throws(FathomError) {
    (self.scene, file) = (scene, reader.path)
    objects = try reader.objects(of: scene)
  }

  /// - Parameter chosen: What the user asked for; nil for `auto` and the truth where it is known.
  /// - Parameter isRequired: Whether there is nothing else to draw.
  /// - Parameter advice: What to do where there is nothing to draw.
  /// - Throws: `FathomError` `.badData` where what was asked for is not there.
  func boxes(
    _ chosen: [BoxChoice]?, isRequired: Bool,
    otherwise advice: Wording = "take \(option: "format") ply for its points"
  ) throws(FathomError) -> [BoxChoice] {
    let hasDetections = objects?.objects.isEmpty == false
    let hasTruth = objects?.objects.contains { $0.truth != nil } == true
    if chosen?.isEmpty != true && !hasDetections && (isRequired || chosen != nil) {
      throw missing(
        "objects", "there are no detections to draw boxes of",
        isRequired ? advice : "take \(option: "boxes") none")
    }
    // True boxes are in the world, and only a pose leads there.
    let isPosed = scene.hasPoses && scene.cameraConvention != .unknown
    guard let chosen else {
      return hasDetections ? [.method("auto")] + (hasTruth && isPosed ? [.truth] : []) : []
    }
    if chosen.contains(.truth) {
      guard hasTruth else {
        throw missing("objects/truth", "there are no true boxes", "leave truth out of \(option: "boxes")")
      }
      guard isPosed else {
        throw missing(
          "camera/world_from_camera", "there are no poses with a known convention to place true boxes by",
          "leave truth out of \(option: "boxes")")
      }
    }
    return chosen
  }

  private func missing(_ array: String, _ reason: String, _ advice: Wording) -> FathomError {
    FathomError(
      .badData, attempted: "render boxes", file: file, object: "scenes/\(scene.name)/\(array)",
      reason: "\(reason)", advice: advice)
  }
}
