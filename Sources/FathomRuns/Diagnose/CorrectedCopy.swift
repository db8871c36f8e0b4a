package import FathomStorage
import FathomPlainText
package import DepthCore
package import DepthDataset
package import DepthDiagnosis

/// A copy of a data set with the corrections that a diagnosis calls for.
public struct CorrectedCopy: Sendable {
  public let path: String
  /// "scenes/kitchen: Disparity or depth: set the attribute kind of relative/values to 'disparity'".
  public let changes: [String]
  /// Contradictions that no change of the file fixes, likewise.
  public let leftOpen: [String]
  /// Corrections that are not certain enough to be made without being named, likewise, with the name that asks for them.
  public let withheld: [String]

  /// Writes the copy; nothing is left of it where that fails.
  package init(
    of source: SourceFiles, to target: String, overwrite: Bool, _ diagnoses: [SceneDiagnosis],
    _ scenes: [SceneHeader], naming names: CorrectionNames = CorrectionNames()
  ) throws(FathomError) {
    path = target
    leftOpen = diagnoses.flatMap { diagnosis in
      diagnosis.findings.filter { $0.verdict.isWrong && $0.correction == nil }
        .map { Self.line(diagnosis.scene, $0) }
    }
    withheld = diagnoses.flatMap { diagnosis in
      diagnosis.findings.filter { $0.correction != nil && $0.verdict == .contradicted && !names.allows($0) }
        .map { "\(Self.line(diagnosis.scene, $0)) (ask for it by \(flag: "fix") \($0.test))" }
    }
    guard names.correct(diagnoses) else {
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
        guard names.allows(finding), let correction = finding.correction else { continue }
        try correction.apply(to: editor, scene)
        changes.append(
          Self.line(scene.name, finding)
            + (correction.changesPixels ? " (changes pixels; if wrong: \(correction.costIfWrong))" : ""))
      }
    }
    try source.requireUnchanged()
    try editor.commit()
    self.changes = changes
  }

  private static func line(_ scene: String, _ finding: Finding) -> String {
    "scenes/\(scene): \(finding.title): \(finding.fix ?? finding.summary)"
  }
}
