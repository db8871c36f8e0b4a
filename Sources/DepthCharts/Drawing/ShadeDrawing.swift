/// The strip of shades below the x axis: the larger a share, the stronger.
struct ShadeDrawing {
  /// Pixels.
  static let height = 8.0

  private let shade: ChartShade
  private let frame: ChartFrame

  init(_ shade: ChartShade, _ frame: ChartFrame) { (self.shade, self.frame) = (shade, frame) }

  /// Its places meet half way; equal shades beside each other are one.
  ///
  /// - Parameter top: Of the strip, in pixels.
  func element(top: Double) -> SVGElement {
    let (area, x) = (frame.area, shade.x)
    // Neighbours share an edge; smoothed, it would show as a line.
    var group = SVGElement.group("shade", ["shape-rendering": "crispEdges"]).filled(.mark)
    var (start, last) = (0, nil as String?)
    func edge(_ index: Int) -> Double {
      let place =
        index == 0
        ? x[0] - 0.5 : index == x.count ? x[index - 1] + 0.5 : (x[index - 1] + x[index]) / 2
      return min(max(frame.x(place), area.left), area.right)
    }
    for index in 0...x.count {
      // Half a per cent is not seen.
      let opacity =
        index < x.count ? shade.shares[index].map { SVGNumber.text(($0 * 100).rounded() / 100) } : nil
      guard opacity != last || index == x.count else { continue }
      if let last {
        var box = SVGElement.box(nil, edge(start), top, edge(index), top + Self.height)
        box.set("fill-opacity", last)
        group.append(box)
      }
      (start, last) = (index, opacity)
    }
    var outline = SVGElement.box(nil, area.left, top, area.right, top + Self.height)
    outline.set("fill", "none")
    group.append(outline.stroked(.axis, width: 0.6))
    return group
  }
}
