/// An upright rectangle in a canvas's pixels, y downwards.
public struct Rectangle: Sendable, Hashable {
  /// Left and upper edge.
  public var x: Double, y: Double
  /// Extent, not negative.
  public var width: Double, height: Double

  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// With each edge moved outwards.
  func grown(by margin: Double) -> Rectangle {
    Rectangle(x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin)
  }

  /// Right edge.
  public var maxX: Double { x + width }
  /// Lower edge.
  public var maxY: Double { y + height }
}
