import ArgumentParser
import DepthCore
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthReport
import Foundation
import Logging
import Storage

/// The files of a run, all checked before work starts.
struct RunInputs {
  /// A usable file and its scenes that the run takes.
  struct File {
    let path: String
    /// Name in the run: without folder and extension, numbered where two files share it.
    let label: String
    let digests: SourceFiles.Digests
    let scenes: [SceneContext]
    /// The file as it was before its digest was taken.
    let sources: SourceFiles
    fileprivate let flags: DataFlags

    /// Opens the file again.
    ///
    /// - Throws: `DatasetError`, also where it is no longer what it was.
    func reader() throws(DatasetError) -> DatasetReader {
      try sources.requireUnchanged()
      return try flags.reader(path)
    }
  }

  let files: [File]
  /// Files left out under `--keep-going`.
  let faults: [(path: String, label: String, reason: String)]
  /// Name of the run: the files' labels.
  let name: String

  /// - Throws: `DatasetError` for the first unusable file, unless `keepGoing`; `ValidationError` where a file is given
  ///   twice or no scene matches.
  init(
    _ paths: [String], _ flags: DataFlags, keepGoing: Bool, scenes choice: SceneChoice,
    rules: EvaluationProtocol, log: Logger
  ) throws {
    let labels = try Self.labels(paths)
    name = labels.joined(separator: "+")
    typealias Header = (
      path: String, label: String, sources: SourceFiles, digests: SourceFiles.Digests, scenes: [SceneHeader]
    )
    var headers: [Header] = []
    var faults: [(path: String, label: String, reason: String)] = []
    func read(_ path: String, _ label: String, _ body: () throws(DatasetError) -> Void) throws(DatasetError) {
      do throws(DatasetError) {
        try body()
      } catch {
        guard keepGoing else { throw error }
        log.warning("\(error.description)")
        faults.append((path, label, Self.portable(error.description, path)))
      }
    }
    for (path, label) in zip(paths, labels) {
      try read(path, label) { () throws(DatasetError) in
        let reader = try flags.reader(path)
        for issue in reader.issues { log.info("\(path): \(issue.object): \(issue.problem); \(issue.advice)") }
        headers.append((path, label, reader.sources, try reader.sources.digests(), reader.scenes))
      }
    }
    // A name with a comma may lie in any of the files.
    let chosen =
      headers.isEmpty
      ? [] : try choice.chosen(among: headers.flatMap { $0.scenes.map(\.name) }.firstAppearances)
    let counts = Dictionary(headers.flatMap { $0.scenes.map { ($0.name, 1) } }, uniquingKeysWith: +)
    for index in headers.indices { headers[index].scenes.removeAll { !chosen.contains($0.name) } }
    var usable: [Header] = []
    for header in headers {
      try read(header.path, header.label) { () throws(DatasetError) in
        try Self.check(header.scenes, rules, header.path)
        usable.append(header)
      }
    }
    headers = usable
    let digests = headers.map(\.digests.whole)
    if Set(digests).count < digests.count {
      log.warning("two data sets hold the same bytes: their scenes count twice, and intervals are too narrow")
    }
    files = headers.map { path, label, sources, digests, scenes in
      File(
        path: path, label: label, digests: digests,
        scenes: scenes.map { scene in
          let isShared = (counts[scene.name] ?? 0) > 1
          return SceneContext(
            header: scene, name: isShared ? "\(label)/\(scene.name)" : scene.name)
        }, sources: sources, flags: flags)
    }
    self.faults = faults
  }

  /// To be asked when the work is done: what was read must be what the digests say.
  ///
  /// - Throws: `DatasetError` where a file has changed since.
  func requireUnchanged() throws(DatasetError) {
    for file in files { try file.sources.requireUnchanged() }
  }

  /// Every scene must be one that the protocol is defined on.
  private static func check(
    _ scenes: [SceneHeader], _ rules: EvaluationProtocol, _ path: String
  ) throws(DatasetError) {
    for scene in scenes {
      guard let objection = rules.objection(to: scene) else { continue }
      throw DatasetError(
        .badData, attempted: "score the data set", file: path, object: "scenes/\(scene.name)/truth/depth",
        reason: objection, advice: "choose another --protocol, or the scenes that fit with --scenes")
    }
  }

  /// The methods with "stored" replaced by the predictions that the scenes hold.
  ///
  /// - Throws: `ValidationError` for a prediction that no scene holds.
  func resolve(_ methods: [MethodSelection]) throws -> [MethodSelection] {
    let names = files.flatMap { $0.scenes.flatMap { $0.header.predictions.map(\.name) } }.firstAppearances
    return try methods.flatMap { selection in
      let resolved = selection.resolved(stored: names)
      if let name = selection.storedName, resolved.isEmpty, !files.isEmpty {
        throw ValidationError(
          "--methods: no scene has a prediction '\(name)'; there \(names.isEmpty ? "are none" : "are \(names.joined(separator: ", "))")"
        )
      }
      return resolved
    }.firstAppearances
  }

  private static func labels(_ paths: [String]) throws -> [String] {
    var (seen, uses): (Set<String>, [String: Int]) = ([], [:])
    return try paths.map { path in
      let url = URL(fileURLWithPath: path)
      guard seen.insert(url.resolvingSymlinksInPath().standardizedFileURL.path).inserted else {
        throw ValidationError("\(path) is given twice")
      }
      let stem = url.deletingPathExtension().lastPathComponent
      uses[stem, default: 0] += 1
      return uses[stem] == 1 ? stem : "\(stem)-\(uses[stem] ?? 0)"
    }
  }

  /// An error's text without the folder of its file, which may differ between equal runs.
  static func portable(_ text: String, _ path: String) -> String {
    text.replacing(path, with: URL(fileURLWithPath: path).lastPathComponent)
  }

  /// The inputs as `run.json` lists them.
  func manifest(_ unreadable: [UnreadableFile]) -> [RunManifest.Input] {
    let reasons = Dictionary(unreadable.map { ($0.name, $0.reason) }) { first, _ in first }
    return files.map { file in
      RunManifest.Input(
        file: URL(fileURLWithPath: file.path).lastPathComponent, file.digests,
        unreadable: reasons[file.label])
    }
      + faults.map { fault in
        RunManifest.Input(
          file: URL(fileURLWithPath: fault.path).lastPathComponent,
          sha256: (try? FileDigest.sha256(ofFile: fault.path)) ?? "", unreadable: fault.reason)
      }
  }
}
