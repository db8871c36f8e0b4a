/// The convex hull of a few points, grown point by point.
///
/// A point extends the hull where it stands out of a face by more than round-off, measured as a volume: flat
/// triangles, whose normal means nothing, are then never the reason. What is passed over by that changes the
/// volume by round-off too.
struct ConvexHull3D: Sendable {
  private let points: [SIMD3<Double>]
  /// Corners of the triangles, counter-clockwise from outside.
  private(set) var triangles: [[Int]] = []
  /// Share of the cube of the extent that counts as nothing.
  private static let roundOff = 1e-14

  /// - Complexity: O(n²); meant for tens of points.
  init(_ points: [SIMD3<Double>]) {
    self.points = points
    guard let start = points.indices.first else { return }
    let far = farthest { (points[$0] - points[start]).length }
    let wide = farthest { (points[far] - points[start]).cross(points[$0] - points[start]).length }
    let high = farthest { abs(height(of: $0, over: [start, far, wide])) }
    let extent = (points[far] - points[start]).length
    let nothing = Self.roundOff * extent * extent * extent
    let sixfold = height(of: high, over: [start, far, wide])
    guard abs(sixfold) > nothing else { return }
    let base = sixfold > 0 ? [start, wide, far] : [start, far, wide]
    triangles = [base] + Self.edges(of: base).map { [$0.1, $0.0, high] }
    for point in points.indices { add(point, beyond: nothing) }
  }

  /// Cubic metres; 0 for points in one plane.
  var volume: Double {
    guard let apex = triangles.first?.first else { return 0 }
    return triangles.reduce(0) { $0 - height(of: apex, over: $1) } / 6
  }

  private mutating func add(_ point: Int, beyond nothing: Double) {
    let visible = triangles.filter { height(of: point, over: $0) > nothing }
    guard !visible.isEmpty else { return }
    let edges = visible.flatMap(Self.edges)
    // An edge between two faces that are seen appears in both directions and disappears.
    let horizon = edges.filter { edge in !edges.contains { $0 == (edge.1, edge.0) } }
    triangles.removeAll { visible.contains($0) }
    triangles += horizon.map { [$0.0, $0.1, point] }
  }

  /// Six times the volume of the tetrahedron on a triangle; positive outside.
  private func height(of point: Int, over triangle: [Int]) -> Double {
    let (a, b, c) = (points[triangle[0]], points[triangle[1]], points[triangle[2]])
    return (b - a).cross(c - a).dot(points[point] - a)
  }

  private func farthest(_ measure: (Int) -> Double) -> Int {
    points.indices.max { measure($0) < measure($1) } ?? 0
  }

  private static func edges(of triangle: [Int]) -> [(Int, Int)] {
    [(triangle[0], triangle[1]), (triangle[1], triangle[2]), (triangle[2], triangle[0])]
  }
}
