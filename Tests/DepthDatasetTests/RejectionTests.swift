import DepthCore
import FathomPlainText
import Foundation
import DepthDataset
import DepthFusion
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

/// One file per rule of the schema, and the message that names it.
@Suite struct RejectionTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let object: String
    let reason: String
    let advice: String
    var depth = true
    let body: @Sendable (borrowing HDF5File) throws -> Void
    var testDescription: String { name }
  }

  static let twelve = (1...12).map { Float($0) }

  static let arrays: [Case] = [
    Case(
      name: "no depth", object: "scenes/room/lidar/depth", reason: "it is absent",
      advice: "every scene needs LiDAR depth [N,h,w]", depth: false
    ) { _ in },
    Case(
      name: "wrong rank", object: "scenes/room/lidar/depth", reason: "its shape is [4, 3], rank 2",
      advice: "store [N,h,w]", depth: false
    ) { try $0.add("lidar/depth", [4, 3], twelve) },
    Case(
      name: "zero frames", object: "scenes/room/lidar/depth", reason: "it holds zero frames",
      advice: "write at least one frame, or drop the scene", depth: false
    ) { try $0.add("lidar/depth", [0, 4, 3], [Float]()) },
    Case(
      name: "zero pixels", object: "scenes/room/lidar/depth", reason: "its images are 0×4: no pixels",
      advice: "check the shape it was given", depth: false
    ) { try $0.add("lidar/depth", [2, 4, 0], [Float]()) },
    Case(
      name: "absurd resolution", object: "scenes/room/lidar/depth",
      reason: "its shape is [1, 1000000, 1000000], but nothing is stored in it",
      advice: "write its numbers, or leave the array out", depth: false
    ) {
      _ = try $0.createDataset(
        "scenes/room/lidar/depth", shape: [1, 1_000_000, 1_000_000], of: Float.self, chunk: [1, 1, 1024])
    },
    Case(
      name: "absurd length", object: "scenes/room/lidar/depth",
      reason: "its shape [1000000000000, 2, 2] declares 16000000000000 bytes, but only 16 are stored",
      advice: "check the shape it was given, or write all of its numbers", depth: false
    ) {
      try $0.createDataset(
        "scenes/room/lidar/depth", shape: [1_000_000_000_000, 2, 2], of: Float.self, chunk: [1, 2, 2]
      ).write([1, 2, 3, 4], at: 0)
    },
    Case(
      name: "text for depth", object: "scenes/room/lidar/depth", reason: "it holds string",
      advice: "store numbers", depth: false
    ) { try $0.addStrings("lidar/depth", ["1", "2"]) },
    Case(
      name: "a group for depth", object: "scenes/room/lidar/depth", reason: "it is a group, not a dataset",
      advice: "store the array under this name", depth: false
    ) { try $0.createGroup("scenes/room/lidar/depth") },
    Case(
      name: "integers without scale", object: "scenes/room/lidar/depth",
      reason: "it holds uint16 with neither scale nor units, which would be whole metres",
      advice: "set the attribute scale (metres per count), or units 'mm'", depth: false
    ) { try $0.add("lidar/depth", [1, 1, 2], [UInt16(1000), 2000]) },
    Case(
      name: "scale of zero", object: "scenes/room/lidar/depth", reason: "its attribute scale is 0.0",
      advice: "write one positive number", depth: false
    ) { try $0.add("lidar/depth", [1, 1, 2], [UInt16(1000), 2000], attributes: [("scale", .real(0))]) },
    Case(
      name: "different N", object: "scenes/room/truth/depth",
      reason: "it holds 3 frames, but scenes/room/lidar/depth holds 2",
      advice: "store one entry per frame in every array of the scene"
    ) { try $0.add("truth/depth", [3, 2, 2], twelve) },
    Case(
      name: "confidence of another shape", object: "scenes/room/lidar/confidence",
      reason: "its maps are 2×3, but lidar/depth is 3×2", advice: "store one confidence per LiDAR pixel"
    ) { try $0.add("lidar/confidence", [2, 3, 2], [UInt8](repeating: 2, count: 12)) },
    Case(
      name: "real confidence", object: "scenes/room/lidar/confidence", reason: "it holds float32",
      advice: "store integers"
    ) { try $0.add("lidar/confidence", [2, 2, 3], twelve) },
    Case(
      name: "image of two channels", object: "scenes/room/image/rgb", reason: "its last extent is 2",
      advice: "store three channels: red, green, blue"
    ) { try $0.add("image/rgb", [2, 1, 1, 2], [UInt8](repeating: 9, count: 4)) },
    Case(
      name: "real image", object: "scenes/room/image/rgb", reason: "it holds float32", advice: "store uint8"
    ) { try $0.add("image/rgb", [2, 1, 2, 3], twelve) },
    Case(
      name: "too few ids", object: "scenes/room/frame_id",
      reason: "it holds 1 frames, but scenes/room/lidar/depth holds 2",
      advice: "store one entry per frame in every array of the scene"
    ) { try $0.addStrings("frame_id", ["a"]) },
    Case(
      name: "prediction of an unknown kind", object: "scenes/room/predictions/net/depth",
      reason: "its attribute kind is 'planar'", advice: "write one of 'metric', 'depth', 'disparity'"
    ) { try $0.add("predictions/net/depth", [2, 2, 3], twelve, attributes: [("kind", .string("planar"))]) },
    Case(
      name: "prediction without a kind", object: "scenes/room/predictions/net/depth",
      reason: "its attribute kind is missing, so nothing says what its values mean",
      advice: "set the attribute kind to 'metric' (metres), or 'depth' or 'disparity' (up to scale and shift)"
    ) { try $0.add("predictions/net/depth", [2, 2, 3], twelve) },
  ]

  static let vocabulary: [Case] = [
    Case(
      name: "units", object: "scenes/room/lidar/depth", reason: "its attribute units is 'feet'",
      advice: "write one of 'm', 'cm', 'mm'"
    ) { try $0.setAttribute("units", of: "scenes/room/lidar/depth", to: .string("feet")) },
    Case(
      name: "depth kind", object: "scenes/room/lidar/depth", reason: "its attribute kind is 'euclidean'",
      advice: "write one of 'planar', 'distance'"
    ) { try $0.setAttribute("kind", of: "scenes/room/lidar/depth", to: .string("euclidean")) },
    Case(
      name: "a number for a word", object: "scenes/room/lidar/depth", reason: "its attribute kind is 3",
      advice: "write one of 'planar', 'distance'"
    ) { try $0.setAttribute("kind", of: "scenes/room/lidar/depth", to: .integer(3)) },
    Case(
      name: "relative kind", object: "scenes/room/relative/values",
      reason: "its attribute kind is 'inverse'", advice: "write one of 'disparity', 'depth', 'unknown'"
    ) { try $0.add("relative/values", [2, 2, 3], twelve, attributes: [("kind", .string("inverse"))]) },
    Case(
      name: "independence", object: "scenes/room/truth/depth", reason: "its attribute independence is 'yes'",
      advice: "write one of 'independent', 'render', 'selected', 'multiview', 'same-sensor', 'unknown'"
    ) { try $0.add("truth/depth", [2, 2, 3], twelve, attributes: [("independence", .string("yes"))]) },
    Case(
      name: "convention", object: "scenes/room/camera/world_from_camera",
      reason: "its attribute convention is 'opengl'", advice: "write one of 'arkit', 'opencv', 'unknown'"
    ) {
      try $0.add(
        "camera/world_from_camera", [2, 4, 4], [Double](repeating: 0, count: 32),
        attributes: [("convention", .string("opengl"))])
    },
    Case(
      name: "up", object: "scenes/room/camera/world_from_camera", reason: "its attribute up is 'x'",
      advice: "write one of 'y', 'z'"
    ) {
      try $0.add(
        "camera/world_from_camera", [2, 4, 4], [Double](repeating: 0, count: 32),
        attributes: [("up", .string("x"))])
    },
    Case(
      name: "origin of boxes", object: "scenes/room/objects/bbox",
      reason: "its attribute origin is 'centre'", advice: "write one of 'top-left', 'bottom-left'"
    ) {
      try $0.addObjects()
      try $0.setAttribute("origin", of: "scenes/room/objects/bbox", to: .string("centre"))
    },
    Case(
      name: "stride of masks", object: "scenes/room/objects/mask", reason: "its attribute stride is 0",
      advice: "write network pixels per mask pixel: 4"
    ) {
      try $0.addObjects()
      try $0.add("objects/mask", [2, 2, 3], twelve, attributes: [("stride", .integer(0))])
    },
  ]

  @Test(arguments: arrays + vocabulary + camera + objects)
  func theSchemaIsEnforced(_ c: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("case.h5")
    try SchemaFile.write(path, depth: c.depth, c.body)
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(error.kind == .badData)
    #expect(error.object == c.object)
    #expect(error.reason == c.reason)
    #expect(error.advice == c.advice)
    #expect(
      error.description == "cannot read the data set: \(path): \(c.object): \(c.reason); \(c.advice)")

    let lenient = try DatasetReader(readingFrom: path, validation: .lenient)
    let expected = SchemaIssue(
      severity: .error, object: c.object, problem: c.reason, advice: Wording(c.advice))
    #expect(lenient.issues.contains(expected))
    #expect(lenient.scenes.map(\.name) == ["room"])
  }

  /// What version 3 rejects where the others do, or only it can.
  static let versionThree: [Case] = [
    Case(
      name: "a scene without any depth", object: "scenes/room",
      reason: "it has no depth: none of lidar/depth, relative/values, truth/depth, predictions/<name>/depth",
      advice: "store one of them [N,h,w]", depth: false
    ) { try $0.add("image/rgb", [1, 1, 2, 3], [UInt8](repeating: 9, count: 6)) },
    Case(
      name: "confidence of nothing", object: "scenes/room/lidar/confidence",
      reason: "there is no lidar/depth beside it", advice: "store both or none", depth: false
    ) {
      try $0.add("truth/depth", [2, 2, 3], twelve)
      try $0.add("lidar/confidence", [2, 2, 3], [UInt8](repeating: 2, count: 12))
    },
    Case(
      name: "deviation of another size", object: "scenes/room/truth/deviation",
      reason: "its maps are 2×3, but truth/depth is 3×2", advice: "store one number per pixel",
      depth: false
    ) {
      try $0.add("truth/depth", [2, 2, 3], twelve)
      try $0.add("truth/deviation", [2, 3, 2], twelve)
    },
    Case(
      name: "LiDAR of a wrong rank", object: "scenes/room/lidar/depth", reason: "its shape is [4, 3], rank 2",
      advice: "store [N,h,w]", depth: false
    ) { try $0.add("lidar/depth", [4, 3], twelve) },
  ]

  @Test("version 3 enforces what it has, too", arguments: versionThree)
  func versionThreeIsEnforced(_ c: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("case.h5")
    try SchemaFile.write(path, version: 3, depth: c.depth, c.body)
    let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
    #expect(
      error.description == "cannot read the data set: \(path): \(c.object): \(c.reason); \(c.advice)")
  }

  @Test(
    "in version 3 any of the maps is enough",
    arguments: ["truth/depth", "relative/values", "predictions/n/depth"]
  )
  func anyMap(name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("maps.h5")
    for version in [1, 2, 3] {
      try? FileManager.default.removeItem(atPath: path)
      try SchemaFile.write(path, version: version, depth: false) {
        let kind = name.hasPrefix("predictions") ? [("kind", HDF5Attribute.string("metric"))] : []
        try $0.add(name, [2, 2, 3], Self.twelve, attributes: kind)
      }
      if version == 3 {
        let scene = try #require(try DatasetReader(readingFrom: path).scenes.first)
        #expect(scene.lidarSize == nil && scene.frameCount == 2)
      } else {
        let error = try #require(throws: FathomError.self) { _ = try DatasetReader(readingFrom: path) }
        #expect(error.object == "scenes/room/lidar/depth" && error.reason == "it is absent")
      }
    }
  }

  @Test func lenientReadersTreatABrokenArrayAsAbsent() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("broken.h5")
    try SchemaFile.write(path) {
      try $0.add("truth/depth", [3, 2, 2], Self.twelve)
      try $0.add("relative/values", [2, 2, 3], Self.twelve, attributes: [("kind", .string("depth"))])
    }
    let reader = try DatasetReader(readingFrom: path, validation: .lenient)
    #expect(reader.scenes[0].truthSize == nil)
    let frame = try reader.frame(1, of: reader.scenes[0])
    #expect(frame.truth == nil)
    #expect(frame.lidar.values == [7, 8, 9, 10, 11, 12])
    #expect(frame.relative?.values == [7, 8, 9, 10, 11, 12])
  }

  @Test func aFrameThatDoesNotExistAndAWrongConfidenceAreErrors() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("values.h5")
    try SchemaFile.write(path) {
      try $0.add("lidar/confidence", [2, 2, 3], [UInt8]([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 7, 2]))
    }
    let reader = try DatasetReader(readingFrom: path)
    let scene = reader.scenes[0]
    #expect(try reader.frame(0, of: scene).confidence?.values == [0, 1, 2, 0, 1, 2])
    let confidence = try #require(throws: FathomError.self) { _ = try reader.frame(1, of: scene) }
    #expect(
      confidence.description == "cannot read frame 1 of scene 'room': \(path): scenes/room/lidar/confidence: "
        + "it holds the confidence 7; store 0 low, 1 medium, 2 high")
    let index = try #require(throws: FathomError.self) { _ = try reader.frame(2, of: scene) }
    #expect(
      index.description
        == "cannot read frame 2 of scene 'room': \(path): scenes/room: it has 2 frames; count frames from 0")
  }

  /// Arrays with one entry a frame: shape of an entry.
  static let perFrame: [(name: String, entry: [Int])] = [
    ("time", []), ("lidar/confidence", [2, 3]), ("relative/values", [2, 3]), ("truth/depth", [2, 3]),
    ("camera/intrinsics", [3, 3]), ("camera/world_from_camera", [4, 4]), ("image/rgb", [2, 3, 3]),
    ("predictions/net/depth", [2, 3]), ("detector/predictions", [6, 4]), ("detector/prototypes", [1, 2, 3]),
  ]

  @Test(
    "an array with fewer or more entries than frames is named", arguments: perFrame,
    [(1, 0), (1, 2), (2, 0), (2, 1), (2, 3)])
  func entries(_ array: (name: String, entry: [Int]), _ counts: (frames: Int, entries: Int)) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("entries.h5")
    try SchemaFile.write(path, depth: false) { file in
      try file.add("lidar/depth", [counts.frames, 2, 3], [Float](repeating: 1, count: counts.frames * 6))
      let shape = [counts.entries] + array.entry
      if array.name == "image/rgb" || array.name == "lidar/confidence" {
        try file.add(array.name, shape, [UInt8](repeating: 1, count: shape.reduce(1, *)))
      } else {
        try file.add(array.name, shape, [Float](repeating: 1, count: shape.reduce(1, *)))
      }
    }
    try expectCount("scenes/room/" + array.name, counts, at: path)
  }

  @Test("so are names of frames", arguments: [(1, 0), (1, 2), (2, 0), (2, 1)])
  func names(_ counts: (frames: Int, entries: Int)) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("names.h5")
    try SchemaFile.write(path, depth: false) { file in
      try file.add("lidar/depth", [counts.frames, 2, 3], [Float](repeating: 1, count: counts.frames * 6))
      try file.addStrings("frame_id", (0..<counts.entries).map { "f\($0)" })
    }
    try expectCount("scenes/room/frame_id", counts, at: path)
  }

  /// What `inspect` says of the file, and what ends whoever reads it, are the same.
  private func expectCount(_ object: String, _ counts: (frames: Int, entries: Int), at path: String) throws {
    let reason = "it holds \(counts.entries) frames, but scenes/room/lidar/depth holds \(counts.frames)"
    let issues = try DatasetInspection(inspecting: path).issues
    #expect(
      issues.contains { $0.severity == .error && $0.object == object && $0.problem == reason }, "\(issues)")
    #expect { _ = try DatasetReader(readingFrom: path) } throws: { error in
      let error = error as? FathomError
      return error?.kind == .badData && error?.object == object && error?.reason == reason
    }
  }
}
