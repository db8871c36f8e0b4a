public import DepthEvaluation
import Foundation
import FathomPlainText

/// What may not become worse, and by how much it may: "mae_m_measured:0.001", "rmse_m:5%", "frames_solved".
public struct WorseningRule: Sendable, Hashable, CustomStringConvertible {
  /// By how much a value may be worse.
  public enum Tolerance: Sendable, Hashable {
    /// In the column's unit.
    case absolute(Double)
    /// A share of the reference's value over the shared frames.
    case relative(Double)

    /// Reads "0.001" or "5%", and "1mm" where the column is metres; nil where the text is neither, or below 0.
    public init?(_ text: String, unit: Metric.Unit? = nil) {
      switch LimitValue(text) {
      case .number(let value)?: self = .absolute(value)
      case .share(let share)?: self = .relative(share)
      case .length(let metres)? where unit == .metre: self = .absolute(metres)
      default: return nil
      }
    }
  }

  public let column: ComparedColumn, tolerance: Tolerance
  /// As it was written.
  public let description: String
  /// Why a text is not a rule.
  public struct Problem: Error, Sendable, CustomStringConvertible { public let description: String }

  /// Reads `METRIC` or `METRIC:TOLERANCE`.
  /// - Throws: ``Problem`` for a column that there is not or that has no better direction, and for a tolerance that is
  ///   negative or no number.
  public init(_ text: String) throws(Problem) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let usable = ComparedColumn.all.filter { $0.worsening(0) != nil }
    guard let column = ComparedColumn.named(parts[0]) else {
      throw Problem(
        description:
          "no metric is called '\(parts[0])'; \(EditDistance.advice(for: parts[0], among: usable.map(\.id)))")
    }
    guard usable.contains(column) else {
      throw Problem(description: "neither more nor less of \(column.id) is better; take mae_m for its size")
    }
    self.column = column
    description = text
    guard parts.count == 2 else {
      tolerance = .absolute(0)
      return
    }
    guard let tolerance = Tolerance(parts[1], unit: column.unit) else {
      throw Problem(
        description:
          "'\(parts[1])' is not a tolerance; give a number of at least 0 in the metric's unit, or a percentage"
      )
    }
    self.tolerance = tolerance
  }

  /// What to ask where a tolerance is at least as large as the value itself.
  func doubt(_ tolerance: Double, referenceValue: Double) -> String {
    let unit =
      switch (self.tolerance, column.unit) {
      case (.relative, _): ""
      case (_, .metre): "; the unit is metres: 1 mm is 0.001"
      case (_, .share): "; the unit is shares of 1: one percentage point is 0.01"
      default: ""
      }
    func short(_ number: Double) -> String { String(format: "%.3g", number) }
    return
      "'\(description)' tolerates \(short(tolerance)) where the reference has \(short(referenceValue)), so hardly anything can be worse\(unit)"
  }

  /// The tolerance in the column's unit, where the reference has this value.
  func allowance(_ referenceValue: Double) -> Double {
    switch tolerance {
    case .absolute(let value): value
    case .relative(let share): share * abs(referenceValue)
    }
  }
}
