import DepthCore
import DepthObjects
import Foundation
import Testing

@testable import DepthExport

private func bytes(_ scene: SpatialScene, _ format: GeometryFormat, materials: String = "m.mtl") -> [UInt8] {
  var all: [UInt8] = []
  format.write(scene, materials: materials) { all += $0 }
  return all
}

private func text(_ scene: SpatialScene, _ format: GeometryFormat, materials: String = "m.mtl") -> String {
  String(decoding: bytes(scene, format, materials: materials), as: UTF8.self)
}

private func cloud(_ count: Int) -> PointCloud {
  var cloud = PointCloud()
  for i in 0..<count {
    let number = UInt8(i % 256)
    cloud.append(
      [Double(i) / 3, -Double(i), 1e-5 * Double(i)], RGB(red: number, green: 255 - number, blue: 7),
      confidence: UInt8(i % 3))
  }
  return cloud
}

private func box(_ label: String, yaw: Double = 0.3, frame: String = "0") -> LabelledBox {
  LabelledBox(
    label: label, score: 0.95, distance: 2.3, frame: frame,
    box: PosedBox(OrientedBox(center: [1, 2, 3], size: [2, 1, 0.5], yaw: yaw)), reason: "two faces\nseen")
}

@Suite("Geometry files")
struct GeometryFormatTests {
  @Test("PLY holds every point bit by bit", arguments: [0, 1, 70_000])
  func ply(_ count: Int) throws {
    let points = cloud(count)
    let data = bytes(SpatialScene(.world, remarks: ["two\nlines"], points: points), .ply)
    let end = Array("end_header\n".utf8)
    let start = try #require(data.indices.first { data[$0...].starts(with: end) }) + end.count
    let header = String(decoding: data[..<start], as: UTF8.self).split(separator: "\n")
    #expect(header.starts(with: ["ply", "format binary_little_endian 1.0"]))
    #expect(header.contains("comment two lines") && header.contains("element vertex \(count)"))
    #expect(data.count - start == count * 16)
    for index in stride(from: 0, to: count, by: 997) {
      let vertex = Array(data[(start + 16 * index)..<(start + 16 * index + 16)])
      let coordinates = (0..<3).map { axis in
        Float(
          bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(vertex[4 * axis + $1]) << (8 * UInt32($1)) })
      }
      #expect(SIMD3(coordinates) == points.positions[index])
      let colour = points.colours[index]
      #expect(Array(vertex[12...]) == [colour.red, colour.green, colour.blue, points.confidences[index]])
    }
  }

  @Test(
    "binary glTF has two chunks of whole words, and views that hold what accessors count",
    arguments: [0, 1, 1000])
  func glb(_ count: Int) throws {
    let group = BoxGroup(
      .truth, colour: RGB(red: 0, green: 158, blue: 115), boxes: [box("cup"), box("a \"b\"")])
    for groups in [[], [group]] {
      let data = bytes(SpatialScene(.world, remarks: ["r"], points: cloud(count), groups: groups), .glb)
      func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) } }
      #expect(Array(data[0..<4]) == Array("glTF".utf8) && word(4) == 2 && word(8) == data.count)
      #expect(word(12) % 4 == 0 && Array(data[16..<20]) == Array("JSON".utf8))
      let json = Data(data[20..<20 + word(12)])
      let document = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      let views = document["bufferViews"] as? [[String: Int]] ?? []
      let length = (document["buffers"] as? [[String: Int]])?.first?["byteLength"] ?? 0
      #expect(data.count == 20 + word(12) + (length > 0 ? 8 + length : 0))
      #expect(
        views.reduce(0) { $0 + ($1["byteLength"] ?? 0) } == length
          && length == count * 24 + (groups.isEmpty ? 0 : 168))
      let nodes = document["nodes"] as? [[String: Any]] ?? []
      #expect(nodes.count == (count > 0 ? 1 : 0) + (groups.isEmpty ? 0 : 3))
      guard count > 0 else { continue }
      let start = 20 + word(12) + 8
      #expect(
        Float(bitPattern: UInt32(word(start + 12 * (count - 1)))) == cloud(count).positions[count - 1].x)
    }
  }

  @Test("a grid keeps the mean of the points of each cube, in the order of the cubes")
  func voxels() {
    var points = PointCloud()
    points.append([0.01, 0.01, 0.01], RGB(red: 0, green: 10, blue: 255), confidence: 0)
    points.append([-0.01, 0, 0], RGB(red: 9, green: 9, blue: 9), confidence: 1)
    var more = PointCloud()
    more.append([0.03, 0.05, 0.03], RGB(red: 1, green: 20, blue: 0), confidence: 2)
    var grid = VoxelGrid(edge: 0.1)
    grid.add(points)
    grid.add(more)
    let thinned = grid.points
    let expected: [SIMD3<Float>] = [[0.02, 0.03, 0.02], [-0.01, 0, 0]]
    #expect(thinned.positions.count == 2)
    for (found, place) in zip(thinned.positions, expected) {
      #expect((0..<3).allSatisfy { abs(found[$0] - place[$0]) < 1e-6 })
    }
    #expect(thinned.colours == [RGB(red: 1, green: 15, blue: 128), RGB(red: 9, green: 9, blue: 9)])
    #expect(thinned.confidences == [2, 1])
  }

  @Test("OBJ boxes are closed, seen from outside, and named uniquely in one word")
  func obj() throws {
    let groups = [
      BoxGroup(
        .method("auto"), colour: RGB(red: 230, green: 159, blue: 0),
        boxes: [box("potted plant"), box("potted plant")]),
      BoxGroup(.truth, colour: RGB(red: 0, green: 158, blue: 115), boxes: [box("tea\n# cup", yaw: -1)]),
    ]
    let scene = SpatialScene(.camera, groups: groups)
    let lines = text(scene, .obj, materials: "a b.mtl").split(separator: "\n").map(String.init)
    #expect(lines.contains("mtllib a_b.mtl") && lines[0].contains("camera (x right, y up, z backward)"))
    #expect(
      lines.filter { $0.hasPrefix("o ") } == [
        "o fitted_auto/frame_0/potted_plant_95%_2.30m", "o fitted_auto/frame_0/potted_plant_95%_2.30m_2",
        "o truth/frame_0/tea___cup_95%_2.30m",
      ])
    #expect(lines.filter { $0.hasPrefix("g ") } == ["g fitted_auto", "g fitted_auto", "g truth"])
    let vertices = lines.filter { $0.hasPrefix("v ") }.map { line in
      SIMD3(line.split(separator: " ").dropFirst().compactMap { Double($0) })
    }
    let faces = lines.filter { $0.hasPrefix("f ") }.map { line in
      line.split(separator: " ").dropFirst().compactMap { Int($0) }.map { $0 - 1 }
    }
    #expect(vertices.count == 24 && faces.count == 18 && faces.allSatisfy { $0.count == 4 })
    for (solid, sides) in stride(from: 0, to: 18, by: 6).map({ faces[$0..<$0 + 6] }).enumerated() {
      #expect(sides.joined().allSatisfy { (8 * solid..<8 * solid + 8).contains($0) })
      // Signed volume of the tetrahedra to the origin: positive only if every side is seen from outside.
      let volume = sides.reduce(0.0) { sum, side in
        sum + signedVolume(vertices[side[0]], vertices[side[1]], vertices[side[2]])
          + signedVolume(vertices[side[0]], vertices[side[2]], vertices[side[3]])
      }
      #expect(abs(volume - 1) < 1e-5)
    }
    let materials = try #require(GeometryFormat.obj.materials(of: scene))
    #expect(materials.contains("newmtl fitted_auto\nKd 0.9019608 0.62352943 0.0\n"))
    #expect(materials.contains("newmtl truth\n") && GeometryFormat.ply.materials(of: scene) == nil)
  }

  @Test("USD takes a NaN without sign only")
  func notANumber() {
    var unsure = box("cup")
    (unsure.score, unsure.distance) = (-Float.nan, -Double.nan)
    let colour = RGB(red: 0, green: 0, blue: 0)
    let file = text(SpatialScene(.world, groups: [BoxGroup(.truth, colour: colour, boxes: [unsure])]), .usda)
    #expect(file.contains("double score = nan\n") && file.contains("double distance = nan\n"))
  }

  @Test("USD is balanced, names prims uniquely, and keeps odd labels as text")
  func usda() {
    let groups = [
      BoxGroup(
        .method("pca-xz"), colour: RGB(red: 255, green: 0, blue: 0),
        boxes: [box("a \"b\" \\ 杯"), box("a \"b\" \\ 杯")])
    ]
    let scene = SpatialScene(.world, points: cloud(3), groups: groups)
    let file = text(scene, .usda)
    #expect(file.hasPrefix("#usda 1.0\n") && file.contains("metersPerUnit = 1\n    upAxis = \"Y\""))
    for (opening, closing) in [("{", "}"), ("[", "]")] as [(Character, Character)] {
      #expect(file.count { $0 == opening } == file.count { $0 == closing })
    }
    #expect(file.contains("def Scope \"fitted_pca_xz\""))
    #expect(
      file.contains("def Cube \"frame_0_a__b_____\"") && file.contains("def Cube \"frame_0_a__b______2\""))
    #expect(file.contains("string class = \"a \\\"b\\\" \\\\ 杯\""))
    #expect(file.contains("point3f[] points = [(0.0, -0.0, 0.0), (0.33333334, -1.0, 1e-05), "))
    // 128/255 of an sRGB channel is 0.2158605 of light.
    #expect(abs(RGB.linearLight(128) - 0.2158605) < 1e-7 && RGB.linearLight(255) == 1)
    #expect(!text(SpatialScene(.world), .usda).contains("Points"))
  }

  @Test("the same scene gives the same bytes", arguments: GeometryFormat.allCases)
  func deterministic(_ format: GeometryFormat) {
    let groups = [BoxGroup(.truth, colour: RGB(red: 1, green: 2, blue: 3), boxes: [box("cup")])]
    let scene = SpatialScene(.world, points: cloud(5000), groups: groups)
    #expect(bytes(scene, format) == bytes(scene, format))
  }

  @Test("an error of the sink ends the writing", arguments: GeometryFormat.allCases)
  func failure(_ format: GeometryFormat) {
    struct Full: Error {}
    var pieces = 0
    let groups = [BoxGroup(.truth, colour: RGB(red: 1, green: 2, blue: 3), boxes: [box("cup")])]
    #expect(throws: Full.self) {
      try format.write(SpatialScene(.world, points: cloud(200_000), groups: groups)) { _ throws(Full) in
        pieces += 1
        throw Full()
      }
    }
    #expect(pieces == 1)
  }

  private func signedVolume(_ a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) -> Double {
    let cross = SIMD3(b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x)
    return (a * cross).sum() / 6
  }
}
