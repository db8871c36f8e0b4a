package import DepthCore

/// Points of a frame as the page's viewer reads them, little-endian: the lower corner x, y, z and the step, metres, as `Float`; for
/// each point x, y, z in steps as `UInt16`; then for each kind of colour the sRGB bytes of each point.
///
/// Axes of a frame's points are ARKit's of the camera: x right, y up, z backward; those of a scene's are the world's, y up.
package enum CloudFile {
  private static let headLength = 16

  /// - Parameter colours: For each kind, one of each point.
  /// - Returns: nil without points.
  package static func bytes(_ positions: [SIMD3<Float>], colours: [[RGB]]) -> [UInt8]? {
    guard let first = positions.first else { return nil }
    let (low, high) = positions.reduce(into: (first, first)) { ends, position in
      ends.0 = pointwiseMin(ends.0, position)
      ends.1 = pointwiseMax(ends.1, position)
    }
    let step = max((high - low).max() / 65535, .leastNormalMagnitude)
    var bytes: [UInt8] = []
    for number in [low.x, low.y, low.z, step] {
      withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 }
    }
    for position in positions {
      let place = ((position - low) / step).rounded(.toNearestOrEven)
      for axis in 0..<3 {
        withUnsafeBytes(of: UInt16(min(65535, place[axis])).littleEndian) { bytes += $0 }
      }
    }
    for colour in colours.joined() { bytes += [colour.red, colour.green, colour.blue] }
    return bytes
  }

  /// Bytes of a file; nil for numbers that no file has: a page may be made of anybody's run.
  package static func length(points: Int, colours: Int) -> Int? {
    (1...100_000).contains(points) && (1...4).contains(colours)
      ? headLength + points * (6 + 3 * colours) : nil
  }
}
