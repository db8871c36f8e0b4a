import ArgumentParser
import DepthDataset
import DepthEvaluation
import DepthFusion
import DepthReport
import Foundation
import Logging

/// The files of a run, all checked before work starts.
struct RunInputs {
  /// A usable file and its scenes that the run takes.
  struct File {
    let path: String
    let sha256: String
    let scenes: [SceneContext]
  }

  let files: [File]
  /// Files left out under `--keep-going`, by path.
  let faults: [(path: String, reason: String)]
  /// Name of the run: the files' names without folder and extension.
  let name: String

  /// - Throws: `DatasetError` for the first unusable file, unless `keepGoing`.
  init(_ paths: [String], keepGoing: Bool, scenePattern: String?, log: Logger) throws {
    let stems = paths.map(Self.stem)
    name = stems.joined(separator: "+")
    var headers: [(path: String, digest: String, scenes: [SceneHeader])] = []
    var faults: [(path: String, reason: String)] = []
    for path in paths {
      do throws(DatasetError) {
        let reader = try DatasetReader(readingFrom: path)
        for issue in reader.issues { log.info("\(path): \(issue.object): \(issue.problem); \(issue.advice)") }
        let digest = try FileDigest.sha256(ofFile: path)
        headers.append((path, digest, reader.scenes))
      } catch {
        guard keepGoing else { throw error }
        log.warning("\(error.description)")
        faults.append((path, error.description))
      }
    }
    let counts = Dictionary(headers.flatMap { $0.scenes.map { ($0.name, 1) } }, uniquingKeysWith: +)
    files = headers.map { path, digest, scenes in
      File(
        path: path, sha256: digest,
        scenes: scenes.filter { scene in
          scenePattern.map { fnmatch($0, scene.name, 0) == 0 } ?? true
        }.map { scene in
          let isShared = (counts[scene.name] ?? 0) > 1
          return SceneContext(
            header: scene, name: isShared ? "\(Self.stem(path))/\(scene.name)" : scene.name,
            dataDigest: digest)
        })
    }
    self.faults = faults
    if let scenePattern, !headers.isEmpty, files.allSatisfy(\.scenes.isEmpty) {
      let names = headers.flatMap { $0.scenes.map(\.name) }.joined(separator: ", ")
      throw ValidationError("--scenes: no scene matches '\(scenePattern)'; there are \(names)")
    }
  }

  /// A file's name without folder and extension.
  static func stem(_ path: String) -> String {
    URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
  }

  /// The inputs as `run.json` lists them.
  func manifest(_ unreadable: [UnreadableFile]) -> [RunManifest.Input] {
    let reasons = Dictionary(unreadable.map { ($0.name, $0.reason) }) { first, _ in first }
    return files.map { file in
      RunManifest.Input(
        file: URL(fileURLWithPath: file.path).lastPathComponent, sha256: file.sha256,
        unreadable: reasons[Self.stem(file.path)])
    }
      + faults.map { fault in
        RunManifest.Input(
          file: URL(fileURLWithPath: fault.path).lastPathComponent,
          sha256: (try? FileDigest.sha256(ofFile: fault.path)) ?? "", unreadable: fault.reason)
      }
  }
}
