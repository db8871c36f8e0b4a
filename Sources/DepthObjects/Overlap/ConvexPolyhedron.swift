internal import Foundation

/// A convex solid by its faces.
///
/// Faces that meet share their corners bit for bit, so that a plane cuts both at the same point and the surface
/// stays closed whatever the rounding. Coplanar and touching faces need no special treatment: a corner that
/// is on one or the other side by round-off moves the volume by round-off.
struct ConvexPolyhedron: Sendable {
  /// Corners of each face, counter-clockwise from outside, metres.
  private(set) var faces: [[SIMD3<Double>]]

  init(_ box: PosedBox) {
    let c = box.corners
    faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]]
      .map { face in face.map { c[$0] } }
  }

  /// Cubic metres, by the divergence theorem about one of the corners.
  var volume: Double {
    guard let apex = faces.first?.first else { return 0 }
    var sum = 0.0
    for face in faces {
      guard let first = face.first else { continue }
      for i in 1..<(max(2, face.count) - 1) {
        sum += (first - apex).dot((face[i] - apex).cross(face[i + 1] - apex))
      }
    }
    return sum / 6
  }

  /// Keeps what lies in the half-space.
  /// - SeeAlso: Sutherland & Hodgman 1974, face by face; the cut is closed by the polygon of its corners.
  mutating func clip(by space: HalfSpace) {
    var cut: [SIMD3<Double>] = []
    var kept: [[SIMD3<Double>]] = []
    for face in faces {
      var polygon: [SIMD3<Double>] = []
      for (corner, next) in zip(face, face.dropFirst() + face.prefix(1)) {
        let (d, e) = (space.distance(corner), space.distance(next))
        if d <= 0 { polygon.append(corner) }
        if (d <= 0) != (e <= 0) {
          // From inside to outside whichever way the edge runs: the same point in both of its faces.
          let point =
            d <= 0 ? corner + (next - corner) * (d / (d - e)) : next + (corner - next) * (e / (e - d))
          polygon.append(point)
          cut.append(point)
        }
      }
      if polygon.count > 2 { kept.append(polygon) }
    }
    if cut.count > 2 { kept.append(Self.ordered(cut, about: space.normal)) }
    faces = kept
  }

  /// Corners of a convex polygon, counter-clockwise about the normal.
  private static func ordered(_ corners: [SIMD3<Double>], about normal: SIMD3<Double>) -> [SIMD3<Double>] {
    let middle = corners.reduce(.zero, +) / Double(corners.count)
    // Any direction in the plane will do: across the normal and the axis that it is least along.
    let size = SIMD3(abs(normal.x), abs(normal.y), abs(normal.z))
    let other: SIMD3<Double> =
      size.x <= min(size.y, size.z) ? [1, 0, 0] : size.y <= size.z ? [0, 1, 0] : [0, 0, 1]
    let u = normal.cross(other), v = normal.cross(u)
    return corners.map { (angle: atan2(($0 - middle).dot(v), ($0 - middle).dot(u)), corner: $0) }
      .sorted { $0.angle < $1.angle }.map(\.corner)
  }
}
