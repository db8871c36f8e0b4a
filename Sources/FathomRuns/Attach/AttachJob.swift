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
  /// Standard deviations and confidences of predictions.
  public var deviations: [DeviationMaps] = []
  /// Whether maps that are there give way.
  public var overwrite = false
  public init(_ path: String, _ requests: [MapRequest]) { (self.path, self.requests) = (path, requests) }
  /// What was added to a scene.
  public struct Added: Sendable {
    public let scene: String, maps: FrameMaps, frameCount: Int
    /// Its standard deviations or confidences, as they are stored, and their unit.
    public let deviation: (maps: FrameMaps, unit: DeviationMaps)?
  }

  /// Writes a copy beside the data set, which takes its place when it is complete.
  /// - Throws: `FathomError` as `DatasetReader` and `FrameMaps` do; the data set is as it was then.
  public func run() throws(FathomError) -> [Added] {
    let reader = try openDataset(path)
    let names = reader.scenes.map(\.name)
    let archives = try MapArchives(requests.map(\.path) + deviations.map(\.path))
    var added: [Added] = []
    for scene in reader.scenes {
      for request in requests {
        guard let own = try archives.applied(to: request).part(of: scene.name, among: names) else { continue }
        let ids = scene.frameIDs ?? (0..<scene.frameCount).map(String.init)
        let view = [scene.lidarSize, scene.colourSize, scene.truthSize].compactMap(\.self)
        let maps = try FrameMaps.opened(own, frames: ids.map { [$0] }, view: view)
        added.append(
          Added(
            scene: scene.name, maps: maps, frameCount: scene.frameCount,
            deviation: try deviation(of: maps, scene.name, among: names, ids, archives)))
      }
    }
    let sources = reader.sources
    let editor = try DatasetEditor(replacing: path)
    for added in added {
      let maps = added.maps
      try editor.addMaps(
        maps.object, to: added.scene, count: added.frameCount, size: maps.size, attributes: maps.attributes,
        replaces: overwrite
      ) { (index) throws(FathomError) in try Self.map(index, of: maps) }
      guard let (stored, unit) = added.deviation, let object = unit.certainty.object(beside: maps.object)
      else { continue }
      var isUsable = false
      try editor.addMaps(
        object, to: added.scene, count: added.frameCount, size: maps.size,
        attributes: [("created_by", Version.name)], replaces: overwrite
      ) { (index) throws(FathomError) in
        let usable = unit.usable(
          try Self.map(index, of: stored), of: try Self.map(index, of: maps), maps.meaning)
        isUsable = isUsable || usable.values.contains { $0.isFinite }
        return usable
      }
      guard isUsable else {
        throw FathomError(
          .badData, attempted: "read the \(unit.certainty.rawValue) of '\(unit.name)'", file: unit.path,
          reason: "scene \(added.scene) has no \(unit.certainty == .deviation ? "σ above 0" : "number")",
          advice: "check what wrote them")
      }
    }
    try sources.requireUnchanged()
    try editor.commit()
    return added
  }

  /// - Returns: nil where none are given for these maps.
  private func deviation(
    of maps: FrameMaps, _ scene: String, among scenes: [String], _ ids: [String],
    _ archives: MapArchives
  ) throws(FathomError) -> (maps: FrameMaps, unit: DeviationMaps)? {
    guard let unit = deviations.first(where: { $0.name == maps.request.name }) else { return nil }
    var request = maps.request.companion(unit)
    // As they are stored: the unit is said otherwise.
    (request.meaning, request.invalid) = (.metric, nil)
    guard let own = try archives.applied(to: request).part(of: scene, among: scenes) else { return nil }
    let found = try FrameMaps.opened(own, frames: ids.map { [$0] }, view: [])
    let missing = Set(found.missing).subtracting(maps.missing).min()
    guard missing == nil, found.size == maps.size else {
      throw FathomError(
        .badData, attempted: "read the \(unit.certainty.rawValue) of '\(unit.name)'", file: unit.path,
        reason: missing.map { "frame \(ids[$0]) has a prediction and no \(unit.certainty.rawValue)" }
          ?? "it has \(found.size) pixels, and its prediction \(maps.size)",
        advice: "give one number for each pixel of the prediction")
    }
    return (found, unit)
  }

  private static func map(_ index: Int, of maps: FrameMaps) throws(FathomError) -> DepthMap {
    do throws(FrameMaps.MapFault) { return try maps.map(index) } catch {
      throw FathomError(
        error.kind, attempted: "add the maps", file: error.file, reason: error.reason,
        advice: error.kind == .badData
          ? "make the map again, or remove it: its frame then has none" : "try again; nothing was written")
    }
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
