import Storage
import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthEvaluation
import DepthReport

/// Asks the data of a run whether they keep to their conventions, as `diagnose` does.
enum RunDiagnosis {
  /// - Parameter jobs: Scenes that are looked at at once.
  /// - Throws: `FathomError` where a file cannot be read.
  static func section(
    of inputs: RunInputs, _ run: EvaluationRun, jobs: Int, progress: () -> Void
  ) async throws(FathomError) -> DiagnosisSection {
    let unreadable = Set(run.unreadable.map(\.name))
    let places = inputs.files.filter { !unreadable.contains($0.label) }.flatMap { file in
      file.scenes.map { (scene: $0, source: file.source) }
    }
    let seed = run.plan.seed
    var scenes: [(name: String, diagnosis: SceneDiagnosis)] = []
    try await FrameStream(places.indices, jobs: jobs).run { (index) throws(FathomError) in
      try SceneSample(places[index].scene.header, from: places[index].source)
    } work: { sample in
      SceneDiagnosis(sample, seed: seed)
    } take: { index, diagnosis in
      scenes.append((places[index].scene.name, diagnosis))
      progress()
    }
    return DiagnosisSection(scenes)
  }
}
