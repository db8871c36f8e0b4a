internal import DepthCore

extension PosedBox {
  /// The twelve edges of the box as a camera sees them, pixels of its image, also beyond it; rows counted from the top.
  ///
  /// An edge is hidden where both faces that it bounds look away from the camera: the box itself hides it. Seen from
  /// inside none is. Edges are cut where they come nearer than `nearest`.
  /// - Parameter nearest: Planar depth, metres.
  public func edges(
    seenBy camera: PosedCamera, nearest: Double = 0.05
  ) -> (visible: [(SIMD2<Double>, SIMD2<Double>)], hidden: [(SIMD2<Double>, SIMD2<Double>)]) {
    let offset = camera.position - center
    let place = SIMD3(pose.xAxis.dot(offset), pose.yAxis.dot(offset), pose.zAxis.dot(offset))
    let isInside = contains(camera.position)
    func faces(_ axis: Int, _ corner: Int) -> Bool {
      corner >> axis & 1 == 0 ? place[axis] < -size[axis] / 2 : place[axis] > size[axis] / 2
    }
    let corners = corners
    var edges: (visible: [(SIMD2<Double>, SIMD2<Double>)], hidden: [(SIMD2<Double>, SIMD2<Double>)]) = (
      [], []
    )
    for axis in 0..<3 {
      for corner in 0..<8 where corner >> axis & 1 == 0 {
        let ends = (corners[corner], corners[corner | 1 << axis])
        guard let seen = camera.segment(from: ends.0, to: ends.1, nearest: nearest) else { continue }
        let others = (0..<3).filter { $0 != axis }
        let isVisible = isInside || others.contains { faces($0, corner) }
        if isVisible { edges.visible.append(seen) } else { edges.hidden.append(seen) }
      }
    }
    return edges
  }
}

extension PosedCamera {
  /// Image points of the ends of what is seen of a segment; nil where none of it lies before the camera.
  fileprivate func segment(
    from start: SIMD3<Double>, to end: SIMD3<Double>, nearest: Double
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let depths = (depth(of: start), depth(of: end))
    guard max(depths.0, depths.1) > nearest else { return nil }
    func cut(_ point: SIMD3<Double>, _ own: Double, _ other: SIMD3<Double>, _ there: Double) -> SIMD3<Double>
    { own >= nearest ? point : point + (other - point) * ((nearest - own) / (there - own)) }
    guard let a = project(cut(start, depths.0, end, depths.1)),
      let b = project(cut(end, depths.1, start, depths.0))
    else { return nil }
    return ([a.u, a.v], [b.u, b.v])
  }
}
