import DepthEvaluation
package import DepthVerdicts
import FathomPlainText
import FathomRuns

/// Limits in a file, a line for each: `range_error: 10mm`, `scale_error: 0.5%` of a certificate, `mae_m_measured: 1mm` of the gate. A number
/// is in the unit of what it limits.
package struct LimitsFile {
  private let file: SettingsFile
  private let entries: [(name: String, value: String)]

  /// - Parameter example: A line of the command that reads it.
  package init(_ path: String, example: String) throws {
    file = SettingsFile(kind: "limits", path: path)
    entries = try ConfigurationFile(file).entries
    guard !entries.isEmpty else {
      throw file.unusable("it has no limit", "write a line for each, say, '\(example)'")
    }
  }

  /// Of range errors, metres, and of the scale error, a share.
  package var certified: (range: Double?, scale: Double?) {
    get throws {
      var limits: (range: Double?, scale: Double?)
      for (name, text) in entries {
        switch (name, LimitValue(text)) {
        case ("range_error", .length(let value)?) where value > 0,
          ("range_error", .number(let value)?) where value > 0:
          limits.range = value
        case ("scale_error", .share(let value)?) where value > 0,
          ("scale_error", .number(let value)?) where value > 0:
          limits.scale = value
        case ("range_error", _), ("scale_error", _):
          throw file.unusable(
            "'\(text)' is not a limit of \(name)", "write, say, 'range_error: 10mm' or 'scale_error: 0.5%'")
        default:
          throw file.unusable(
            "it has an unknown figure '\(name)'",
            "\(EditDistance.advice(for: name, among: ["range_error", "scale_error"]))")
        }
      }
      return limits
    }
  }

  /// By how much metrics may be worse.
  package var rules: [WorseningRule] {
    get throws {
      try entries.map { name, text in
        do throws(WorseningRule.Problem) { return try WorseningRule("\(name):\(text)") } catch {
          throw file.unusable("\(error.description)", "write, say, 'mae_m_measured: 1%'")
        }
      }
    }
  }
}
