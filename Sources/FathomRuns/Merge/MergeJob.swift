package import FathomRunFolders
import FathomPlainText
import FathomTables
package import DepthEvaluation
import DepthFusion
import DepthReport
import DepthCore
import DepthDataset
import Foundation
import FathomLinearAlgebra
import FathomStorage

/// What `shard.json` says of a part of an evaluation.
package struct ShardManifest: Codable {
  private var tool = "fathom"
  private let version: String
  let part: ScenePart
  let task: EvaluationTask
  /// Where the data sets were, in the order of the task, and the mapping.
  let paths: [String]
  let mapping: String?
  /// The BLAS and LAPACK that it was computed with.
  let linearAlgebra: String

  package init(_ evaluation: OpenEvaluation, part: ScenePart) {
    (self.part, task) = (part, evaluation.task)
    version = Version.current
    func place(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    (paths, mapping) = (evaluation.paths.map(place), evaluation.mapping.map(place))
    linearAlgebra = LinearAlgebraLibrary.description
  }

  package var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

/// Makes one run of the parts of an evaluation: what `fathom merge` does.
public struct MergeJob: Sendable {
  /// Folders of all parts, in any order.
  public var folders: [String]
  /// Where the data sets are now, for the pictures; nil where they were.
  public var inputs: [String]?
  /// How many of the worst, of the median and of the best frames are drawn, each; 0 for none.
  public var galleryFrames = GallerySelection.standardCount
  /// Frames that are worked on at once.
  public var jobs = MachineLimits.current.cores

  public init(_ folders: [String]) { self.folders = folders }

  /// Reads the parts and makes statistics and pictures of them, as the undivided evaluation does.
  ///
  /// - Parameter observe: Told what happens, on the calling task.
  /// - Throws: `FathomError` where a part is missing, given twice, or of another evaluation.
  public func run(_ observe: JobObserver = { _ in }) async throws -> EvaluateResult {
    try await open().run(observe)
  }

  /// Reads what the parts say of themselves, and holds them against each other.
  package func open() throws -> OpenMerge { try OpenMerge(self) }
}

/// Parts that belong together: all of one evaluation, or of several with the same options and other data.
package struct OpenMerge {
  private struct Shard {
    let folder: StoredFolder
    let manifest: ShardManifest
    let store: SceneStore
  }

  /// All shards of one evaluation, by number.
  private struct Evaluation {
    let shards: [Shard]

    var manifest: ShardManifest { shards[0].manifest }

    func store(_ holds: (ScenePart) -> Bool) -> SceneStore {
      (shards.first { holds($0.manifest.part) } ?? shards[0]).store
    }

    /// The data sets, with their places at the time.
    var inputs: [(stored: StoredInput, path: String)] {
      zip(manifest.task.inputs, manifest.paths).enumerated().map { position, input in
        let (outline, path) = input
        let stored = StoredInput(
          outline: outline, position: position, keeper: store { $0.contains(outline.label) },
          stores: outline.scenes.map { scene in store { $0.contains(scene) } })
        return (stored, path)
      }
    }
  }

  private let job: MergeJob
  private let task: EvaluationTask
  private let inputs: [(stored: StoredInput, path: String)]
  /// Names of the scenes in the run; nil for those that they had.
  private let names: [[String]]?
  /// Where the mapping was.
  private let mapping: String?
  /// What the shards were computed with.
  private let linearAlgebra: [String]

  package var name: String { task.name }

  fileprivate init(_ job: MergeJob) throws {
    self.job = job
    let given = try job.folders.map(Self.shard)
    guard let first = given.first else { throw OptionProblem(DataSelection.option, "no shard is given") }
    let reference = first.manifest.task
    mapping = first.manifest.mapping
    linearAlgebra = given.map(\.manifest.linearAlgebra).firstAppearances
    for shard in given.dropFirst() {
      let task = shard.manifest.task
      guard let difference = try task.over(reference.inputs, name: reference.name).difference(from: reference)
      else { continue }
      throw Self.refusal(
        shard, "it has another \(difference) than \(first.folder.path)", "merge the shards of one evaluation")
    }
    let lists = given.map(\.manifest.task.inputs).firstAppearances
    let evaluations = try lists.map { list in
      do throws(FathomError) {
        return try Self.evaluation(given.filter { $0.manifest.task.inputs == list })
      } catch {
        guard lists.count > 1, let other = given.first(where: { $0.manifest.task.inputs != reference.inputs })
        else { throw error }
        // Complete evaluations can be joined; here is none, so that a shard is the wrong one.
        throw Self.refusal(
          other, "it has another list of inputs than \(first.folder.path), and \(error.reason)",
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

  /// - Parameter given: Shards of one list of inputs.
  /// - Throws: `FathomError` where they are not each one of it, once.
  private static func evaluation(_ given: [Shard]) throws(FathomError) -> Evaluation {
    let first = given[0]
    let expected = first.manifest.part.count
    for shard in given where shard.manifest.part.count != expected {
      throw refusal(
        shard,
        "it is one of \(shard.manifest.part.count) shards, and \(first.folder.path) is one of \(expected)",
        "merge the shards of one division")
    }
    let byNumber = Dictionary(grouping: given) { $0.manifest.part.number }
    for (number, same) in byNumber.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      throw refusal(
        same[1], "it is shard \(number) of \(expected), and so is \(same[0].folder.path)",
        "give each shard once")
    }
    let missing = (1...expected).filter { byNumber[$0] == nil }.map { "\($0)/\(expected)" }
    guard missing.isEmpty else {
      throw FathomError(
        .badData, attempted: "merge", place: first.manifest.task.name,
        reason: "shard \(missing.firstNames(atMost: 12)) is missing",
        advice: "evaluate it with \(option: "shard") and give its folder, too")
    }
    return Evaluation(shards: (1...expected).compactMap { byNumber[$0]?.first })
  }

  private static func shard(_ path: String) throws -> Shard {
    let folder = try StoredFolder(path, kinds: [.shard], attempted: "merge")
    try folder.verify()
    guard folder.version == Version.current else {
      throw FathomError(
        .badData, attempted: "merge", place: folder.path,
        reason: "fathom \(folder.version) wrote it, and this is \(Version.current)",
        advice: "merge with that version, or evaluate the shard again with this one")
    }
    let manifest: ShardManifest
    do { manifest = try CanonicalJSON.value(from: CanonicalJSON.text(folder.manifest)) } catch {
      throw folder.damaged(FolderKind.shard.marker, "it is not what it should be")
    }
    return Shard(folder: folder, manifest: manifest, store: SceneStore(folder))
  }

  private static func refusal(_ shard: Shard, _ reason: String, _ advice: String) -> FathomError {
    FathomError(.badData, attempted: "merge", place: shard.folder.path, reason: reason, advice: advice)
  }

  /// - Parameter check: Holds what was found against what can be.
  package func run(
    check: (EvaluationRun) -> CheckedRun = { CheckedRun($0) }, _ observe: JobObserver
  ) async throws -> EvaluateResult {
    observe(.began(.merging, steps: 0))
    let material = try EvaluationMaterial(task, from: inputs.map(\.stored), names: names)
    var result = try await material.result(jobs: job.jobs, check: check) { run, ranking in
      guard job.galleryFrames > 0 else { return (nil, nil) }
      observe(.began(.drawing, steps: 0))
      var opened: [Int: any FrameSource] = [:]
      var absence: FathomError?
      let gallery = RunGallery(run: run, ranking: ranking, count: job.galleryFrames) {
        (scene) throws(FathomError) in
        guard let position = material.positions[scene] else { return nil }
        if let known = opened[position] { return known }
        guard let source = try self.source(of: position, digest: material.data[scene]) else {
          let error = self.absence(of: position)
          absence = error
          throw error
        }
        opened[position] = source
        return source
      }
      do {
        return (try await gallery.paint(jobs: job.jobs), nil)
      } catch let error as FathomError where error == absence {
        observe(.noticed(.withoutGallery(error)))
        return (nil, "the data were not there when the shards were merged")
      }
    } _: {
      observe($0)
    }
    result.manifest.linearAlgebra = linearAlgebra
    result.data = RunCommands.Data(
      name: task.name, paths: inputs.map(\.path),
      positions: material.positions, mapping: mapping, external: task.external)
    return result
  }

  /// A data set of the task, reopened; nil where it is not there, or is another one.
  private func source(of position: Int, digest: String?) throws(FathomError) -> (any FrameSource)? {
    let file = task.inputs[position].file
    let named = job.inputs?.filter { URL(fileURLWithPath: $0).lastPathComponent == file } ?? []
    // Of files of one name, the one with these bytes.
    for path in job.inputs == nil ? [inputs[position].path] : named
    where FileManager.default.fileExists(atPath: path) {
      let source = try DataSource.open(
        path, external: task.external, mapping: mapping)
      guard try source.sources.digests().whole == digest else { continue }
      return task.truth == CalibrationTruth.multiview.rawValue ? MultiviewSource(source) : source
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
