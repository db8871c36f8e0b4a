import DepthCore
import DepthDataset
import DepthDiagnosis
import DepthSynthesis
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

/// A small simulated room in a file with everything that a diagnosis looks at, and more that the schema does not name.
struct DiagnosedRoom {
  static let scene = "scenes/room-01"
  static let size = RasterSize(width: 96, height: 72)
  static let frameCount = 3
  /// A network's map of another size.
  static let relativeSize = RasterSize(width: 112, height: 84)

  /// The correct file; ray casting takes seconds without optimisation, so it is made once.
  static let bytes = Result { try made() }

  private static func made() throws -> Data {
    let folder = try TemporaryFolder()
    var options = SynthesisOptions()
    (options.seed, options.sceneCount, options.framesPerScene) = (3, 1, frameCount)
    (options.lidarSize, options.truthSize, options.relativeSize) = (size, size, relativeSize)
    options.colourSize = RasterSize(width: 16, height: 12)
    // Far enough from each other to be several views.
    options.frameIntervalSeconds = 1.5
    let room = SyntheticScene(options: options, index: 0)
    var header = room.header
    header.frameIDs = (0..<frameCount).map { "image \($0)" }
    header.predictions = [
      StoredPrediction(name: "metric", kind: .metric, size: size),
      StoredPrediction(name: "relative", kind: .disparity, size: relativeSize),
    ]
    let path = folder.path("room.h5")
    var writer = try DatasetWriter(creating: path, attributes: DatasetAttributes())
    try writer.addScene(header)
    for index in 0..<frameCount {
      var frame = room.frame(index)
      frame.predictions = try [
        (header.predictions[0], #require(frame.truth)), (header.predictions[1], #require(frame.relative)),
      ]
      try writer.write(frame, to: header.name)
    }
    var objects = room.objects()
    // Of a good size in the coarse maps.
    objects.objects = (0..<frameCount).flatMap { frame in
      objects.objects.filter { $0.frame == frame }.sorted { area($0) > area($1) }.prefix(5)
    }
    try writer.writeObjects(objects, to: header.name)
    try writer.commit()
    try addUnnamed(to: path)
    return try withExtendedLifetime(folder) { try Data(contentsOf: URL(fileURLWithPath: path)) }
  }

  private static func area(_ object: DetectedObject) -> Int { object.mask?.values.count { $0 > 0.5 } ?? 0 }

  /// What the schema does not name.
  private static func addUnnamed(to path: String) throws {
    let file = try HDF5File(updating: path)
    try file.setAttribute("operator", of: scene, to: .string("somebody"))
    try file.setAttribute("exposure", of: scene + "/relative/values", to: .real(0.25))
    try file.createGroup(scene + "/weather")
    try file.createDataset(scene + "/weather/lux", shape: [3], of: Double.self).write([120.0, 80.5, 1e-3])
    try file.close()
  }

  /// Writes the file, broken on purpose.
  static func write(to path: String, _ change: (borrowing HDF5File) throws -> Void = { _ in }) throws {
    try bytes.get().write(to: URL(fileURLWithPath: path))
    let file = try HDF5File(updating: path)
    try change(file)
    try file.close()
  }
}

extension HDF5File {
  func numbers(_ object: String) throws -> [Double] { try dataset(DiagnosedRoom.scene + "/" + object).read() }

  /// Changes the numbers of a dataset.
  func change(_ object: String, _ body: ([Double]) throws -> [Double]) throws {
    let dataset = try dataset(DiagnosedRoom.scene + "/" + object)
    try dataset.write(try body(try dataset.read()))
  }

  /// Leaves LiDAR and relative map only.
  func keepMaps() throws {
    for group in ["camera", "objects", "truth", "predictions"] {
      try remove(DiagnosedRoom.scene + "/" + group)
    }
  }

  /// Declares something else.
  func declare(_ object: String, _ name: String, _ value: String) throws {
    try replaceAttribute(name, of: DiagnosedRoom.scene + "/" + object, with: .string(value))
  }

  /// Stores maps as they lie in a file of another orientation.
  func turn(
    _ object: String, _ size: RasterSize, _ stored: Symmetry, in scene: String = DiagnosedRoom.scene
  ) throws {
    let path = scene + "/" + object
    let maps = try dataset(path).read(as: Float.self)
    let attributes = try attributeNames(of: path).map { ($0, try attribute($0, of: path)) }
    try remove(path)
    let frames = stride(from: 0, to: maps.count, by: size.count).map { start in
      stored.inverse.upright(
        DepthMap(width: size.width, height: size.height, values: Array(maps[start..<start + size.count])))
    }
    let turned = frames[0].size
    try createDataset(path, shape: [frames.count, turned.height, turned.width], of: Float.self)
      .write(frames.flatMap(\.values))
    for (name, value) in attributes { if let value { try setAttribute(name, of: path, to: value) } }
  }
}

extension Symmetry {
  /// The one that undoes it.
  var inverse: Symmetry {
    switch self {
    case .rotated90: .rotated270
    case .rotated270: .rotated90
    default: self
    }
  }
}
