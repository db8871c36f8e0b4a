package import Storage
import DepthCore
package import DepthDataset
package import DepthEvaluation
import DepthFusion
package import DepthReport
import Foundation

/// The data sets of a job: each is opened, validated and hashed once, before work starts or beside it.
package struct RunInputs {
  /// A usable data set and its scenes that the job takes.
  package final class File {
    let path: String
    /// Name in the run: without folder and extension, numbered where two files share it.
    let label: String
    /// Its scenes under their names in the run.
    package fileprivate(set) var scenes: [SceneContext] = []
    /// Open as long as the job.
    let source: any FrameSource
    private let hashing: Task<Result<SourceFiles.Digests, FathomError>, Never>

    fileprivate init(_ source: any FrameSource, label: String) {
      self.label = label
      path = source.path
      let sources = source.sources
      hashing = Task.detached { Result { () throws(FathomError) in try sources.digests() } }
      self.source = source
    }

    /// Of all its bytes; they are taken while others work.
    package var digests: SourceFiles.Digests {
      get async throws(FathomError) { try await hashing.value.get() }
    }
  }

  package let files: [File]
  /// Data sets left out because they cannot be read.
  let faults: [UnreadableFile]
  /// Those of `faults` that could be hashed, by label.
  private let faultPaths: [String: String]
  /// Name of the job: the files' labels.
  package let name: String
  package let selection: DataSelection

  /// - Parameters:
  ///   - keepsGoing: Whether a data set that cannot be read is left out.
  ///   - rules: What every scene must fit.
  /// - Throws: `FathomError` for the first unusable file, unless `keepsGoing`; `OptionProblem` where a file is given
  ///   twice or no scene matches.
  package init(
    _ selection: DataSelection, keepsGoing: Bool = false, rules: EvaluationProtocol, _ observe: JobObserver
  ) throws {
    let labels = try selection.labels
    self.selection = selection
    name = labels.joined(separator: "+")
    var opened: [File] = []
    var (faults, faultPaths) = ([UnreadableFile](), [String: String]())
    func read(_ path: String, _ label: String, _ body: () throws(FathomError) -> Void) throws(FathomError) {
      do throws(FathomError) {
        try body()
      } catch {
        guard keepsGoing else { throw error }
        observe(.noticed(.unreadable(error)))
        faults.append(UnreadableFile(name: label, reason: Self.portable(error.description, path)))
        faultPaths[label] = path
      }
    }
    for (path, label) in zip(selection.paths, labels) {
      try read(path, label) { () throws(FathomError) in
        let source = try Self.open(path, selection, observe)
        for issue in source.issues { observe(.noticed(.schema(path: path, issue))) }
        opened.append(File(source, label: label))
      }
    }
    // A name with a comma may lie in any of the files.
    let names = opened.flatMap { $0.source.scenes.map(\.name) }
    let chosen = opened.isEmpty ? [] : try selection.scenes.chosen(among: names.firstAppearances)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    var usable: [File] = []
    for file in opened {
      let scenes = file.source.scenes.filter { chosen.contains($0.name) }
      try read(file.path, file.label) { () throws(FathomError) in
        try Self.check(scenes, rules, file.path)
        file.scenes = scenes.map { scene in
          let isShared = (counts[scene.name] ?? 0) > 1
          return SceneContext(header: scene, name: isShared ? "\(file.label)/\(scene.name)" : scene.name)
        }
        usable.append(file)
      }
    }
    files = usable
    self.faults = faults
    self.faultPaths = faultPaths
  }

  /// With the truth that was asked for.
  private static func open(
    _ path: String, _ selection: DataSelection, _ observe: JobObserver
  ) throws(FathomError) -> any FrameSource {
    let source = try DataSource.open(path, allowsExternal: selection.allowsExternal)
    guard selection.truth == .multiview else { return source }
    let multiview = MultiviewSource(source)
    for (scene, failure) in multiview.refusals {
      observe(.noticed(.withoutReference(scene: scene, failure)))
    }
    return multiview
  }

  /// To be asked when the work is done: what was read must be what the digests say.
  ///
  /// - Throws: `FathomError` where a file has changed since.
  package func requireUnchanged() throws(FathomError) {
    for file in files { try file.source.sources.requireUnchanged() }
  }

  /// Whether two data sets hold the same bytes.
  var haveEqualData: Bool {
    get async throws(FathomError) {
      var digests: Set<SourceFiles.Digests> = []
      for file in files { digests.insert(try await file.digests) }
      return digests.count < files.count
    }
  }

  /// Every scene must be one that the protocol is defined on.
  private static func check(
    _ scenes: [SceneHeader], _ rules: EvaluationProtocol, _ path: String
  ) throws(FathomError) {
    for scene in scenes {
      guard let objection = rules.objection(to: scene) else { continue }
      throw FathomError(
        .badData, attempted: "score the data set", file: path, object: "scenes/\(scene.name)/truth/depth",
        reason: objection, advice: "choose another --protocol, or the scenes that fit with --scenes")
    }
  }

  /// An error's text without the folder of its file, which may differ between equal runs.
  static func portable(_ text: String, _ path: String) -> String {
    text.replacing(path, with: URL(fileURLWithPath: path).lastPathComponent)
  }

  /// The inputs as manifests list them.
  package func manifest(
    _ unreadable: [UnreadableFile] = []
  ) async throws(FathomError) -> [RunManifest.Input] {
    let reasons = Dictionary(unreadable.map { ($0.name, $0.reason) }) { first, _ in first }
    var inputs: [RunManifest.Input] = []
    for file in files {
      var input = RunManifest.Input(
        file: URL(fileURLWithPath: file.path).lastPathComponent, try await file.digests,
        unreadable: reasons[file.label])
      input.protections = file.source.protections
      inputs.append(input)
    }
    return inputs
      + faults.map { fault in
        let path = faultPaths[fault.name] ?? fault.name
        return RunManifest.Input(
          file: URL(fileURLWithPath: path).lastPathComponent,
          sha256: (try? FileDigest.sha256(ofFile: path)) ?? "", unreadable: fault.reason)
      }
  }

  /// Digest of the data that a scene lies in, by its name in the run.
  package var dataDigests: [String: String] {
    get async throws(FathomError) {
      var digests: [String: String] = [:]
      for file in files {
        let whole = try await file.digests.whole
        for scene in file.scenes { digests[scene.name] = whole }
      }
      return digests
    }
  }
}

extension RunManifest.Input {
  /// A data set with the files that it leads to.
  init(file: String, _ digests: SourceFiles.Digests, unreadable: String? = nil) {
    self.init(file: file, sha256: digests.sha256, unreadable: unreadable)
    external =
      digests.external.isEmpty ? nil : digests.external.map { External(file: $0.name, sha256: $0.sha256) }
  }
}
