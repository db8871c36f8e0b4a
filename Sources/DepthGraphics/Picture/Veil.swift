/// What lies under colours that are not opaque, so that a legend can show what comes of them.
///
/// Over a picture no single colour stands for a value: the same one is darker over what is dark. A legend shows all of them,
/// from what lies over black to what lies over white, and so holds the colour that any grey under the layer makes.
public struct Veil: Sendable, Hashable {
  /// Of the colours, 0…1.
  public var opacity: Double
  /// sRGB greys that lie under them.
  public var grounds: ClosedRange<Double>

  public init(opacity: Double, grounds: ClosedRange<Double>) {
    (self.opacity, self.grounds) = (opacity, grounds)
  }

  /// nil for an opaque layer.
  /// - Parameter position: Of the layer, from the bottom; the lowest one lies on white paper.
  public init?(_ opacity: Float, at position: Int) {
    guard opacity < 1 else { return nil }
    self.init(opacity: Double(opacity), grounds: position == 0 ? 1...1 : 0...1)
  }

  private static let steps = 8  // Steps from the darkest ground to the brightest.

  /// What a colour looks like, from over the darkest ground to over the brightest.
  func shades(of colour: Colour) -> [Colour] {
    guard grounds.lowerBound < grounds.upperBound else { return [over(grounds.lowerBound, colour)] }
    let extent = grounds.upperBound - grounds.lowerBound
    return (0..<Self.steps).map { step in
      over(grounds.lowerBound + extent * Double(step) / Double(Self.steps - 1), colour)
    }
  }

  func middle(of colour: Colour) -> Colour { over((grounds.lowerBound + grounds.upperBound) / 2, colour) }

  private func over(_ grey: Double, _ colour: Colour) -> Colour {
    func mixed(_ channel: Double) -> Double { opacity * channel + (1 - opacity) * grey }
    return Colour(
      red: mixed(colour.red), green: mixed(colour.green), blue: mixed(colour.blue), alpha: colour.alpha)
  }
}
