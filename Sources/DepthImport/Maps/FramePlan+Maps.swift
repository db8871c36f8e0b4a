import FathomPlainText
internal import DepthCore
private import Foundation
public import FathomStorage

extension MapRequest {
  /// The request for one scene: the folder of its name, where there are several scenes. nil where others have one and it has none.
  /// - Throws: `FathomError` `.badData` where nothing tells the scenes apart.
  public func part(of scene: String, among scenes: [String]) throws(FathomError) -> MapRequest? {
    func folder(_ name: String) -> String? {
      var isFolder: ObjCBool = false
      let below = place + "/" + name
      return FileManager.default.fileExists(atPath: below, isDirectory: &isFolder) && isFolder.boolValue
        ? below : nil
    }
    var own = self
    if let below = folder(scene) {
      if unpacked == nil { own.path = below } else { own.unpacked = below }
      return own
    }
    guard scenes.count > 1 else { return own }
    guard FileManager.default.fileExists(atPath: path) else {
      throw FathomError(
        .noInput, attempted: "read the maps", file: path, reason: "there is no such file or folder",
        advice: "check the path")
    }
    if scenes.contains(where: { folder($0) != nil }) { return nil }
    throw failure(
      nil, "there are \(scenes.count) scenes, and it has no folder of their names",
      "put the maps of each scene into a folder of its name: \(scenes[0])")
  }
}

extension FramePlan {
  /// Adds maps of a network to every frame.
  mutating func add(_ request: MapRequest) throws(FathomError) {
    let view = [header.lidarSize, header.colourSize, header.truthSize].compactMap(\.self)
    let maps = try FrameMaps(request, frames: frames.map(\.names), view: view)
    if let prediction = maps.prediction {
      guard !header.predictions.contains(where: { $0.name == prediction.name }) else {
        throw request.failure(
          nil, "there is a prediction '\(prediction.name)' already", "choose another name")
      }
      header.predictions.append(prediction)
    } else {
      (header.relativeSize, header.relativeKind) = (maps.size, maps.meaning.relativeKind)
      header.relativeModel = request.meaning == nil ? maps.source : nil
    }
    decoder.maps.append(maps)
    guard var record = header.importRecord else { return }
    record.add(.declared, request.title, "\(maps.size), \(maps.meaning.rawValue): \(maps.source)")
    record.add(.assumed, request.title, "maps and frames belong together \(maps.matching)")
    if request.rotation != 0 {
      record.add(.converted, request.title, "turned by \(request.rotation)° clockwise")
    }
    if let words = maps.resizing { record.add(.assumed, request.title, words) }
    if maps.meaning.factor != 1 { record.add(.converted, request.title, "to metres") }
    if let first = maps.missing.first {
      record.add(
        .absent, request.title,
        "\(maps.missing.count) of \(frames.count) frames have none, first \(frames[first].id)")
    }
    header.importRecord = record
  }
}

extension ImportRecord {
  /// Adds an entry behind those of its step.
  fileprivate mutating func add(_ step: Step, _ subject: String, _ words: String) {
    entries.append(Entry(step, subject, words))
    entries = Step.allCases.flatMap { step in entries.filter { $0.step == step } }
  }
}
