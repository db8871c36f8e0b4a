/// The convex hull of a few points, grown by the point that stands out most.
///
/// A point stands out of a face by a volume, that of the tetrahedron on it, and counts if that is more than
/// round-off: flat triangles, whose normal means nothing, are then never the reason. What is passed over changes the
/// volume by round-off too, because small details come last: a large face never ends in one of them first.
struct ConvexHull3D: Sendable {
  /// Seen from outside its corners run counter-clockwise.
  private struct Triangle {
    let corners: (Int, Int, Int), origin: SIMD3<Double>
    /// Outward, as long as the parallelogram is large.
    let normal: SIMD3<Double>

    init(_ a: Int, _ b: Int, _ c: Int, _ points: [SIMD3<Double>]) {
      corners = (a, b, c)
      origin = points[a]
      normal = (points[b] - origin).cross(points[c] - origin)
    }

    var edges: [(Int, Int)] { [(corners.0, corners.1), (corners.1, corners.2), (corners.2, corners.0)] }
    /// Six times the volume of the tetrahedron on the triangle; positive outside.
    func height(_ point: SIMD3<Double>) -> Double { normal.dot(point - origin) }
  }

  private let points: [SIMD3<Double>]
  private var triangles: [Triangle] = []
  /// Share of the cube of the extent that counts as nothing.
  private static let roundOff = 1e-14

  /// - Complexity: O(n³); meant for tens of points.
  init(_ points: [SIMD3<Double>]) {
    self.points = points
    guard let first = points.first else { return }
    let start = farthest { (points[$0] - first).length }
    let far = farthest { (points[$0] - points[start]).length }
    let wide = farthest { (points[far] - points[start]).cross(points[$0] - points[start]).length }
    let floor = Triangle(start, far, wide, points)
    let high = farthest { abs(floor.height(points[$0])) }
    let extent = (points[far] - points[start]).length
    let nothing = Self.roundOff * extent * extent * extent, sixfold = floor.height(points[high])
    guard abs(sixfold) > nothing else { return }
    let base = sixfold > 0 ? Triangle(start, wide, far, points) : floor
    triangles = [base] + base.edges.map { Triangle($0.1, $0.0, high, points) }
    // Each round adds one point.
    for _ in points.indices {
      let heights = points.map { point in triangles.reduce(0) { max($0, $1.height(point)) } }
      let next = farthest { heights[$0] }
      guard heights[next] > nothing else { break }
      add(next, beyond: nothing)
    }
  }

  /// Cubic metres; 0 for points in one plane.
  var volume: Double {
    guard let apex = triangles.first?.origin else { return 0 }
    return triangles.reduce(0) { $0 - $1.height(apex) } / 6
  }

  private mutating func add(_ point: Int, beyond nothing: Double) {
    let isVisible = triangles.map { $0.height(points[point]) > nothing }
    let edges = zip(triangles, isVisible).filter(\.1).flatMap(\.0.edges)
    // An edge between two faces that are seen appears in both directions and disappears.
    let horizon = edges.filter { edge in !edges.contains { $0 == (edge.1, edge.0) } }
    triangles = zip(triangles, isVisible).filter { !$0.1 }.map(\.0)
    triangles += horizon.map { Triangle($0.0, $0.1, point, points) }
  }

  private func farthest(_ measure: (Int) -> Double) -> Int {
    points.indices.max { measure($0) < measure($1) } ?? 0
  }
}
