/// Where values lie in a chart, in pixels from the top left corner of the figure.
struct ChartFrame {
  let area: PlotArea, x: AxisScale, y: AxisScale
  /// Widths and heights of the area, within which positions can be distinguished: magnitudes must not overflow.
  private static let farthest = 1e6
  func x(_ value: Double) -> Double { area.left + Self.bounded(x.position(value)) * area.width }
  func y(_ value: Double) -> Double { area.bottom - Self.bounded(y.position(value)) * area.height }
  func point(_ x: Double, _ y: Double) -> SIMD2<Double> { [self.x(x), self.y(y)] }
  private static func bounded(_ position: Double) -> Double { min(max(position, -farthest), farthest) }
}
