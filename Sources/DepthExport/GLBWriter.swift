internal import DepthCore
internal import DepthObjects
private import Foundation

/// Points and boxes as binary glTF 2.0 (Khronos Group 2021): metres, y up, right-handed, as the scene itself.
///
/// Points are a mesh of mode POINTS with `POSITION`, `COLOR_0` (linear light, 16 bits a channel, as the format has it) and
/// `_CONFIDENCE`, drawn without light where a viewer knows `KHR_materials_unlit`. Boxes are nodes below their group's, a unit cube
/// under a matrix; `extras` hold what a box is.
enum GLBWriter {
  static func write<Failure: Error>(
    _ scene: SpatialScene, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    let document = Document(scene)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard var json = try? encoder.encode(document) else {
      preconditionFailure("texts and finite numbers can be written")
    }
    while json.count % 4 != 0 { json.append(UInt8(ascii: " ")) }
    let binaryLength = document.buffers?.first?.byteLength ?? 0
    var buffer = ByteBuffer()
    buffer.append("glTF")
    buffer.append(UInt32(2))
    buffer.append(UInt32(12 + 8 + json.count + (binaryLength > 0 ? 8 + binaryLength : 0)))
    buffer.append(UInt32(json.count))
    buffer.append("JSON")
    for byte in json { buffer.append(byte) }
    if binaryLength > 0 {
      buffer.append(UInt32(binaryLength))
      buffer.append("BIN\0")
      try write(scene.points, &buffer, to: sink)
      if scene.hasBoxes { writeCube(&buffer) }
    }
    try buffer.flush(to: sink)
  }

  /// Bytes of a point in each of its three lists.
  fileprivate static let positionStride = 12, colourStride = 8, confidenceStride = 4

  private static func write<Failure: Error>(
    _ points: PointCloud, _ buffer: inout ByteBuffer, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    for position in points.positions {
      buffer.append(position.x)
      buffer.append(position.y)
      buffer.append(position.z)
      try buffer.pass(to: sink)
    }
    let light = (0...255).map { UInt16((65535 * RGB.linearLight(UInt8($0))).rounded()) }
    for colour in points.colours {
      for channel in [colour.red, colour.green, colour.blue] { buffer.append(light[Int(channel)]) }
      buffer.append(UInt16.max)
      try buffer.pass(to: sink)
    }
    for confidence in points.confidences {
      buffer.append(Float(confidence))
      try buffer.pass(to: sink)
    }
  }

  fileprivate static let cubeVertices = 8, cubeIndices = 36  // Of a cube: vertices, and two triangles a side.

  /// A unit cube about the origin, its corners in the order of ``PosedBox/corners``.
  private static func writeCube(_ buffer: inout ByteBuffer) {
    for corner in 0..<cubeVertices {
      for axis in 0..<3 { buffer.append(corner >> axis & 1 == 0 ? -0.5 : Float(0.5)) }
    }
    for side in OBJWriter.sides {
      for corner in [side[0], side[1], side[2], side[0], side[2], side[3]] { buffer.append(UInt16(corner)) }
    }
  }
}

extension SpatialScene {
  fileprivate var hasBoxes: Bool { groups.contains { !$0.boxes.isEmpty } }
}

/// The JSON chunk. Names are the format's own.
private struct Document: Encodable {
  struct Asset: Encodable {
    var version = "2.0", generator = "fathom"
    var extras: [String: [String]]
  }
  struct Scene: Encodable { var nodes: [Int]? }
  struct Node: Encodable {
    var name: String
    var mesh: Int?, matrix: [Double]?, children: [Int]?, extras: BoxFacts?
  }
  struct BoxFacts: Encodable {
    var `class`: String, frame: String, origin: String, reason: String
    var distance: Double?, score: Double?
  }
  struct Mesh: Encodable { var name: String, primitives: [Primitive] }
  struct Primitive: Encodable {
    var attributes: [String: Int]
    var indices: Int?
    var material: Int, mode: Int
  }
  struct Material: Encodable {
    var name: String, pbrMetallicRoughness: Surface
    var alphaMode: String?
    var doubleSided: Bool?, extensions: [String: [String: String]]?
  }
  struct Surface: Encodable { var baseColorFactor: [Double], metallicFactor = 0.0 }
  struct Accessor: Encodable {
    var bufferView: Int, componentType: Int, count: Int, type: String
    var normalized: Bool?
    var min: [Double]?, max: [Double]?
  }
  struct View: Encodable {
    var buffer = 0, byteOffset: Int, byteLength: Int
    var byteStride: Int?
    var target: Int
  }
  struct Buffer: Encodable { var byteLength: Int }
  let asset: Asset
  var scene = 0
  private(set) var scenes: [Scene]
  private(set) var nodes: [Node]?, meshes: [Mesh]?
  private(set) var materials: [Material]?, accessors: [Accessor]?, bufferViews: [View]?
  private(set) var buffers: [Buffer]?, extensionsUsed: [String]?
  /// OpenGL's numbers.
  private static let float = 5126, unsignedShort = 5123, vertices = 34962, indices = 34963
  private static let pointsMode = 0, trianglesMode = 4, unlit = "KHR_materials_unlit"

  init(_ scene: SpatialScene) {
    asset = Asset(extras: ["comments": scene.comments])
    scenes = [Scene()]
    var length = 0
    var (nodes, meshes, materials) = ([Node](), [Mesh](), [Material]())
    var (accessors, views) = ([Accessor](), [View]())
    /// A list of the binary chunk, and what it holds.
    func add(
      _ count: Int, _ type: String, _ component: Int, bytes: Int, strides: Bool = true,
      normalized: Bool? = nil, ends: (SIMD3<Float>, SIMD3<Float>)? = nil
    ) -> Int {
      views.append(
        View(
          byteOffset: length, byteLength: count * bytes, byteStride: strides ? bytes : nil,
          target: strides ? Self.vertices : Self.indices))
      length += count * bytes
      func numbers(_ p: SIMD3<Float>) -> [Double] { [Double(p.x), Double(p.y), Double(p.z)] }
      accessors.append(
        Accessor(
          bufferView: views.count - 1, componentType: component, count: count, type: type,
          normalized: normalized, min: ends.map { numbers($0.0) }, max: ends.map { numbers($0.1) }))
      return accessors.count - 1
    }
    let points = scene.points
    var roots: [Int] = []
    if let first = points.positions.first {
      let ends = points.positions.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
      let attributes = [
        "POSITION": add(points.count, "VEC3", Self.float, bytes: GLBWriter.positionStride, ends: ends),
        "COLOR_0": add(
          points.count, "VEC4", Self.unsignedShort, bytes: GLBWriter.colourStride, normalized: true),
        "_CONFIDENCE": add(points.count, "SCALAR", Self.float, bytes: GLBWriter.confidenceStride),
      ]
      materials.append(
        Material(
          name: "points", pbrMetallicRoughness: Surface(baseColorFactor: [1, 1, 1, 1]),
          extensions: [Self.unlit: [:]]))
      extensionsUsed = [Self.unlit]
      meshes.append(
        Mesh(
          name: "points",
          primitives: [Primitive(attributes: attributes, material: 0, mode: Self.pointsMode)]))
      nodes.append(Node(name: "points", mesh: 0))
      roots.append(0)
    }
    if scene.hasBoxes {
      let half = SIMD3<Float>(repeating: 0.5)
      let corners = add(
        GLBWriter.cubeVertices, "VEC3", Self.float, bytes: GLBWriter.positionStride, ends: (-half, half))
      let sides = add(GLBWriter.cubeIndices, "SCALAR", Self.unsignedShort, bytes: 2, strides: false)
      for group in scene.groups where !group.boxes.isEmpty {
        materials.append(Self.material(of: group))
        meshes.append(
          Mesh(
            name: group.name,
            primitives: [
              Primitive(
                attributes: ["POSITION": corners], indices: sides, material: materials.count - 1,
                mode: Self.trianglesMode)
            ]))
        let place = nodes.count
        roots.append(place)
        nodes.append(Node(name: group.name, children: Array(place + 1...place + group.boxes.count)))
        nodes += group.boxes.map { Self.node($0, in: group, mesh: meshes.count - 1) }
      }
    }
    guard !nodes.isEmpty else { return }
    scenes = [Scene(nodes: roots)]
    (self.nodes, self.meshes, self.materials) = (nodes, meshes, materials)
    (self.accessors, bufferViews) = (accessors, views)
    buffers = [Buffer(byteLength: length)]
  }

  private static func material(of group: BoxGroup) -> Material {
    let colour = [group.colour.red, group.colour.green, group.colour.blue].map(RGB.linearLight)
    return Material(
      name: group.name, pbrMetallicRoughness: Surface(baseColorFactor: colour + [0.4]), alphaMode: "BLEND",
      doubleSided: true)
  }

  private static func node(_ box: LabelledBox, in group: BoxGroup, mesh: Int) -> Node {
    let (pose, size) = (box.box.pose, box.box.size)
    let columns = [pose.xAxis * size.x, pose.yAxis * size.y, pose.zAxis * size.z].flatMap {
      axis -> [Double] in [axis.x, axis.y, axis.z, 0]
    }
    let centre = pose.translation
    let label = DistanceLabel(label: box.label, score: box.score, depth: box.distance)
    return Node(
      name: "\(label.title) \(label.distance)", mesh: mesh,
      matrix: columns + [centre.x, centre.y, centre.z, 1],
      extras: BoxFacts(
        class: box.label, frame: box.frame, origin: group.name, reason: box.reason ?? "of the data set",
        distance: box.distance.isFinite ? box.distance : nil,
        score: box.score.isFinite ? Double(box.score) : nil))
  }
}
