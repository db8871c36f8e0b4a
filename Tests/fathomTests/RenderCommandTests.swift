import DepthCore
import DepthDataset
import DepthFusion
import DepthGraphics
import FathomDrawingScales
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

/// The points of a PLY file that `render` wrote.
private struct PointFile {
  let header: [String]
  /// 16 bytes each: x, y, z, red, green, blue, confidence.
  let vertices: [[UInt8]]

  init(_ path: String) throws {
    let data = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    let end = Array("end_header\n".utf8)
    let start = try #require(data.indices.first { data[$0...].starts(with: end) }) + end.count
    header = String(decoding: data[..<start], as: UTF8.self).split(separator: "\n").map(String.init)
    vertices = stride(from: start, to: data.count, by: 16).map { Array(data[$0..<$0 + 16]) }
  }
}

@Suite("fathom render")
struct RenderCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func render(_ data: String = sample, to name: String, _ options: String...) async -> Failure? {
    await run(["render", data, "--output", folder.path(name), "--quiet"] + options)
  }

  private func bytes(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
  }

  @Test("writes every return of the first frame, and the same bytes again")
  func points() async throws {
    #expect(await render(to: "a.ply") == nil)
    #expect(await render(to: "b.ply") == nil)
    #expect(try bytes("a.ply") == bytes("b.ply") && folder.names == ["a.ply", "b.ply"])
    let file = try PointFile(folder.path("a.ply"))
    let reader = try DatasetReader(readingFrom: sample)
    let frame = try reader.frame(0, of: reader.scenes[0])
    #expect(file.vertices.count == frame.lidar.values.count { $0 > 0 && $0.isFinite })
    #expect(file.vertices.map { $0[15] } == frame.confidence?.values)
    #expect(file.header.contains("comment coordinates: world, metres, y up"))
  }

  @Test("options reach the points")
  func selection() async throws {
    let reader = try DatasetReader(readingFrom: sample)
    let frame = try reader.frame(1, of: reader.scenes[1])
    let name = reader.scenes[1].name
    #expect(
      await render(
        to: "few.ply", "--scene", name, "--frame", "1", "--min-confidence", "1", "--depth-range", "2:3.5")
        == nil)
    let levels = try #require(frame.confidence).values
    let kept = zip(frame.lidar.values, levels).filter { $0 >= 2 && $0 <= 3.5 && $1 >= 1 }
    #expect(try PointFile(folder.path("few.ply")).vertices.count == kept.count)
    #expect(await render(to: "truth.ply", "--source", "truth") == nil)
    #expect(try PointFile(folder.path("truth.ply")).vertices.count == frame.truth?.values.count)
    #expect(await render(to: "auto.ply", "--source", "auto") == nil)
    #expect(await render(to: "ols.ply", "--source", "ols") == nil)
    #expect(try bytes("auto.ply") != bytes("ols.ply"))
    #expect(await render(to: "smoothed.ply", "--source", "smoothed", "--frame", "1") == nil)
  }

  @Test("a random method draws from the seed, and the seed alone")
  func seed() async throws {
    #expect(await render(to: "a.ply", "--source", "ransac") == nil)
    #expect(await render(to: "b.ply", "--source", "ransac") == nil)
    #expect(await render(to: "c.ply", "--source", "ransac", "--seed", "7") == nil)
    #expect(try bytes("a.ply") == bytes("b.ply") && bytes("a.ply") != bytes("c.ply"))
  }

  @Test("without image turbo by depth, without poses the camera's axes, without confidence 2 throughout")
  func bare() async throws {
    let path = folder.path("bare.h5")
    try sampleCopy(to: path) {
      $0.hasPoses = false
      $0.hasConfidence = false
    } frame: {
      $0.worldFromCamera = nil
      $0.confidence = nil
    }
    #expect(await render(path, to: "bare.ply", "--depth-range", "1:3") == nil)
    let file = try PointFile(folder.path("bare.ply"))
    #expect(file.header.contains { $0.hasPrefix("comment coordinates: camera (x right, y up, z backward)") })
    #expect(file.header.contains("comment colour: turbo by planar depth"))
    let turbo = ColourScale(.turbo, range: 1...3, label: "")
    #expect(file.vertices.count > 1000 && file.vertices.allSatisfy { $0[15] == 2 })
    for vertex in file.vertices.prefix(2000) {
      let z = Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(vertex[8 + $1]) << (8 * UInt32($1)) })
      let colour = try #require(turbo.colour(of: Double(-z)))
      #expect(Array(vertex[12..<15]) == [colour.red, colour.green, colour.blue])
    }
  }

  @Test("boxes fitted and true are in groups of their own; methods can be chosen")
  func boxes() async throws {
    #expect(await render(to: "boxes.obj", "--boxes", "closeness,truth,auto") == nil)
    #expect(folder.names == ["boxes.mtl", "boxes.obj"])
    let text = try String(contentsOfFile: folder.path("boxes.obj"), encoding: .utf8)
    let groups = text.split(separator: "\n").filter { $0.hasPrefix("g ") }.map { $0.dropFirst(2) }
    let counts = Dictionary(groups.map { (String($0), 1) }, uniquingKeysWith: +)
    #expect(Set(counts.keys) == ["fitted_closeness", "truth", "fitted_auto"] && counts["truth"] == 7)
    #expect(text.contains("mtllib boxes.mtl"))
    #expect(await render(to: "none.usda", "--boxes", "none") == nil)
    #expect(await render(to: "default.usda") == nil)
    let none = try String(contentsOfFile: folder.path("none.usda"), encoding: .utf8)
    let standard = try String(contentsOfFile: folder.path("default.usda"), encoding: .utf8)
    #expect(!none.contains("def Cube") && none.contains("def Points"))
    #expect(standard.contains("def Scope \"fitted_auto\"") && standard.contains("def Scope \"truth\""))
  }

  @Test("all frames: numbered files with a list, or one file in the world")
  func allFrames() async throws {
    #expect(await render(to: "all", "--all-frames", "--format", "obj") == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("all")).sorted() == [
        "render.json", "room-01-0000.mtl", "room-01-0000.obj", "room-01-0001.mtl", "room-01-0001.obj",
      ])
    #expect(await render(to: "single.obj", "--frame", "1") == nil)
    let numbered = try String(contentsOfFile: folder.path("all/room-01-0001.obj"), encoding: .utf8)
    let single = try String(contentsOfFile: folder.path("single.obj"), encoding: .utf8)
    #expect(numbered.replacing("room-01-0001.mtl", with: "single.mtl") == single)
    let everything = ["--all-frames", "--merge", "--min-confidence", "0", "--voxel", "0"]
    #expect(
      await run(["render", sample, "--output", folder.path("merged.ply"), "--quiet"] + everything) == nil)
    let first = try PointFile(folder.path("merged.ply")).vertices
    #expect(await render(to: "0.ply") == nil)
    #expect(await render(to: "1.ply", "--frame", "1") == nil)
    #expect(
      try first == PointFile(folder.path("0.ply")).vertices + PointFile(folder.path("1.ply")).vertices)
    // By default a merged cloud is thinned, and without the returns of confidence 0.
    #expect(await render(to: "thin.ply", "--all-frames", "--merge") == nil)
    let thin = try PointFile(folder.path("thin.ply"))
    #expect(thin.vertices.count < first.count && thin.vertices.allSatisfy { $0[15] >= 1 })
    #expect(thin.header.contains("comment points: the mean of those in each cube of 0.01 m"))
    #expect(await render(to: "some.glb", "--frames", "0:2", "--merge") == nil)
    #expect(try bytes("some.glb").starts(with: Array("glTF".utf8)))
    // A folder is replaced only when asked for.
    #expect(await render(to: "all", "--all-frames", "--format", "obj")?.code == Failure.cannotCreate)
    #expect(await render(to: "all", "--all-frames", "--format", "ply", "--overwrite") == nil)
    #expect(!folder.exists("all/room-01-0000.obj") && folder.exists("all/room-01-0000.ply"))
  }

  @Test(
    "wrong usage says what there is",
    arguments: [
      (["--scene", "kitchen"], "there are room-01, room-02"), (["--frame", "9"], "there are 0, 1"),
      (["--source", "best"], "lidar-nearest"), (["--source", "all"], "is not one method"),
      (["--format", "obj", "--boxes", "box"], "pca-xz"),
      (["--format", "ply", "--boxes", "auto"], "holds points only"),
      (["--format", "obj", "--boxes", "none"], "holds boxes only"), (["--min-confidence", "3"], "0, 1 or 2"),
      (["--depth-range", "3:2"], "3:2"), (["--merge"], "--all-frames"),
      (["--format", "gif"], "'gif'"),
      (["--frame", "0", "--all-frames"], "exclude"), (["--frames", "0:1", "--all-frames"], "exclude"),
      (["--format", "ply", "--voxel", "2"], "0 to 1 m"),
      (["--format", "obj", "--voxel", "0.1"], "boxes only"),
      (["--voxel", "0.1"], "only points"),
      (["--format", "usda", "--boxes", "auto,"], "there is no ''"),
    ])
  func usage(_ options: [String], _ hint: String) async throws {
    let failure = try #require(
      await run(["render", sample, "--output", folder.path("out"), "--quiet"] + options))
    #expect(failure.code == Failure.usage && failure.message.contains(hint) && folder.names.isEmpty)
    #expect(!failure.message.contains("\n"))
  }

  @Test("data that lack what is asked for are refused, and nothing is written")
  func refused() async throws {
    let path = folder.path("bare.h5")
    try sampleCopy(to: path)
    for (options, hint) in [
      (["--format", "obj"], "no detections"), (["--format", "usda", "--boxes", "truth"], "no detections"),
      (["--source", "spec"], "room-01"), (["--source", "stored:net"], "no such prediction"),
    ] {
      let failure = try #require(
        await run(["render", path, "--output", folder.path("out"), "--quiet"] + options))
      #expect(failure.code == Failure.badData && failure.message.contains(hint), "\(failure.message)")
    }
    let flat = folder.path("flat.h5")
    try sampleCopy(to: flat) {
      $0.hasPoses = false
    } frame: {
      $0.worldFromCamera = nil
    }
    let merged = try #require(await render(flat, to: "out.ply", "--all-frames", "--merge"))
    #expect(merged.code == Failure.badData && merged.message.contains("leave out --merge"))
    #expect(folder.names == ["bare.h5", "flat.h5"])
    // Points need no detections.
    #expect(await render(path, to: "points.usda") == nil)
  }

  @Test("an output that cannot be made is refused before work")
  func outputs() async throws {
    #expect(await render(to: "a.obj") == nil)
    #expect(await render(to: "a.obj")?.code == Failure.cannotCreate)
    #expect(await render(to: "a.obj", "--overwrite") == nil)
    // The library beside it is not replaced either.
    try FileManager.default.removeItem(atPath: folder.path("a.obj"))
    #expect(await render(to: "a.obj")?.code == Failure.cannotCreate)
    #expect(folder.names == ["a.mtl"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("device"), withDestinationPath: "/dev/null")
    #expect(await render(to: "device", "--overwrite")?.code == Failure.cannotCreate)
    try FileManager.default.removeItem(atPath: folder.path("device"))
    #expect(await render(to: "no/such/a.ply")?.code == Failure.cannotCreate)
    #expect(await render(to: "a.ply", "--format", "usda")?.code == Failure.usage)
    #expect(await render(to: "a.gif")?.message.contains("there is no format 'gif'") == true)
    #expect(await render("absent.h5", to: "b.ply")?.code == Failure.noInput)
    try FileManager.default.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: false)
    #expect(await render(to: "there", "--format", "usda") == nil)
    #expect(folder.exists("there/sample-room-01-0.usda"))
    #expect(folder.names == ["a.mtl", "there"])
  }
}
