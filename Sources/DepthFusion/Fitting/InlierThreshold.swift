public import DepthCore

/// When a pair counts as an inlier; a threshold carries its unit.
public enum InlierThreshold: Sendable, Hashable, Codable, CustomStringConvertible, OptionValue {
  /// Largest |residual| in predicted depth, metres: `0.05m`.
  case metres(Double)
  /// Largest |residual| in predicted disparity, 1/m: `0.02/m`.
  case perMetre(Double)
  /// Multiple of σ̂ = 1.4826·MAD of the residuals of a least-absolute-deviations fit: `2.5mad`.
  case residualMAD(Double)
  /// MAD of the target itself, unscaled, which is scikit-learn's default and lets nearly everything in:
  /// `target-mad`.
  case targetMAD

  /// From `0.05m`, `0.02/m`, `2.5mad` or `target-mad`; nil for anything else, and for a number ≤ 0.
  public init?(_ text: String) {
    func number(before suffix: String) -> Double? {
      guard text.hasSuffix(suffix), let value = Double(text.dropLast(suffix.count)), value > 0, value.isFinite
      else { return nil }
      return value
    }
    if text == "target-mad" {
      self = .targetMAD
    } else if let value = number(before: "mad") {
      self = .residualMAD(value)
    } else if let value = number(before: "/m") {
      self = .perMetre(value)
    } else if let value = number(before: "m") {
      self = .metres(value)
    } else {
      return nil
    }
  }

  public var description: String {
    switch self {
    case .metres(let value): "\(value)m"
    case .perMetre(let value): "\(value)/m"
    case .residualMAD(let value): "\(value)mad"
    case .targetMAD: "target-mad"
    }
  }

  public static var form: String { "0.05m, 0.02/m, 2.5mad or target-mad" }
  public static func reading(_ text: String) -> InlierThreshold? { InlierThreshold(text) }
  public var typed: String { description }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer(), text = try container.decode(String.self)
    guard let value = InlierThreshold(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a threshold; write \(Self.form)")
    }
    self = value
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
