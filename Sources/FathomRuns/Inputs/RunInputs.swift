package import FathomRunFolders
import FathomPlainText
package import FathomStorage
import DepthCore
package import DepthDataset
package import DepthEvaluation
import DepthMapSets
package import DepthVerdicts
import Foundation

/// The data sets of a job: each is opened, validated and hashed once, before work starts or beside it.
package struct RunInputs {
  /// A usable data set and its scenes that the job takes.
  package final class File {
    let path: String
    let label: String  // Name in the run: without folder and extension, numbered where two files share it.
    package let scenes: [SceneContext]  // Its scenes under their names in the run.
    package let source: any FrameSource  // Open as long as the job.
    let position: Int  // Position of its outline.
    private lazy var hashing: Task<Result<SourceFiles.Digests, FathomError>, Never> = {
      let sources = source.sources
      return Task.detached { Result { () throws(FathomError) in try sources.digests() } }
    }()

    fileprivate init(_ source: any FrameSource, label: String, position: Int, scenes: [SceneContext]) {
      (self.label, self.source, self.position, self.scenes) = (label, source, position, scenes)
      path = source.path
    }

    /// Begins to read the file for its digests, in parallel with other work.
    func beginHashing() { _ = hashing }

    /// Of all its bytes; they are taken while others work.
    package var digests: SourceFiles.Digests {
      get async throws(FathomError) { try await hashing.value.get() }
    }
  }

  package let files: [File]
  let faults: [UnreadableFile]  // Data sets skipped because they cannot be read.
  private let faultPaths: [String: String]  // Those of `faults` that could be hashed, by label.
  package let name: String  // Name of the job: the files' labels.
  package let selection: DataSelection
  /// What the headers say of all data sets, those of other parts included.
  package let outlines: [InputOutline]
  let outlinePaths: [String]  // Where they are, as they were named.
  package let dropped: [DroppedParts]  // What is skipped of recordings.
  package let allScenes: [SceneContext]  // The scenes of all data sets, in order.

  /// - Parameter keepsGoing: Whether a data set that cannot be read is skipped, unless the machine is at fault.
  /// - Parameter part: Which scenes are worked on; data sets without any of them are closed again. nil for all.
  /// - Parameter readsFrames: False where headers are enough: every data set is closed again before the next.
  /// - Parameter hashesAhead: Whether all data sets are read for their digests at once, beside the work.
  /// - Parameter rules: What every scene must fit.
  /// - Throws: `FathomError` for the first unusable file, unless `keepsGoing`, and where the machine fails; `OptionProblem` where a file is given
  ///   twice or no scene matches.
  package init(
    _ selection: DataSelection, keepsGoing: Bool = false, part: ScenePart? = nil, readsFrames: Bool = true,
    hashesAhead: Bool = true, rules: EvaluationProtocol, _ observe: JobObserver
  ) throws {
    let labels = try selection.labels
    self.selection = selection
    name = try selection.name
    struct Opened {
      let input: DataInput, label: String, scenes: [SceneHeader]
      /// nil where it is not known yet whether the part needs it: an open archive takes room on the disk.
      let source: (any FrameSource)?
      let warnings: [String]
      var path: String { input.path }
    }
    var opened: [Opened] = []
    var dropped: [DroppedParts] = []
    var (faults, faultPaths) = ([UnreadableFile](), [String: String]())
    func read(_ path: String, _ label: String, _ body: () throws(FathomError) -> Void) throws(FathomError) {
      do throws(FathomError) { try body() } catch {
        guard keepsGoing, error.kind.blamesInput else { throw error }
        observe(.noticed(.unreadable(error)))
        faults.append(UnreadableFile(name: label, reason: Self.portable(error.onCommandLine, path)))
        faultPaths[label] = path
      }
    }
    for (input, label) in zip(selection.inputs, labels) {
      let path = input.path
      try read(path, label) { () throws(FathomError) in
        let (stored, refusals) = try selection.truth.open(
          input, external: selection.external, mapping: selection.mapping)
        for (scene, failure) in refusals {
          observe(.noticed(.withoutReference(scene: scene, failure)))
        }
        let range = rules.minDepth...(rules.maxDepth ?? .infinity)
        // What is said of maps before they are scaled is not about those that are scored.
        let issues =
          try ((stored as? MapSetSource)?.requireTruth(within: range) ?? [])
          + (selection.adjustment == nil ? stored.issues : [])
        for issue in issues {
          observe(.noticed(.schema(path: stored is MapSetSource ? issue.object : path, issue)))
        }
        let source = try selection.adjusted(stored)
        for parts in DroppedParts.of(source, path, mapping: selection.mapping) {
          observe(.noticed(.dropped(parts)))
          dropped.append(parts)
        }
        opened.append(
          Opened(
            input: input, label: label, scenes: source.scenes,
            source: readsFrames && (part == nil || selection.inputs.count == 1) ? source : nil,
            warnings: issues.filter { $0.severity == .warning }
              .map { "\($0.problem); \($0.advice.onCommandLine)" }))
      }
    }
    // A name with a comma may lie in any of the files.
    let names = opened.flatMap { $0.scenes.map(\.name) }
    let chosen = opened.isEmpty ? [] : try selection.scenes.chosen(among: names.firstAppearances)
    let counts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
    var usableData: [(Opened, [SceneContext])] = []
    var (known, usablePaths) = ([SceneContext](), [String]())
    var outlines: [InputOutline] = []
    for data in opened {
      let scenes = data.scenes.filter { chosen.contains($0.name) }
      try read(data.path, data.label) { () throws(FathomError) in
        try Self.check(scenes, rules, data.path)
        let contexts = scenes.map { scene in
          let isShared = (counts[scene.name] ?? 0) > 1
          return SceneContext(header: scene, name: isShared ? "\(data.label)/\(scene.name)" : scene.name)
        }
        known += contexts
        usablePaths.append(data.path)
        usableData.append((data, contexts))
        outlines.append(
          InputOutline(
            data.path, label: data.label,
            scenes: scenes.map { SceneOutline($0, chosen: selection.range(of: $0).count) },
            warnings: data.warnings))
      }
    }
    let division = part.map { SceneDivision(outlines, count: $0.count) }
    var usable: [File] = []
    for (position, (data, contexts)) in usableData.enumerated() where readsFrames {
      var scenes = contexts
      if let part, let division {
        scenes = contexts.enumerated().filter {
          division.number(input: position, scene: $0.offset) == part.number
        }.map(\.element)
        guard !scenes.isEmpty || division.keeper(ofInput: position) == part.number else { continue }
      }
      let source = try data.source ?? selection.reopened(data.input, with: data.scenes)
      usable.append(File(source, label: data.label, position: position, scenes: scenes))
    }
    if hashesAhead { for file in usable { file.beginHashing() } }
    outlinePaths = usablePaths + faults.map { faultPaths[$0.name] ?? $0.name }
    for fault in faults {
      outlines.append(
        InputOutline(faultPaths[fault.name] ?? fault.name, label: fault.name, fault: fault.reason))
    }
    files = usable
    allScenes = known
    self.outlines = outlines
    (self.faults, self.dropped) = (faults, dropped)
    self.faultPaths = faultPaths
  }

  /// What kept the processes that read the files from doing anything else: "limits Landlock seccomp". Empty where this
  /// process read them.
  package var protections: [String] {
    files.compactMap { $0.source.protections?.joined(separator: " ") }.firstAppearances
  }

  /// To be asked when the work is done: what was read must be what the digests say.
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
        reason: "\(objection)",
        advice: "choose another \(option: "protocol"), or the scenes that fit with \(option: "scenes")")
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
      var input = try await file.manifest(unreadable: reasons[file.label])
      if let name = selection.mappingName,
        let index = input.external?.firstIndex(where: { $0.file == selection.mapping })
      {
        input.external?[index].file = name
      }
      inputs.append(input)
    }
    return inputs + faults.map { manifest(of: $0) }
  }

  /// A data set that cannot be read as manifests list it.
  func manifest(of fault: UnreadableFile) -> RunManifest.Input {
    let path = faultPaths[fault.name] ?? fault.name
    return RunManifest.Input(
      file: URL(fileURLWithPath: path).lastPathComponent,
      sha256: (try? FileDigest.sha256(ofFile: path)) ?? "", unreadable: fault.reason)
  }

  /// Position of the data set that a scene lies in, by its name in the run.
  package var positions: [String: Int] {
    files.reduce(into: [:]) { positions, file in
      for scene in file.scenes { positions[scene.name] = file.position }
    }
  }

  package var data: RunData {
    var data = RunData(
      name: name, paths: outlinePaths, positions: positions, mapping: selection.mapping,
      external: selection.external, isMultiview: selection.truth == .multiview)
    data.maps = selection.maps
    return data
  }

  /// Digests of the data sets, in order.
  var wholeDigests: [String] {
    get async throws(FathomError) {
      var digests: [String] = []
      for file in files { digests.append(try await file.digests.whole) }
      return digests
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

extension DataSelection {
  /// With maps that are changed before they are scored, where that is wanted.
  fileprivate func adjusted(_ source: any FrameSource) throws(FathomError) -> any FrameSource {
    guard let adjustment else { return source }
    return try AdjustedMapSource(source, adjustment)
  }

  /// An input whose headers were read before.
  /// - Throws: `FathomError`, also where they are others now.
  fileprivate func reopened(
    _ input: DataInput, with scenes: [SceneHeader]
  ) throws(FathomError) -> any FrameSource {
    let source = try adjusted(try truth.open(input, external: external, mapping: mapping).source)
    guard source.scenes.map({ SceneOutline($0) }) == scenes.map({ SceneOutline($0) }) else {
      throw FathomError(
        .badData, attempted: "read", place: input.path, reason: "it was changed while it was opened",
        advice: "try again when nothing writes it")
    }
    return source
  }
}

extension RunInputs.File {
  /// As manifests list it.
  func manifest(unreadable: String? = nil) async throws(FathomError) -> RunManifest.Input {
    var input = RunManifest.Input(
      file: URL(fileURLWithPath: path).lastPathComponent, try await digests, unreadable: unreadable)
    input.protections = source.protections
    return input
  }
}

extension RunManifest.Input {
  /// A data set with the files that it leads to.
  package init(file: String, _ digests: SourceFiles.Digests, unreadable: String? = nil) {
    self.init(file: file, sha256: digests.sha256, unreadable: unreadable)
    external =
      digests.external.isEmpty ? nil : digests.external.map { External(file: $0.name, sha256: $0.sha256) }
  }
}
