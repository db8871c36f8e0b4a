public import DepthCore
public import FathomDrawingScales

/// What a colour means: a colour map over a range of a quantity, with its name and unit.
public struct ColourScale: Sendable, Hashable {
  /// From the range's lower to its upper end.
  public var map: ColourMap
  /// Values that get the map's ends; what lies beyond gets the nearer end.
  public var range: ClosedRange<Double>
  /// The quantity: "depth".
  public var label: String
  /// Its unit: "m"; nil for none.
  public var unit: String?

  /// - Precondition: The range's ends are finite.
  public init(_ map: ColourMap = .viridis, range: ClosedRange<Double>, label: String, unit: String? = nil) {
    precondition(range.lowerBound.isFinite && range.upperBound.isFinite, "a scale has finite ends")
    (self.map, self.range, self.label, self.unit) = (map, range, label, unit)
  }

  /// A scale from the 2nd to the 98th percentile of what is finite, so that single outliers do not take the colours;
  /// 0…1 where nothing is.
  public init(
    _ map: ColourMap = .viridis, spanning values: some Sequence<Double>, label: String, unit: String? = nil
  ) {
    let sorted = values.filter(\.isFinite).sorted()
    func quantile(_ share: Double) -> Double { sorted[Int((share * Double(sorted.count - 1)).rounded())] }
    self.init(map, range: sorted.isEmpty ? 0...1 : quantile(0.02)...quantile(0.98), label: label, unit: unit)
  }

  /// The scale of a map that is coloured by rank: per cent of its pixels that hold less.
  public static func ranks(_ map: ColourMap = .viridis) -> ColourScale {
    ColourScale(map, range: 0...100, label: "pixels with a smaller value", unit: "%")
  }

  /// Where a value lies in the range, 0…1 within it; ½ everywhere in a range of one value.
  public func share(of value: Double) -> Double {
    let extent = range.upperBound - range.lowerBound
    return extent > 0 ? (value - range.lowerBound) / extent : (value.isNaN ? .nan : 0.5)
  }

  /// Colour of a value; nil for NaN.
  public func colour(of value: Double) -> RGB? { map.colour(at: share(of: value)) }
  /// "depth [m]".
  public var title: String { unit.map { "\(label) [\($0)]" } ?? label }
}
