import DepthImport
import FathomRunFolders
import FathomTables
import FathomStorage
import Foundation

/// What the shard of a job says of itself: `shard.json`, `tune-shard.json`, `calibrate-shard.json`.
struct ShardManifest<Task: JobTask>: Codable, Sendable {
  private var tool = "fathom"
  private let version: String
  /// The commit that the command was built from; absent in shards of older versions.
  let build: String?
  let part: ScenePart, task: Task
  let paths: [String]  // Where the data sets were, in the order of the task, and the mapping.
  let mapping: String?
  /// The mapping as results name it: as it was typed; absent where what is kept of a data set names it.
  let mappingName: String?
  /// Where maps in folders were; absent for data sets.
  let maps: MapSetRequest?
  /// Where more folders were that the data may lead to; absent where none was named.
  let external: [String]?
  let linearAlgebra: String  // The BLAS and LAPACK that it was computed with.
  /// Digest of the data that each scene of the part lies in, by its number; absent where the scene's own file says it.
  let data: [Int: String]?

  init(_ task: Task, part: ScenePart, of inputs: RunInputs, data: [Int: String]?) {
    (self.part, self.task, self.data) = (part, task, data)
    (version, build) = (Version.current, Version.build)
    func place(_ path: String) -> String { URL(fileURLWithPath: path).standardizedFileURL.path }
    (paths, mapping) = (inputs.outlinePaths.map(place), inputs.selection.mapping.map(place))
    maps = inputs.selection.maps?.places(place)
    mappingName = data.flatMap { _ in inputs.selection.mapping }
    let named = inputs.selection.external.named
    external = named.isEmpty ? nil : named.map(place)
    linearAlgebra = RunManifest.ownLinearAlgebra
  }

  /// - Throws: `FathomError` where the folder holds something else.
  init(of folder: StoredFolder) throws(FathomError) {
    do { self = try CanonicalJSON.value(from: CanonicalJSON.text(folder.manifest)) } catch {
      throw folder.damaged(Task.shard.marker, "it is not what it should be")
    }
  }

  /// The data of the task where they were.
  func selection(_ data: TaskData) -> DataSelection {
    var selection = DataSelection(paths)
    (selection.scenes, selection.frames) = (SceneChoice(data.scenes), data.frames.flatMap { FrameRange($0) })
    (selection.mapping, selection.mappingName, selection.truth) = (mapping, mappingName, data.truth)
    selection.external = ExternalFolders(includesOwn: data.followsOwnFolder, named: external ?? [])
    return selection
  }
}
