/// Which numbers an option takes. NaN is never among them.
public struct OptionBounds: Sendable, Hashable {
  public let lower, upper: Double
  /// Whether an end itself is allowed.
  public let includesLower, includesUpper: Bool

  /// lower ≤ x ≤ upper.
  public static func from(_ lower: Double, to upper: Double) -> OptionBounds {
    OptionBounds(lower: lower, upper: upper, includesLower: true, includesUpper: true)
  }

  /// lower ≤ x < upper.
  public static func from(_ lower: Double, below upper: Double) -> OptionBounds {
    OptionBounds(lower: lower, upper: upper, includesLower: true, includesUpper: false)
  }

  /// lower < x ≤ upper.
  public static func above(_ lower: Double, to upper: Double) -> OptionBounds {
    OptionBounds(lower: lower, upper: upper, includesLower: false, includesUpper: true)
  }

  /// lower < x < upper, which leaves infinity out where no upper end is given.
  public static func above(_ lower: Double, below upper: Double = .infinity) -> OptionBounds {
    OptionBounds(lower: lower, upper: upper, includesLower: false, includesUpper: false)
  }

  /// lower ≤ x, without infinity.
  public static func atLeast(_ lower: Double) -> OptionBounds { from(lower, below: .infinity) }

  public func contains(_ number: Double) -> Bool {
    (includesLower ? number >= lower : number > lower) && (includesUpper ? number <= upper : number < upper)
  }

  /// What a number that is out of them was probably meant to be: percent for a share, or a slip of the unit.
  func slip(_ number: Double, in unit: OptionUnit?) -> String? {
    guard !contains(number) else { return nil }
    if let unit { return unit.slip(number, usual: upper.isFinite ? upper / 200 : nil) }
    guard upper <= 1, lower >= 0, contains(number / 100) else { return nil }
    return "\(number.typed) % is \((number / 100).typed)"
  }

  /// "from 0 to 1": continues "a number".
  public var words: String {
    switch (includesLower, upper.isFinite) {
    case (true, false): "of at least \(lower.typed)"
    case (false, false): "above \(lower.typed)"
    case (true, true): "from \(lower.typed) to \(includesUpper ? "" : "below ")\(upper.typed)"
    case (false, true): "above \(lower.typed) and \(includesUpper ? "at most" : "below") \(upper.typed)"
    }
  }
}
