/// A unit that values are shown in, where it is not that of the tables: millimetres for lengths, per cent for shares.
public struct DisplayUnit: Sendable, Hashable {
  /// "mm"; nil for a number without a unit.
  public let symbol: String?
  /// What is shown is a value of the tables times this.
  public let scale: Double
  public init(_ symbol: String?, scale: Double = 1) { (self.symbol, self.scale) = (symbol, scale) }
  public static let number = DisplayUnit(nil), millimetre = DisplayUnit("mm", scale: 1000)
  public static let percent = DisplayUnit("%", scale: 100)
}

extension Metric.Unit {
  /// How charts show it, unless a metric says otherwise.
  public var display: DisplayUnit {
    switch self {
    case .none: .number
    case .metre: .millimetre
    case .share: .percent
    case .perMetre, .perKilometre, .degree, .pixel: DisplayUnit(rawValue)
    }
  }

  /// Behind a number of this unit: " 1/m"; empty for a number without one, and for a share.
  public var suffix: String { self == .none || self == .share ? "" : " \(rawValue)" }
}

/// The unit of lengths in sentences, tables and charts; shares are per cent under either. CSV and JSON files are always in metres.
public enum LengthUnit: String, Sendable, Codable, CaseIterable {
  case millimetres = "mm", metres = "m"

  /// How a metric is shown.
  public func display(_ metric: Metric) -> DisplayUnit {
    self == .metres && metric.display == .millimetre ? DisplayUnit("m") : metric.display
  }

  /// How a length is shown.
  public var display: DisplayUnit { self == .metres ? DisplayUnit("m") : .millimetre }
}
