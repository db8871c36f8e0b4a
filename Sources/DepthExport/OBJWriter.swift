internal import DepthCore
internal import DepthObjects

/// Boxes as Wavefront OBJ: one object of 8 vertices and 6 quads each, in the group of their method or of the truth.
enum OBJWriter {
  /// Corners of each side (``PosedBox/corners``), anticlockwise seen from outside.
  static let sides = [
    [0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6],
  ]

  static func write<Failure: Error>(
    _ scene: SpatialScene, materials: String, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = ByteBuffer()
    for line in scene.comments { buffer.append("# \(line)\n") }
    buffer.append("mtllib \(word(materials))\n")
    var names = UniqueNames()
    var vertices = 0
    for group in scene.groups {
      for box in group.boxes {
        buffer.append("\n# \(comment(box))\n")
        buffer.append("o \(names.unique(word(objectName(box, in: group))))\n")
        buffer.append("g \(word(group.name))\nusemtl \(word(group.name))\n")
        for corner in box.box.corners {
          let p = SIMD3<Float>(corner)
          buffer.append("v \(p.x) \(p.y) \(p.z)\n")
        }
        for side in sides {
          buffer.append("f " + side.map { String(vertices + $0 + 1) }.joined(separator: " ") + "\n")
        }
        vertices += 8
        try buffer.pass(to: sink)
      }
    }
    try buffer.flush(to: sink)
  }

  /// One translucent material for each group.
  static func materials(_ scene: SpatialScene) -> String {
    scene.groups.map { group in
      let colour = [group.colour.red, group.colour.green, group.colour.blue]
        .map { "\(Float($0) / 255)" }.joined(separator: " ")
      return "newmtl \(word(group.name))\nKd \(colour)\nKa 0.0 0.0 0.0\nd 0.4\nillum 1\n"
    }.joined(separator: "\n")
  }

  /// "truth/frame_3/potted_plant_95%_2.30m".
  private static func objectName(_ box: LabelledBox, in group: BoxGroup) -> String {
    let label = DistanceLabel(label: box.label, score: box.score, depth: box.distance)
    return "\(group.name)/frame_\(box.frame)/\(label.title)_\(label.distance.filter { $0 != " " })"
  }

  private static func comment(_ box: LabelledBox) -> String {
    let size = box.box.size
    let text =
      "class \(box.label), score \(box.score), distance \(box.distance) m, frame \(box.frame), "
      + "size \(size.x) × \(size.y) × \(size.z) m" + (box.reason.map { "; \($0)" } ?? "")
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// One word, as the format needs for names; a sharp sign would begin a comment.
  static func word(_ text: String) -> String {
    let word = String(text.map { $0.isWhitespace || $0 == "#" || $0 == "\0" ? "_" : $0 })
    return word.isEmpty ? "_" : word
  }
}
