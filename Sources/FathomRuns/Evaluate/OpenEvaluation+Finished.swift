import FathomRunFolders
import DepthCore
import DepthDataset
import DepthFusion
import FathomStorage
import FathomTables

extension OpenEvaluation {
  /// Whether a finished run of this very evaluation is there.
  /// - Throws: `FathomError` `.cannotCreate` where the folder holds another evaluation; `.badData` where it was changed.
  package func isFinished(_ path: String) async throws -> Bool {
    guard AtomicFolder.isFinished(path, kind: .run) else { return false }
    let folder = try StoredFolder(path, kinds: [.run], attempted: "go on with")
    guard try await task.isOf(folder, inputs: inputs.manifest()) else {
      throw WorkFolder.foreign(path, .run, Version.name(folder.version, folder.manifest["build"]?.string))
    }
    try folder.verify()
    return true
  }
}

extension EvaluationTask {
  /// Whether a run was made by this task.
  fileprivate func isOf(_ run: StoredFolder, inputs: [RunManifest.Input]) throws -> Bool {
    guard let found: RunManifest = try? CanonicalJSON.value(from: CanonicalJSON.text(run.manifest)),
      Version.name(found.version, found.build) == version
    else { return false }
    let kinds = Set(found.scenes.map(\.relativeKind))
    let ids = methods.flatMap { method in
      kinds.compactMap { RelativeKind(rawValue: $0) }.map { method.method(for: $0).id }
    }
    return found.inputs.map(\.sha256) == inputs.map(\.sha256)
      && found.inputs.map(\.file) == inputs.map(\.file) && found.options == options
      && found.protocol == `protocol` && found.seed == seed && found.mapping?.sha256 == mapping?.sha256
      && found.calibration?.sha256 == calibration?.sha256 && found.scenePattern == scenePattern
      && found.maps?.named == maps && found.frameRange == frameRange
      && (found.protocolDiff != nil) == comparesProtocols && found.truthDeviation == truthDeviation
      && TruthOrigin(manifestOptions: found.multiview) == truth
      && (found.objects == nil || found.objects == objects) && Set(found.methods).isSubset(of: ids)
      && (found.scenes.isEmpty || Set(ids).isSubset(of: found.methods))
  }
}
