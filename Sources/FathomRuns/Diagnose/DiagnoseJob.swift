import FathomRunFolders
import DepthCore
package import DepthDataset
public import DepthDiagnosis
import Foundation
public import FathomStorage

/// Tests every convention of a data set against its data: what `fathom diagnose` does.
public struct DiagnoseJob: Sendable {
  /// The data set, or a recording.
  public var path: String
  public var scenes = SceneChoice.all
  /// Seed of the resamples behind confidences.
  public var seed: UInt64 = 0
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// File of a mapping that says what the path holds; nil for a data set, or a recording of a known format.
  public var mapping: String?
  public init(_ path: String) { self.path = path }

  /// Diagnoses.
  /// - Throws: `FathomError` for what is not a data set, or holds no scene that could be diagnosed; `OptionProblem` where no scene
  ///   matches.
  public func run(_ observe: JobObserver = { _ in }) async throws -> DatasetDiagnosis {
    try await open().diagnosis(observe)
  }

  /// Diagnoses, and writes a copy with every correction that two witnesses or six standard errors call for.
  /// - Parameter names: What may also be corrected from three standard errors on.
  /// - Throws: `FathomError`, also where something stands in the place of the copy and `overwrite` is false.
  public func fix(
    to target: String, naming names: CorrectionNames = CorrectionNames(), overwrite: Bool = false,
    _ observe: JobObserver = { _ in }
  ) async throws -> (diagnosis: DatasetDiagnosis, copy: CorrectedCopy) {
    try checkCopy(to: target, overwrite: overwrite)
    let data = try open()
    let diagnosis = try await data.diagnosis(observe)
    return (diagnosis, try data.correctedCopy(of: diagnosis, to: target, naming: names, overwrite: overwrite))
  }

  /// Whether a corrected copy can be written there.
  /// - Throws: `FathomError` where not.
  package func checkCopy(to target: String, overwrite: Bool) throws(FathomError) {
    try DataSource.requireDataset(path, to: "correct the data set")
    try DatasetEditor.check(target, for: path, mayReplace: overwrite)
  }

  package func open() throws -> OpenDiagnosis { try OpenDiagnosis(self) }
}

/// A diagnosis whose data set is open.
package struct OpenDiagnosis: ~Copyable {
  private let job: DiagnoseJob
  package let reader: any FrameSource

  fileprivate init(_ job: DiagnoseJob) throws {
    self.job = job
    let reader = try DataSource.open(
      job.path, validation: .lenient, external: job.external, mapping: job.mapping,
      threads: MachineLimits.current.cores)
    let errors = reader.issues.filter { $0.severity == .error }
    // Of a file of another format, or none, nothing can be said.
    if let error = errors.first(where: { $0.object == "/" }) ?? (reader.scenes.isEmpty ? errors.first : nil) {
      throw FathomError(error, file: job.path)
    }
    self.reader = reader
  }

  /// - Throws: `FathomError`, also where the file changes meanwhile.
  package func diagnosis(_ observe: JobObserver) async throws -> DatasetDiagnosis {
    let names = try job.scenes.chosen(among: reader.scenes.map(\.name))
    let chosen = reader.scenes.filter { names.contains($0.name) }
    observe(.began(.diagnosing, steps: chosen.count))
    let sources = reader.sources
    let hashing = Task.detached { Result { () throws(FathomError) in try sources.digests() } }
    var diagnoses: [SceneDiagnosis] = []
    try await SceneDiagnoses.diagnose(
      chosen.map { ($0, reader) }, seed: job.seed, jobs: MachineLimits.current.cores
    ) { _, diagnosis in
      diagnoses.append(diagnosis)
      observe(.advanced)
    }
    let input = RunManifest.Input(
      file: URL(fileURLWithPath: job.path).lastPathComponent, try await hashing.value.get())
    try reader.sources.requireUnchanged()
    return DatasetDiagnosis(of: input, seed: job.seed, schema: reader.issues, scenes: diagnoses)
  }

  /// - Throws: `FathomError`, also for a data set that breaks the schema and has nothing to correct.
  package func correctedCopy(
    of diagnosis: DatasetDiagnosis, to target: String, naming names: CorrectionNames, overwrite: Bool
  ) throws(FathomError) -> CorrectedCopy {
    if let broken = diagnosis.schema.first(where: { $0.severity == .error }), !names.correct(diagnosis.scenes)
    {
      throw FathomError(broken, file: job.path)
    }
    try reader.sources.requireUnchanged()
    return try CorrectedCopy(
      of: reader.sources, to: target, overwrite: overwrite, diagnosis.scenes, reader.scenes, naming: names)
  }
}
