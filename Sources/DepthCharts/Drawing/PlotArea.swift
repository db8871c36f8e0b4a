/// The area between the axes, in pixels from the top left corner of the figure.
struct PlotArea {
  var left: Double, top: Double, right: Double, bottom: Double
  var width: Double { right - left }
  var height: Double { bottom - top }
  var centre: SIMD2<Double> { [(left + right) / 2, (top + bottom) / 2] }

  /// Whether it holds a point; its sides belong to it.
  func contains(_ point: SIMD2<Double>) -> Bool {
    // A hundredth of a pixel is what is drawn.
    point.x >= left - 0.01 && point.x <= right + 0.01 && point.y >= top - 0.01 && point.y <= bottom + 0.01
  }

  /// What of a line lies in the area (Liang and Barsky 1984), in as many pieces as it needs.
  func clipped(line points: [SIMD2<Double>]) -> [[SIMD2<Double>]] {
    var (pieces, piece) = ([[SIMD2<Double>]](), [SIMD2<Double>]())
    for (from, to) in zip(points, points.dropFirst()) {
      guard let (start, end) = clipped(from, to) else { continue }
      if piece.last != start {
        if piece.count > 1 { pieces.append(piece) }
        piece = [start]
      }
      piece.append(end)
    }
    return piece.count > 1 ? pieces + [piece] : pieces
  }

  private func clipped(_ from: SIMD2<Double>, _ to: SIMD2<Double>) -> (SIMD2<Double>, SIMD2<Double>)? {
    let step = to - from
    var (enters, leaves) = (0.0, 1.0)
    for (towards, distance) in [
      (-step.x, from.x - left), (step.x, right - from.x), (-step.y, from.y - top), (step.y, bottom - from.y),
    ] {
      if towards == 0 {
        if distance < 0 { return nil }
      } else if towards < 0 {
        enters = max(enters, distance / towards)
      } else {
        leaves = min(leaves, distance / towards)
      }
    }
    guard enters <= leaves else { return nil }
    return (enters == 0 ? from : from + enters * step, leaves == 1 ? to : from + leaves * step)
  }

  /// What of a polygon lies in the area (Sutherland and Hodgman 1974); empty where nothing does.
  func clipped(polygon points: [SIMD2<Double>]) -> [SIMD2<Double>] {
    let sides: [(SIMD2<Double>) -> Double] = [
      { $0.x - left }, { right - $0.x }, { $0.y - top }, { bottom - $0.y },
    ]
    return sides.reduce(points) { points, inside in
      var kept = [SIMD2<Double>]()
      guard var previous = points.last else { return [] }
      for point in points {
        let (before, now) = (inside(previous), inside(point))
        if (before < 0) != (now < 0) { kept.append(previous + before / (before - now) * (point - previous)) }
        if now >= 0 { kept.append(point) }
        previous = point
      }
      return kept
    }
  }
}
