import DepthDataset
import Foundation
import FathomHDF5
import FathomTestSupport
import Testing

/// Files that are made to crash a reader, to keep it busy, or to have it read what its user did not mean to give.
@Suite("hostile files", .serialized, .enabled(if: BuiltCommand.path != nil, BuiltCommand.comment))
struct HostileFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Valid ones.
  static let valid = [
    "attrs_nul_like.h5", "constant-relative-error.h5", "scene_cmd.h5", "small.h5", "small_latest.h5",
  ]

  static let shared: [String] = {
    let path = PackageFiles.realDataPath("hostile")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".h5") }.sorted()
  }()

  /// Runs the three commands that read a data set, each within 10 s and 1 GB (a debug build has three times as long).
  private func run(_ path: String, _ options: [String] = []) throws -> [BuiltCommand] {
    try ["inspect", "evaluate", "diagnose"].map { command in
      let output = folder.path("\(command)-output")
      let extra =
        command == "evaluate"
        ? [
          "--output", output, "--overwrite", "--methods", "ols", "--no-figures", "--no-gallery",
          "--no-diagnosis", "--quiet",
        ] : []
      let found = try BuiltCommand([command, path] + options + extra, in: folder.url, seconds: 30)
      #expect(found.signal == 0, "\(command) \(path)")
      #expect(found.memory < 1 << 30, "\(command) \(path): \(found.memory) bytes")
      return found
    }
  }

  /// 65 and one line from each of them, with the words.
  private func expectRefusal(_ path: String, _ words: String, _ options: [String] = []) throws {
    for found in try run(path, options) {
      #expect(found.code == 65)
      #expect(found.errorLines.count == 1 && found.errors.contains(words), "\(found.errors)")
      #expect(!folder.exists("evaluate-output"))
    }
  }

  @Test(
    "of the collection every file is refused with 65 and one line, or gives a result",
    .enabled(if: !shared.isEmpty, Comment(rawValue: PackageFiles.noRealData)), arguments: shared)
  func collection(_ name: String) throws {
    for found in try run(PackageFiles.realDataPath("hostile/" + name)) {
      #expect(found.code == (Self.valid.contains(name) ? 0 : 65), "\(name): \(found.errors)")
      #expect(found.errorLines.count <= 1, "\(name): \(found.errors)")
    }
  }

  /// The sample's first scene without relative map and image, with what `body` changes.
  private func file(_ name: String, _ body: (borrowing HDF5File) throws -> Void) throws -> String {
    let path = folder.path(name)
    try FileManager.default.copyItem(atPath: sample, toPath: path)
    let file = try HDF5File(updating: path)
    // What makes a diagnosis long, and has nothing to do with the reader.
    for object in ["scenes/room-02", Self.scene + "/relative", Self.scene + "/image"] {
      try file.remove(object)
    }
    try body(file)
    try file.close()
    return path
  }

  private static let scene = "scenes/room-01"

  /// Replaces an array by one of another shape, with the first entries written, all zero.
  private static func declare(
    _ file: borrowing HDF5File, _ name: String, _ shape: [Int], chunk: [Int], entries: Int
  ) throws {
    let path = scene + "/" + name
    let attributes = try file.attributeNames(of: path).map { ($0, try file.attribute($0, of: path)) }
    try file.remove(path)
    let dataset = try file.createDataset(path, shape: shape, of: Float.self, chunk: chunk, compression: 4)
    for entry in 0..<entries {
      try dataset.write([Float](repeating: 0, count: shape.dropFirst().reduce(1, *)), at: entry)
    }
    for (name, value) in attributes {
      if let value { try file.setAttribute(name, of: path, to: value) }
    }
  }

  @Test("what is declared is compared with what is stored, before it is read")
  func bombs() throws {
    let nothing = try file("nothing.h5") {
      try Self.declare($0, "truth/depth", [2, 11585, 11585], chunk: [1, 11585, 11585], entries: 0)
    }
    try expectRefusal(nothing, "nothing is stored in it")
    let zeros = try file("zeros.h5") {
      try Self.declare($0, "truth/depth", [2, 7200, 7200], chunk: [1, 7200, 7200], entries: 2)
    }
    try expectRefusal(zeros, "scenes/room-01/truth/depth: its ")
    let frames = try file("frames.h5") {
      try Self.declare($0, "lidar/depth", [10_000_000, 24, 32], chunk: [1, 24, 32], entries: 1)
    }
    try expectRefusal(frames, "bytes, but only")
    let many = try file("many.h5") {
      try Self.declare($0, "lidar/depth", [9_999_999, 1, 1], chunk: [1_000_000, 1, 1], entries: 1)
    }
    try expectRefusal(many, "it declares 9999999 frames, but the file has only")
    let objects = try file("objects.h5") {
      try Self.declare($0, "objects/score", [9_000_000], chunk: [1_000_000], entries: 1)
      try $0.remove(Self.scene + "/objects/frame")
      let chunked = try $0.createDataset(
        Self.scene + "/objects/frame", shape: [9_000_000], of: Int32.self, chunk: [1_000_000], compression: 9)
      try chunked.write([Int32](repeating: 0, count: 9_000_000))
    }
    try expectRefusal(objects, "it declares 9000000 detections, but the file has only")
    let masks = try file("masks.h5") { file in
      let count = try file.dataset(Self.scene + "/objects/frame").shape[0]
      try Self.declare(file, "objects/mask", [count, 3000, 3000], chunk: [1, 3000, 3000], entries: 1)
    }
    try expectRefusal(masks, "scenes/room-01/objects/mask: its shape [14, 3000, 3000] declares")
  }

  @Test("a long text, and links that make many scenes of one, are refused")
  func textsAndLinks() throws {
    let long = try file("long.h5") { file in
      let path = Self.scene + "/frame_id"
      let count = try file.dataset(Self.scene + "/lidar/depth").shape[0]
      if try file.kind(of: path) != nil { try file.remove(path) }
      try file.writeStrings(
        [String](repeating: String(repeating: "a", count: 10_000_000), count: count), to: path)
    }
    try expectRefusal(long, "it holds a text of 10000000 bytes; at most 1024 are read")
    let twice = try file("twice.h5") { file in
      for index in 0..<3 { try file.addLink("scenes/again-\(index)", to: Self.scene, isHard: true) }
    }
    try expectRefusal(twice, "it is a link to a scene that has another name already")
    let crowd = try file("crowd.h5") { file in
      for index in 0..<20_000 { try file.addLink("scenes/x\(index)", to: Self.scene, isHard: true) }
    }
    try expectRefusal(crowd, "it has more than 4096 members")
  }

  @Test("links that lead nowhere, or round in circles, are errors; soft links in the file are followed")
  func links() throws {
    let path = Self.scene + "/truth/depth"
    let dangling = try file("dangling.h5") { file in
      try file.remove(path)
      try file.addLink(path, to: "/nowhere", isHard: false)
    }
    try expectRefusal(dangling, "it is a link to '/nowhere', which does not exist")
    let round = try file("round.h5") { file in
      try file.remove(path)
      try file.addLink(path, to: "/" + path, isHard: false)
    }
    try expectRefusal(round, "it is a link to '/\(path)'")
    let soft = try file("soft.h5") { file in
      try file.move(path, to: "kept")
      try file.addLink(path, to: "/kept", isHard: false)
    }
    #expect(try run(soft).allSatisfy { $0.code == 0 })
  }

  @Test(
    "numbers beyond what can be computed with are refused by every command",
    arguments: [
      ("objects/truth/center", 1e38), ("objects/truth/size", 1e300), ("objects/bbox", Double.nan),
      ("camera/world_from_camera", 1e200), ("camera/intrinsics", 1e300), ("camera/intrinsics", 1e-300),
    ])
  func absurdNumbers(_ object: String, _ number: Double) throws {
    let path = try file("absurd.h5") { file in
      let dataset = try file.dataset(Self.scene + "/" + object)
      var numbers: [Double] = try dataset.read()
      numbers[0] = number
      try dataset.write(numbers)
    }
    try expectRefusal(path, Self.scene + "/" + object)
  }

  @Test("depth beyond any sensor is missing, whatever truth counts")
  func farDepth() async throws {
    let path = try file("far.h5") { file in
      for object in ["lidar/depth", "truth/depth"] {
        let dataset = try file.dataset(Self.scene + "/" + object)
        var numbers: [Float] = try dataset.read()
        for index in stride(from: 0, to: numbers.count, by: 7) {
          numbers[index] = index % 2 == 0 ? 1e38 : 1e10
        }
        try dataset.write(numbers)
      }
    }
    #expect(try run(path, []).allSatisfy { $0.code == 0 })
    let unlimited = try BuiltCommand(
      ["evaluate", path, "--max-truth", "inf", "--output", folder.path("far"), "--no-figures", "--quiet"],
      in: folder.url, seconds: 30)
    #expect(unlimited.code == 0 && unlimited.signal == 0, "\(unlimited.errors)")
  }

  @Test("a pipe, a device, a socket or a folder that is not a recording is refused at once")
  func notRegular() throws {
    let pipe = folder.path("pipe.h5")
    try #require(mkfifo(pipe, 0o600) == 0)
    let empty = folder.path("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
    for (path, kind) in [(pipe, "pipe"), ("/dev/zero", "device"), (empty, "folder")] {
      for found in try run(path) {
        // A folder may be a recording; where it is none, evaluate says what was looked for.
        #expect(found.code == 66 || kind == "folder" && found.code == 65)
        let words = kind == "folder" && found.code == 65 ? "the folder is empty" : "it is a \(kind)"
        #expect(found.errorLines.count == 1 && found.errors.contains(words), "\(found.errors)")
      }
    }
  }

  @Test("diagnose ends with 65 and the reason on what is not a data set, and on what has no scenes")
  func diagnoseForeign() throws {
    let foreign = folder.path("foreign.h5")
    let file = try HDF5File(creating: foreign)
    try file.createGroup("data")
    try file.close()
    let without = try BuiltCommand(["diagnose", foreign], in: folder.url, seconds: 30)
    #expect(without.code == 65 && without.output.isEmpty)
    #expect(without.errors.contains("it has no attribute format") && !without.errors.contains("--scenes"))
    let empty = folder.path("empty.h5")
    let other = try HDF5File(creating: empty)
    try other.setAttribute("format", to: .string("fathom"))
    try other.setAttribute("version", to: .integer(1))
    try other.createGroup("scenes")
    try other.close()
    let found = try BuiltCommand(["diagnose", empty], in: folder.url, seconds: 30)
    #expect(found.code == 65 && found.errors.contains("it holds no scenes"))
  }
}
