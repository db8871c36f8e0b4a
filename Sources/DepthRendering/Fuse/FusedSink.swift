import DepthCore
import DepthDataset
import FathomPlainText
import FathomStorage
import FathomTables
import Foundation

/// A frame that was fused.
struct FusedFrame: Sendable {
  let depth: DepthMap, deviation: DepthMap?, status: String, reason: String
  /// What a folder keeps of it; nil where it could not be encoded.
  var files: [(layer: FusedLayer, bytes: [UInt8])]? = []
}

/// What takes fused frames in, in order.
protocol FusedSink: ~Copyable {
  func begin(_ scene: FusedScene) throws
  func write(_ frame: FusedFrame, of scene: FusedScene, at index: Int) throws
  func end(_ scene: FusedScene, _ rows: [(status: String, reason: String)]) throws
}

/// A scene whose frames are fused.
struct FusedScene: Sendable {
  let header: SceneHeader, frames: Range<Int>, size: RasterSize, hasDeviation: Bool
  let folder: String  // Of its files, "kitchen/"; empty where it is the only one.
}

extension FusedMapsWriter: FusedSink {
  func begin(_ scene: FusedScene) throws {
    try addScene(scene.header, frames: scene.frames, size: scene.size, hasDeviation: scene.hasDeviation)
  }

  func write(_ frame: FusedFrame, of scene: FusedScene, at index: Int) throws {
    try write(frame.depth, frame.deviation, to: scene.header.name, at: index - scene.frames.lowerBound)
  }

  func end(_ scene: FusedScene, _ rows: [(status: String, reason: String)]) throws {
    try finishScene(scene.header.name, statuses: rows.map(\.status), reasons: rows.map(\.reason))
  }
}

/// A folder with `depth/000000.npy` and `deviation/000000.npy` for each frame of a scene, numbered as in the scene, and `frames.csv`.
struct FusedFolder: ~Copyable, FusedSink {
  let folder: AtomicFolder, format: FusedFormat
  func begin(_ scene: FusedScene) throws {}

  func write(_ frame: FusedFrame, of scene: FusedScene, at index: Int) throws {
    guard let files = frame.files else {
      throw FathomError(
        .inputOutput, attempted: "write the fused maps", place: folder.path,
        reason: "a map of \(scene.size) could not be encoded as \(format.rawValue)",
        advice: "choose another \(option: "format")")
    }
    for (layer, bytes) in files { try folder.write(bytes, to: name(layer, index, scene)) }
  }

  func end(_ scene: FusedScene, _ rows: [(status: String, reason: String)]) throws {
    let layers = FusedLayer.allCases.filter { $0 == .depth || scene.hasDeviation }
    let table = DataTable(
      columns: ["frame", "index", "time_s", "status", "reason"] + layers.map(\.rawValue),
      rows: zip(scene.frames, rows).map { index, row in
        [
          .text(scene.header.frameID(index)), .integer(index), .init(scene.header.timestampsSeconds?[index]),
          .text(row.status), .init(row.reason.isEmpty ? nil : row.reason),
        ] + layers.map { .text(String(name($0, index, scene).dropFirst(scene.folder.utf8.count))) }
      })
    try folder.write(table.csv, to: scene.folder + "frames.csv")
  }

  consuming func finish(manifest: String) throws { try folder.commit(manifest: manifest) }

  private func name(_ layer: FusedLayer, _ index: Int, _ scene: FusedScene) -> String {
    scene.folder + layer.rawValue + String(format: "/%06d.", index) + format.ending
  }
}
