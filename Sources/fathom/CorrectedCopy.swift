import DepthCore
import DepthDataset
import DepthDiagnosis

/// A copy of a data set with the corrections that a diagnosis calls for.
struct CorrectedCopy {
  private let path: String
  /// "scenes/kitchen: Disparity or depth: set the attribute kind of relative/values to 'disparity'".
  let changes: [String]
  /// Contradictions that no change of the file mends, likewise.
  let leftOpen: [String]

  /// Writes the copy; nothing is left of it where that fails.
  ///
  /// - Throws: `DatasetError`.
  init(
    of source: SourceFiles, to target: String, overwrite: Bool, _ diagnoses: [SceneDiagnosis],
    _ scenes: [SceneHeader]
  ) throws(DatasetError) {
    path = target
    leftOpen = diagnoses.flatMap { diagnosis in
      diagnosis.findings.filter { $0.verdict == .contradicted && $0.correction == nil }
        .map { Self.line(diagnosis.scene, $0) }
    }
    guard diagnoses.contains(where: { $0.findings.contains { $0.correction != nil } }) else {
      // HDF5 may touch a file that it opens for writing; these bytes stay as they are.
      changes = []
      try DatasetEditor.copy(source.path, to: target, overwrite: overwrite)
      return
    }
    let editor = try DatasetEditor(copying: source.path, to: target, overwrite: overwrite)
    var changes: [String] = []
    for diagnosis in diagnoses {
      guard let scene = scenes.first(where: { $0.name == diagnosis.scene }) else { continue }
      for finding in diagnosis.findings {
        guard let correction = finding.correction else { continue }
        try Self.apply(correction, to: editor, scene)
        changes.append(Self.line(scene.name, finding))
      }
    }
    try source.requireUnchanged()
    try editor.commit()
    self.changes = changes
  }

  /// What was done and what was left, line by line.
  var text: String {
    let head =
      !changes.isEmpty
      ? "\(path): a corrected copy"
      : "\(path): a copy, byte by byte: "
        + (leftOpen.isEmpty ? "nothing to correct" : "nothing that can be corrected")
    let open = leftOpen.isEmpty ? [] : ["Left as they are:"] + leftOpen.map { "- \($0)" }
    return ([head] + changes.map { "- \($0)" } + open).joined(separator: "\n")
  }

  private static func line(_ scene: String, _ finding: Finding) -> String {
    "scenes/\(scene): \(finding.title): \(finding.fix ?? finding.summary)"
  }

  private static func apply(
    _ correction: Correction, to editor: borrowing DatasetEditor, _ header: SceneHeader
  ) throws(DatasetError) {
    let scene = header.name
    let (poses, intrinsics) = ("camera/world_from_camera", "camera/intrinsics")
    switch correction {
    case .attribute(let object, let name, let value):
      try editor.setText(name, of: object, to: value, in: scene)
    case .unit(let object, let factor) where object.hasPrefix("predictions/"):
      // The schema knows no unit of predictions.
      try editor.change(object, in: scene) { $0.map { $0 * factor } }
    case .unit(let object, let factor): try editor.scaleUnit(of: object, by: factor, in: scene)
    case .orientation(let object, let stored): try editor.replaceMaps(object, in: scene, stored.upright)
    case .transposition(let object):
      let side = object == intrinsics ? 3 : 4
      try editor.change(object, in: scene, elements: side * side) { matrix in
        matrix.indices.map { matrix[$0 % side * side + $0 / side] }
      }
    case .poses(let convention, let isInverted):
      try editor.setText("convention", of: poses, to: convention.rawValue, in: scene)
      guard isInverted else { return }
      try editor.change(poses, in: scene) { RigidTransform(rowMajor: $0).inverse.rowMajor }
    case .poseUnit(let factor):
      try editor.change(poses, in: scene) { matrix in
        matrix.indices.map { [3, 7, 11].contains($0) ? matrix[$0] * factor : matrix[$0] }
      }
    case .intrinsics(let reading):
      guard let size = header.intrinsics?.imageSize else { return }
      try editor.change(intrinsics, in: scene, elements: 9) { k in
        let right = reading.corrected(
          CameraIntrinsics(fx: k[0], fy: k[4], cx: k[2], cy: k[5], imageSize: size))
        return [right.fx, k[1], right.cx, k[3], right.fy, right.cy, k[6], k[7], k[8]]
      }
    case .confidence(let stored, let levels):
      let table = Correction.table(stored, levels)
      try editor.change("lidar/confidence", in: scene) {
        $0.map { Double(table[Int(saturating: min(max($0, 0), 255))]) }
      }
    case .origins(let box, let mask):
      for (object, origin) in [("objects/bbox", box), ("objects/mask", mask)] {
        guard let origin else { continue }
        try editor.setText("origin", of: object, to: origin.rawValue, in: scene)
      }
    case .frameOrder:
      guard let times = header.timestampsSeconds else { return }
      try editor.reorderFrames(times.indices.sorted { times[$0] < times[$1] }, in: scene)
    }
  }
}
