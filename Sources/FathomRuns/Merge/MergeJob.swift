package import FathomRunFolders
import FathomPlainText
import DepthImport
import DepthCore
import DepthDataset
package import DepthVerdicts
import Foundation
import FathomStorage

/// Makes one result of the shards of an evaluation, a search or a calibration: what `fathom merge` does.
public struct MergeJob: Sendable {
  /// Folders of all shards, in any order.
  public var folders: [String]
  /// Where the data sets of an evaluation are now, for the pictures; nil where they were.
  public var inputs: [String]?
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores
  public init(_ folders: [String]) { self.folders = folders }

  /// Reads the parts and makes statistics of them, as the undivided evaluation does.
  /// - Throws: `FathomError` where a part is missing, given twice, or of another evaluation.
  public func run(_ observe: JobObserver = { _ in }) async throws -> EvaluateResult {
    try await open().run(observe)
  }

  /// Reads what the parts say of themselves, and compares them with each other.
  package func open() throws -> OpenMerge { try OpenMerge(self) }
}

/// Parts that belong together: all of one evaluation, or of several with the same options and other data.
package struct OpenMerge {
  /// All shards of one evaluation, by number.
  private struct Evaluation {
    let shards: [Shard<EvaluationTask>]
    var manifest: ShardManifest<EvaluationTask> { shards[0].manifest }

    private func store(_ number: Int) -> SceneStore { SceneStore(WorkFolder(shards[number - 1].folder)) }

    /// The data sets, with their places at the time.
    var inputs: [(stored: StoredInput, path: String)] {
      let division = SceneDivision(manifest.task.inputs, count: shards.count)
      return zip(manifest.task.inputs, manifest.paths).enumerated().map { position, input in
        let (outline, path) = input
        let stored = StoredInput(
          outline: outline, position: position, keeper: store(division.keeper(ofInput: position)),
          stores: outline.scenes.indices.map { store(division.number(input: position, scene: $0)) })
        return (stored, path)
      }
    }
  }

  private let job: MergeJob, task: EvaluationTask
  private let inputs: [(stored: StoredInput, path: String)]
  /// Names of the scenes in the run; nil for those that they had.
  private let names: [[String]]?
  /// Where the mapping was, or the maps in folders, and what the data may lead to.
  private let mapping: String?
  private let maps: MapSetRequest?, external: ExternalFolders
  private let linearAlgebra: [String]  // What the shards were computed with.
  package var name: String { task.name }

  fileprivate init(_ job: MergeJob) throws {
    self.job = job
    let given = try Shard<EvaluationTask>.read(job.folders)
    let first = given[0]
    let reference = first.manifest.task
    (mapping, maps) = (first.manifest.mapping, first.manifest.maps)
    external = ExternalFolders(
      includesOwn: reference.external.includesOwn, named: first.manifest.external ?? [])
    linearAlgebra = given.map(\.manifest.linearAlgebra).firstAppearances
    for shard in given.dropFirst() {
      let task = shard.manifest.task
      guard let difference = try task.over(reference.inputs, name: reference.name).difference(from: reference)
      else { continue }
      throw shard.refusal(
        "it has another \(difference) than \(first.folder.path)", "merge the shards of one evaluation")
    }
    let lists = given.map(\.manifest.task.inputs).firstAppearances
    let evaluations = try lists.map { list in
      do throws(FathomError) {
        return Evaluation(shards: try Shard.division(given.filter { $0.manifest.task.inputs == list }))
      } catch {
        guard lists.count > 1, let other = given.first(where: { $0.manifest.task.inputs != reference.inputs })
        else { throw error }
        // Complete evaluations can be joined; here is none, so that a shard is the wrong one.
        throw other.refusal(
          "it has another list of inputs than \(first.folder.path), and \(error.reason)",
          "merge the shards of one evaluation, or all shards of each")
      }
    }
    guard evaluations.count > 1 else {
      (task, names, inputs) = (reference, nil, evaluations.flatMap(\.inputs))
      return
    }
    let all = evaluations.flatMap(\.inputs)
    let joined = all.filter { $0.stored.outline.fault == nil } + all.filter { $0.stored.outline.fault != nil }
    let outlines = Self.labelled(joined.map(\.stored.outline))
    let counts = Dictionary(outlines.flatMap { $0.scenes.map { ($0.name, 1) } }, uniquingKeysWith: +)
    names = outlines.map { input in
      input.scenes.map { (counts[$0.name] ?? 0) > 1 ? "\(input.label)/\($0.name)" : $0.name }
    }
    inputs = joined
    task = reference.over(outlines, name: DataSelection.name(ofLabels: outlines.map(\.label)))
  }

  /// Numbers the labels of files of one name again.
  private static func labelled(_ outlines: [InputOutline]) -> [InputOutline] {
    let labels = DataSelection.labels(ofFiles: outlines.map(\.file))
    return zip(outlines, labels).map { outline, label in
      var outline = outline
      outline.label = label
      return outline
    }
  }

  /// - Parameter check: Rejects impossible values.
  package func run(
    check: (EvaluationRun) -> CheckedRun = { CheckedRun($0) }, _ observe: JobObserver
  ) async throws -> EvaluateResult {
    observe(.began(.merging, steps: 0))
    let material = try EvaluationMaterial(task, from: inputs.map(\.stored), names: names)
    var result = try material.result(jobs: job.jobs, check: check, observe)
    result.manifest.linearAlgebra = linearAlgebra
    result.data = RunData(
      name: task.name, paths: inputs.map(\.path), positions: material.positions, mapping: mapping,
      external: task.external, isMultiview: task.truth == .multiview)
    result.data.maps = maps
    var opened: [Int: any FrameSource] = [:]
    result.frames = RunFrames { (scene) throws(FathomError) in
      guard let position = material.positions[scene] else { return nil }
      if let known = opened[position] { return .open(known) }
      guard let source = try self.source(of: position, digest: material.data[scene]) else {
        return .absent(self.absence(of: position))
      }
      opened[position] = source
      return .open(source)
    }
    return result
  }

  /// A data set of the task, reopened; nil where it is not there, or is another one.
  private func source(of position: Int, digest: String?) throws(FathomError) -> (any FrameSource)? {
    let file = task.inputs[position].file
    let named = job.inputs?.filter { URL(fileURLWithPath: $0).lastPathComponent == file } ?? []
    // Of files of one name, the one with these bytes.
    let paths = job.inputs == nil ? [inputs[position].path] : named
    for input in maps.map({ [DataInput.maps($0)] }) ?? paths.map(DataInput.path)
    where FileManager.default.fileExists(atPath: input.path) {
      let source = try task.truth.open(input, external: external, mapping: mapping).source
      if try source.sources.digests().whole == digest { return source }
    }
    return nil
  }

  private func absence(of position: Int) -> FathomError {
    FathomError(
      .noInput, attempted: "draw frames of", place: task.inputs[position].file,
      reason: "it is not there with the bytes that were evaluated",
      advice: "name the inputs with \(option: "inputs-from"), or add \(option: "no-gallery")")
  }
}
