public import DepthCore
import Foundation

/// The form in which a line is fitted, and so what it assumes of the relative map.
public enum Space: String, Sendable, Hashable, Codable, CaseIterable {
  /// d = α·r + β
  case depth
  /// 1/d = α·r + β; r = 0 is censored ("infinitely far") in a fit and gives 1/β in a map.
  case disparity
  /// ln d = α·ln r + β, the power law; r ≤ 0 is missing.
  case log

  /// The observation that belongs to a metric depth, in this space's unit (m, 1/m, ln m).
  public func target(depth: Double) -> Double {
    switch self {
    case .depth: depth
    case .disparity: 1 / depth
    case .log: Foundation.log(depth)
    }
  }

  public func regressor(relative: Double) -> Double {
    switch self {
    case .depth, .disparity: relative
    case .log: Foundation.log(relative)
    }
  }

  /// Metric depth of a fitted value: the inverse of ``target(depth:)``, not clamped.
  ///
  /// A fitted disparity of 0 or less has no depth: `.infinity`.
  public func depth(fitted: Double) -> Double {
    switch self {
    case .depth: fitted
    case .disparity: fitted > 0 ? 1 / fitted : .infinity
    case .log: Foundation.exp(fitted)
    }
  }

  /// Sign of the slope that a map of this kind has when fitted in this space; nil for an unknown kind.
  public func expectedSlopeSign(for kind: RelativeKind) -> FloatingPointSign? {
    switch (kind, self) {
    case (.unknown, _): nil
    case (.disparity, .disparity), (.depth, .depth), (.depth, .log): .plus
    case (.disparity, .depth), (.disparity, .log), (.depth, .disparity): .minus
    }
  }

  /// The space in which a map of this kind is a line; disparity where the kind is not known, because that is
  /// what today's networks give (domain §2).
  public init(natural kind: RelativeKind) { self = kind == .depth ? .depth : .disparity }
}
