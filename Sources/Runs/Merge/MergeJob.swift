package import DepthEvaluation
import DepthFusion
package import DepthReport
import DepthCore
import DepthDataset
import Foundation
public import Storage

/// What `shard.json` says of a part of an evaluation.
package struct ShardManifest: Codable {
  private var tool = "fathom"
  private let version: String
  let part: ScenePart
  let task: EvaluationTask
  /// Where the data sets were, in the order of the task.
  let paths: [String]

  package init(_ evaluation: OpenEvaluation, part: ScenePart) {
    (self.part, task) = (part, evaluation.task)
    version = Version.current
    paths = evaluation.paths.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
  }

  package var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}

/// Makes one run of the parts of an evaluation: what `fathom merge` does.
public struct MergeJob: Sendable {
  /// Folders of all parts, in any order.
  public var folders: [String]
  /// Where the data sets are now, for the pictures; nil where they were.
  public var inputs: [String]?
  /// Whether the worst, the median and the best frames are drawn.
  public var paintsGallery = true
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

/// Parts that belong together.
package struct OpenMerge {
  private struct Shard {
    let folder: StoredFolder
    let manifest: ShardManifest
    let store: SceneStore
  }

  private let job: MergeJob
  private let task: EvaluationTask
  /// By number.
  private let shards: [Shard]

  package var name: String { task.name }

  fileprivate init(_ job: MergeJob) throws {
    self.job = job
    let given = try job.folders.map(Self.shard)
    guard let first = given.first else { throw OptionProblem(DataSelection.option, "no shard is given") }
    for shard in given.dropFirst() {
      let reference = first.folder.path
      if let difference = try shard.manifest.task.difference(from: first.manifest.task) {
        throw Self.refusal(
          shard, "it has another \(difference) than \(reference)", "merge the shards of one evaluation")
      }
      let (count, expected) = (shard.manifest.part.count, first.manifest.part.count)
      guard count == expected else {
        throw Self.refusal(
          shard, "it is one of \(count) shards, and \(reference) is one of \(expected)",
          "merge the shards of one division")
      }
    }
    let byNumber = Dictionary(grouping: given) { $0.manifest.part.number }
    for (number, same) in byNumber.sorted(by: { $0.key < $1.key }) where same.count > 1 {
      throw Self.refusal(
        same[1], "it is shard \(number) of \(first.manifest.part.count), and so is \(same[0].folder.path)",
        "give each shard once")
    }
    let parts = 1...first.manifest.part.count
    let missing = parts.filter { byNumber[$0] == nil }.map { "\($0)/\(first.manifest.part.count)" }
    guard missing.isEmpty else {
      throw FathomError(
        .badData, attempted: "merge", place: first.manifest.task.name,
        reason: "shard \(missing.firstNames(atMost: 12)) is missing",
        advice: "evaluate it with --shard and give its folder, too")
    }
    shards = parts.compactMap { byNumber[$0]?.first }
    task = first.manifest.task
  }

  private static func shard(_ path: String) throws -> Shard {
    let folder = try StoredFolder(path, kinds: [.shard], attempted: "merge")
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
    check: (EvaluationRun) -> CheckedRun = CheckedRun.init, _ observe: JobObserver
  ) async throws -> EvaluateResult {
    observe(.began(.merging, steps: 0))
    func store(_ holds: (ScenePart) -> Bool) -> SceneStore {
      (shards.first { holds($0.manifest.part) } ?? shards[0]).store
    }
    let material = try EvaluationMaterial(task) { input in
      store { $0.contains(input.label) }
    } scene: { scene in
      store { $0.contains(scene) }
    }
    return try await material.result(check: check) { run, ranking in
      guard job.paintsGallery else { return (nil, nil) }
      observe(.began(.drawing, steps: 0))
      var opened: [Int: any FrameSource] = [:]
      let gallery = RunGallery(run: run, ranking: ranking) { (scene) throws(FathomError) in
        guard let position = material.positions[scene] else { return nil }
        if let known = opened[position] { return known }
        let source = try self.source(of: position, digest: material.data[scene])
        opened[position] = source
        return source
      }
      do {
        return (try await gallery.paint(jobs: job.jobs), nil)
      } catch let error as FathomError {
        observe(.noticed(.withoutGallery(error.description)))
        return (nil, "the data were not there when the shards were merged")
      }
    } _: {
      observe($0)
    }
  }

  /// A data set of the task, reopened.
  ///
  /// - Throws: `FathomError` where it is not there, or is another one.
  private func source(of position: Int, digest: String?) throws(FathomError) -> any FrameSource {
    let recorded = shards[0].manifest.paths
    let file = task.inputs[position].file
    let named = job.inputs?.filter { URL(fileURLWithPath: $0).lastPathComponent == file } ?? []
    // Of files of one name, the one with these bytes.
    for path in job.inputs == nil ? [recorded[position]] : named {
      let source = try DataSource.open(path, allowsExternal: task.allowsExternal)
      guard try source.sources.digests().whole == digest else { continue }
      return task.truth == CalibrationTruth.multiview.rawValue ? MultiviewSource(source) : source
    }
    throw FathomError(
      .noInput, attempted: "draw frames of", place: file,
      reason: "it is not there with the bytes that were evaluated",
      advice: "name the inputs with --inputs-from, or add --no-gallery")
  }
}
