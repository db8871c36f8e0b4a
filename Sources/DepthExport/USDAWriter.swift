internal import DepthCore
internal import DepthObjects

/// Points and boxes as a USD stage in text: metersPerUnit 1, upAxis Y.
enum USDAWriter {
  private static let pointWidth: Float = 0.008  // Diameter that a point is drawn with, metres.

  static func write<Failure: Error>(
    _ scene: SpatialScene, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = ByteBuffer()
    buffer.append("#usda 1.0\n(\n    defaultPrim = \"Scene\"\n    doc = \(quoted(scene.comments))\n")
    buffer.append("    metersPerUnit = 1\n    upAxis = \"Y\"\n)\n\n")
    buffer.append("def Xform \"Scene\"\n{\n")
    if scene.points.count > 0 { try write(scene.points, &buffer, to: sink) }
    var names = UniqueNames()
    for group in scene.groups {
      buffer.append("    def Scope \"\(names.unique(identifier(group.name)))\"\n    {\n")
      var boxNames = UniqueNames()
      for box in group.boxes {
        let name = boxNames.unique(identifier("frame_\(box.frame)_\(box.label)"))
        write(box, named: name, in: group, &buffer)
        try buffer.pass(to: sink)
      }
      buffer.append("    }\n")
    }
    buffer.append("}\n")
    try buffer.flush(to: sink)
  }

  private static func write<Failure: Error>(
    _ points: PointCloud, _ buffer: inout ByteBuffer, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    func list(_ opening: String, _ item: (Int) -> String, _ closing: String) throws(Failure) {
      buffer.append(opening)
      for index in 0..<points.count {
        if index > 0 { buffer.append(", ") }
        buffer.append(item(index))
        try buffer.pass(to: sink)
      }
      buffer.append(closing)
    }
    let positions = points.positions
    let (low, high) = positions.reduce((positions[0], positions[0])) {
      (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1))
    }
    buffer.append("    def Points \"Points\"\n    {\n")
    buffer.append(
      "        float3[] extent = [\(triple(low - pointWidth / 2)), \(triple(high + pointWidth / 2))]\n")
    try list("        point3f[] points = [", { triple(positions[$0]) }, "]\n")
    let light = (0...255).map { Float(RGB.linearLight(UInt8($0))) }
    try list(
      "        color3f[] primvars:displayColor = [",
      { index in
        let colour = points.colours[index]
        return triple([light[Int(colour.red)], light[Int(colour.green)], light[Int(colour.blue)]])
      }, "] (\n            interpolation = \"vertex\"\n        )\n")
    try list(
      "        int[] primvars:confidence = [", { String(points.confidences[$0]) },
      "] (\n            interpolation = \"vertex\"\n        )\n")
    buffer.append(
      "        float[] widths = [\(pointWidth)] (\n            interpolation = \"constant\"\n        )\n    }\n"
    )
  }

  /// A unit cube that its transform turns into the box. USD multiplies row vectors from the left: rows are axes.
  private static func write(
    _ box: LabelledBox, named name: String, in group: BoxGroup, _ buffer: inout ByteBuffer
  ) {
    let (pose, size) = (box.box.pose, box.box.size)
    let rows = [pose.xAxis * size.x, pose.yAxis * size.y, pose.zAxis * size.z]
      .map { "(\($0.x), \($0.y), \($0.z), 0)" }
    let centre = pose.translation
    let label = DistanceLabel(label: box.label, score: box.score, depth: box.distance)
    let colour = triple([
      Float(RGB.linearLight(group.colour.red)), Float(RGB.linearLight(group.colour.green)),
      Float(RGB.linearLight(group.colour.blue)),
    ])
    buffer.append(
      """
              def Cube "\(name)" (
                  customData = {
                      string class = \(quoted([box.label]))
                      double distance = \(number(box.distance))
                      string frame = \(quoted([box.frame]))
                      string origin = \(quoted([group.name]))
                      string reason = \(quoted([box.reason ?? "of the data set"]))
                      double score = \(number(box.score))
                  }
                  displayName = \(quoted(["\(label.title) \(label.distance)"]))
              )
              {
                  float3[] extent = [(-0.5, -0.5, -0.5), (0.5, 0.5, 0.5)]
                  color3f[] primvars:displayColor = [\(colour)]
                  float[] primvars:displayOpacity = [0.4]
                  double size = 1
                  matrix4d xformOp:transform = ( \(rows.joined(separator: ", ")), (\(centre.x), \(centre.y), \(centre.z), 1) )
                  uniform token[] xformOpOrder = ["xformOp:transform"]
              }

      """)
  }

  /// As the text format takes it: a NaN has no sign there.
  private static func number(_ value: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
    value.isNaN ? "nan" : String(value)
  }

  private static func triple(_ p: SIMD3<Float>) -> String { "(\(p.x), \(p.y), \(p.z))" }

  /// A string literal, lines joined by "; ".
  static func quoted(_ lines: [String]) -> String {
    let text = lines.joined(separator: "; ").replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"" + text.split(whereSeparator: \.isNewline).joined(separator: " ").filter { $0 != "\0" } + "\""
  }

  /// Letters, digits and underscores, no digit first, as prims are named.
  static func identifier(_ text: String) -> String {
    let word = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return word.first.map { $0.isNumber } == false ? word : "_" + word
  }
}
