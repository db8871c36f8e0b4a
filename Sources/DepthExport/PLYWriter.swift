internal import DepthCore

/// Points as binary little-endian PLY: x, y, z, red, green, blue, confidence.
enum PLYWriter {
  static func write<Failure: Error>(
    _ scene: SpatialScene, to sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    var buffer = ByteBuffer()
    let points = scene.points
    buffer.append("ply\nformat binary_little_endian 1.0\n")
    for line in scene.comments { buffer.append("comment \(line)\n") }
    buffer.append("element vertex \(points.count)\n")
    for name in ["x", "y", "z"] { buffer.append("property float \(name)\n") }
    for name in ["red", "green", "blue", "confidence"] { buffer.append("property uchar \(name)\n") }
    buffer.append("end_header\n")
    for index in 0..<points.count {
      let (position, colour) = (points.positions[index], points.colours[index])
      buffer.append(position.x)
      buffer.append(position.y)
      buffer.append(position.z)
      buffer.append(colour.red)
      buffer.append(colour.green)
      buffer.append(colour.blue)
      buffer.append(points.confidences[index])
      try buffer.pass(to: sink)
    }
    try buffer.flush(to: sink)
  }
}
