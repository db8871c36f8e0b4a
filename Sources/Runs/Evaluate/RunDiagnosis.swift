import Storage
import DepthDataset
import DepthDiagnosis
import DepthEvaluation
import DepthReport

/// Asks the data of a run whether they keep to their conventions, as `diagnose` does.
enum RunDiagnosis {
  /// - Throws: `FathomError` where a file cannot be read.
  static func section(of inputs: RunInputs, _ run: EvaluationRun) throws(FathomError) -> DiagnosisSection {
    let unreadable = Set(run.unreadable.map(\.name))
    var scenes: [(name: String, diagnosis: SceneDiagnosis)] = []
    for file in inputs.files where !unreadable.contains(file.label) {
      for scene in file.scenes {
        let sample = try SceneSample(scene.header, from: file.source)
        scenes.append((scene.name, SceneDiagnosis(sample, seed: run.plan.seed)))
      }
    }
    return DiagnosisSection(scenes)
  }
}
