/// Ends of a scale beyond which values lie; such values have the end's colour.
public struct ScaleEnds: OptionSet, Sendable, Hashable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let lower = ScaleEnds(rawValue: 1), upper = ScaleEnds(rawValue: 2)

  /// Ends that values pass, compared in Float32 as layers do; NaN passes neither.
  public init(passedBy values: some Sequence<Float>, of range: ClosedRange<Double>) {
    let (low, high) = (Float(range.lowerBound), Float(range.upperBound))
    var (isBelow, isAbove) = (false, false)
    for value in values {
      isBelow = isBelow || value < low
      isAbove = isAbove || value > high
    }
    self = []
    if isBelow { insert(.lower) }
    if isAbove { insert(.upper) }
  }
}
