import DepthCore
import DepthDataset
import FathomTables
public import DepthImport
public import FathomStorage

/// Adds maps of networks to a data set: what `fathom attach` does.
public struct AttachJob: Sendable {
  /// The data set.
  public var path: String
  /// Relative depth and predictions.
  public var requests: [MapRequest]
  /// Whether maps that are there give way.
  public var overwrite = false
  public init(_ path: String, _ requests: [MapRequest]) { (self.path, self.requests) = (path, requests) }
  /// What was added to a scene.
  public struct Added: Sendable { public let scene: String, maps: FrameMaps, frameCount: Int }

  /// Writes a copy beside the data set, which takes its place when it is complete.
  /// - Throws: `FathomError` as `DatasetReader` and `FrameMaps` do; the data set is as it was then.
  public func run() throws(FathomError) -> [Added] {
    let reader = try openDataset(path)
    let names = reader.scenes.map(\.name)
    var added: [Added] = []
    for scene in reader.scenes {
      for request in requests {
        guard let own = try request.part(of: scene.name, among: names) else { continue }
        let ids = scene.frameIDs ?? (0..<scene.frameCount).map(String.init)
        let view = [scene.lidarSize, scene.colourSize, scene.truthSize].compactMap(\.self)
        added.append(
          Added(
            scene: scene.name, maps: try FrameMaps.opened(own, frames: ids.map { [$0] }, view: view),
            frameCount: scene.frameCount))
      }
    }
    let sources = reader.sources
    let editor = try DatasetEditor(replacing: path)
    for added in added {
      let maps = added.maps
      try editor.addMaps(
        maps.object, to: added.scene, count: added.frameCount, size: maps.size, attributes: maps.attributes,
        replaces: overwrite
      ) { (index) throws(FathomError) in
        do throws(FrameMaps.MapFault) { return try maps.map(index) } catch {
          throw FathomError(
            error.kind, attempted: "add the maps", file: error.file, reason: error.reason,
            advice: error.kind == .badData
              ? "make the map again, or remove it: its frame then has none" : "try again; nothing was written"
          )
        }
      }
    }
    try sources.requireUnchanged()
    try editor.commit()
    return added
  }
}

extension FrameMaps {
  /// Where the data set keeps them.
  fileprivate var object: String { prediction.map { "predictions/\($0.name)/depth" } ?? "relative/values" }

  /// What the data set says of them.
  fileprivate var attributes: [(String, String)] {
    let own = [("kind", kind), ("created_by", Version.name)]
    return prediction == nil && request.meaning == nil ? own + [("model", source)] : own
  }
}
