import DepthDataset
import DepthDiagnosis
import DepthEvaluation
import DepthReport

/// Asks the data of a run whether they keep to their conventions, as `diagnose` does.
enum RunDiagnosis {
  /// - Throws: `DatasetError` where a file cannot be read.
  static func section(
    of inputs: RunInputs, leavingOut unreadable: [String], seed: UInt64
  ) throws(DatasetError) -> DiagnosisSection {
    var scenes: [(name: String, diagnosis: SceneDiagnosis)] = []
    for file in inputs.files where !unreadable.contains(file.label) {
      let reader = try file.reader()
      for scene in file.scenes {
        scenes.append((scene.name, SceneDiagnosis(try SceneSample(scene.header, from: reader), seed: seed)))
      }
    }
    return DiagnosisSection(scenes)
  }
}
