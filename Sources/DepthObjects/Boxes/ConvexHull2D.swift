/// Corners of the convex hull, counter-clockwise in (x, z), without points on its edges.
/// - Returns: One or two points where all points are equal or on a line.
/// - Complexity: O(n log n).
/// - SeeAlso: Andrew 1979, monotone chain.
func convexHull(_ points: [SIMD2<Double>]) -> [SIMD2<Double>] {
  let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
  func chain(_ points: some Sequence<SIMD2<Double>>) -> [SIMD2<Double>] {
    var chain: [SIMD2<Double>] = []
    for point in points {
      while let last = chain.last {
        guard last != point else {
          chain.removeLast()
          continue
        }
        guard chain.count > 1 else { break }
        let (a, b) = (last - chain[chain.count - 2], point - last)
        if a.x * b.y - a.y * b.x > 0 { break }
        chain.removeLast()
      }
      chain.append(point)
    }
    return chain
  }
  let (lower, upper) = (chain(sorted), chain(sorted.reversed()))
  guard lower.count > 1 else { return lower }
  return Array(lower.dropLast() + upper.dropLast())
}
