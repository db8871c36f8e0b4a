/// The edges of a box in space as a camera sees them.
public struct WireframeMark: PictureMark {
  /// From end to end, pixels of the picture.
  public typealias Edge = (start: SIMD2<Double>, end: SIMD2<Double>)
  /// Edges of faces that look at the camera.
  public var visible: [Edge]
  /// Edges that the box itself hides; drawn thin.
  public var hidden: [Edge]
  /// Of the lines.
  public var colour: Colour

  public init(visible: [Edge], hidden: [Edge], colour: Colour) {
    (self.visible, self.hidden, self.colour) = (visible, hidden, colour)
  }

  public func draw(on canvas: borrowing Canvas, in frame: Rectangle) {
    let width = max(1.5, min(frame.width, frame.height) / 320)
    func paths(_ edges: [Edge]) -> [[SIMD2<Double>]] {
      let corner = SIMD2(frame.x, frame.y)
      return edges.map { [$0.start + corner, $0.end + corner] }
    }
    var faint = colour
    faint.alpha = 0.6 * colour.alpha
    canvas.stroke(paths(hidden), faint, width: 0.5 * width)
    // A dark rim separates the line from a picture of the same colour.
    canvas.stroke(paths(visible), Colour(grey: 0, alpha: 0.6), width: 2 * width)
    canvas.stroke(paths(visible), colour, width: width)
  }
}
