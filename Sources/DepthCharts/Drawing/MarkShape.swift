/// The shape of a mark of a data point, filled; areas are alike.
enum MarkShape: CaseIterable {
  case circle, square, triangle, diamond, invertedTriangle, pentagon

  /// A mark, centred: the first point of its path, or the centre of its circle, is the data point.
  /// - Parameter scale: 1 for marks among few.
  func element(at centre: SIMD2<Double>, scale: Double = 1) -> SVGElement {
    if self == .circle {
      return SVGElement(
        "circle",
        ["cx": SVGNumber.text(centre.x), "cy": SVGNumber.text(centre.y), "r": SVGNumber.text(2.97 * scale)])
    }
    // A path starts at the centre without drawing, so that whoever reads it finds the point.
    let corners = corners.map { centre + scale * $0 }
    return SVGElement("path", ["d": "M\(SVGNumber.pair(centre))\(SVGNumber.path(corners, isClosed: true))"])
  }

  /// From the centre, in pixels.
  private var corners: [SIMD2<Double>] {
    switch self {
    case .circle: []
    case .square: [[-2.5, -2.5], [2.5, -2.5], [2.5, 2.5], [-2.5, 2.5]]
    case .triangle: [[0, -4.7], [3.5, 2.35], [-3.5, 2.35]]
    case .diamond: [[0, -3.95], [3.95, 0], [0, 3.95], [-3.95, 0]]
    case .invertedTriangle: [[0, 4.7], [-3.5, -2.35], [3.5, -2.35]]
    case .pentagon: [[0, -4.07], [3.87, -1.26], [2.39, 3.29], [-2.39, 3.29], [-3.87, -1.26]]
    }
  }
}
