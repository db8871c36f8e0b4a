import FathomPlainText
import FathomStorage
internal import DepthCore
internal import FathomHDF5

extension SceneInspection {
  /// Streams every array of a scene; what cannot be read is added to `issues`.
  init(_ header: SceneHeader, _ reader: borrowing DatasetReader, _ issues: inout [SchemaIssue]) {
    self.init(header)
    guard let layout = reader.layouts[header.name] else { return }
    var stream = ArrayStream(scene: header)
    arrays = stream.arrays(layout, reader)
    confidence = layout.confidence.flatMap { stream.confidenceShares($0, reader) }
    issues += stream.issues
    do throws(FathomError) {
      if let found = try reader.objects(of: header, includingMasks: false) {
        for index in found.objects.indices { _ = try reader.mask(ofObject: index, in: header) }
        objects = found.objects.reduce(into: [:]) { $0[$1.label, default: 0] += 1 }
        hasMasks = layout.objects?.mask != nil
        hasTrueBoxes = found.objects.contains { $0.truth != nil }
      }
    } catch { issues.append(SchemaIssue(error, in: "scenes/\(header.name)/objects")) }
    absent = Self.absent(header, layout)
  }

  /// What the header says; no array yet.
  init(_ header: SceneHeader) {
    (name, frameCount) = (header.name, header.frameCount)
    (note, license, device) = (header.note, header.license, header.device)
    intrinsics = header.intrinsics
    (pictureCount, importRecord) = (header.imageFrames?.count, header.importRecord)
    (cameraConvention, upAxis) = header.hasPoses ? (header.cameraConvention, header.upAxis) : (nil, nil)
    durationSeconds = header.timestampsSeconds
      .flatMap { times in times.first.flatMap { first in times.last.map { $0 - first } } }
    (arrays, hasMasks, hasTrueBoxes, absent) = ([], false, false, [])
  }

  private static func absent(_ header: SceneHeader, _ layout: SceneLayout) -> [String] {
    let presence: [(String, Bool)] = [
      ("lidar/depth", layout.lidar != nil), ("lidar/confidence", layout.confidence != nil),
      ("relative/values", layout.relative != nil), ("truth/depth", layout.truth != nil),
      ("camera/intrinsics", layout.intrinsics != nil), ("camera/world_from_camera", layout.poses != nil),
      ("image/rgb", layout.image != nil), ("time", header.timestampsSeconds != nil),
      ("frame_id", header.frameIDs != nil), ("objects", layout.objects != nil),
      ("objects/mask", layout.objects == nil || layout.objects?.mask != nil),
      ("objects/truth", layout.objects.map(\.hasTruth) ?? true),
    ]
    return presence.filter { !$0.1 }.map(\.0)
  }
}

extension SchemaIssue {
  init(_ error: FathomError, in object: String) {
    self.init(
      severity: .error, object: error.object ?? object, problem: error.reasonWording.onCommandLine,
      advice: error.adviceWording)
  }
}
