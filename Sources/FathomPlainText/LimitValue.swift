/// A limit as people write it: "10mm", "0.5%", or a number in the unit of what it limits. Never negative.
public enum LimitValue: Sendable, Hashable {
  case number(Double)
  /// Metres.
  case length(Double)
  /// Of 1.
  case share(Double)

  public init?(_ text: String) {
    func number(without unit: String) -> Double? {
      guard text.hasSuffix(unit), let number = Double(text.dropLast(unit.count)), number >= 0,
        number.isFinite
      else { return nil }
      return number
    }
    if let metres = [("mm", 0.001), ("cm", 0.01), ("m", 1)].lazy.compactMap({ unit, size in
      number(without: unit).map { $0 * size }
    }).first {
      self = .length(metres)
    } else if let percent = number(without: "%") {
      self = .share(percent / 100)
    } else if let value = number(without: "") {
      self = .number(value)
    } else {
      return nil
    }
  }
}
