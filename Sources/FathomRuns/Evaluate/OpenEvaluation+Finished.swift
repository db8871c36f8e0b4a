import FathomRunFolders
import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthFusion
import Foundation
package import FathomStorage

extension OpenEvaluation {
  /// Whether a finished folder of this very evaluation is there.
  ///
  /// - Parameters:
  ///   - kind: A run, or a shard.
  ///   - part: The shard's.
  /// - Throws: `FathomError` `.cannotCreate` where the folder holds another evaluation; `.badData` where it was changed.
  package func isFinished(_ path: String, kind: FolderKind, part: ScenePart?) async throws -> Bool {
    guard AtomicFolder.isFinished(path, kind: kind) else { return false }
    let folder = try StoredFolder(path, kinds: [kind], attempted: "go on with")
    let isSame: Bool
    if kind == .shard {
      let manifest: ShardManifest? = try? CanonicalJSON.value(from: CanonicalJSON.text(folder.manifest))
      let text = try task.text
      isSame = try manifest.map { try $0.part == part && $0.task.text == text } ?? false
    } else {
      isSame = try await task.isOf(folder, inputs: inputs.manifest())
    }
    if isSame { try folder.verify() }
    guard isSame else {
      throw FathomError.cannotCreate(
        path, "it holds an evaluation with other data, options or version",
        "choose another \(option: "output"), or begin again with \(option: "overwrite")")
    }
    return true
  }
}

extension EvaluationTask {
  /// Whether a run was made by this task.
  fileprivate func isOf(_ run: StoredFolder, inputs: [RunManifest.Input]) throws -> Bool {
    guard run.version == version,
      let found: RunManifest = try? CanonicalJSON.value(from: CanonicalJSON.text(run.manifest))
    else { return false }
    let kinds = Set(found.scenes.map(\.relativeKind))
    let ids = methods.flatMap { method in
      kinds.compactMap { RelativeKind(rawValue: $0) }.map { method.method(for: $0).id }
    }
    return found.inputs.map(\.sha256) == inputs.map(\.sha256)
      && found.inputs.map(\.file) == inputs.map(\.file)
      && found.options == options && found.protocol == `protocol` && found.seed == seed
      && found.mapping?.sha256 == mapping?.sha256 && found.calibration?.sha256 == calibration?.sha256
      && found.scenePattern == scenePattern
      && found.frameRange == frameRange && (found.protocolDiff != nil) == comparesProtocols
      && (found.multiview != nil) == (truth == CalibrationTruth.multiview.rawValue)
      && (found.objects == nil || found.objects == objects) && Set(found.methods).isSubset(of: ids)
      && (found.scenes.isEmpty || Set(ids).isSubset(of: found.methods))
  }
}
