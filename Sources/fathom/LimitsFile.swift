import FathomPlainText
import FathomRuns

/// Limits of a certificate in a file: `range_error: 10mm`, `scale_error: 0.5%`; a number is metres, or a share.
struct LimitsFile {
  private(set) var range: Double?, scale: Double?

  init(_ path: String) throws {
    let file = SettingsFile(kind: "limits", path: path)
    for (name, text) in try ConfigurationFile(file).entries {
      let number = Double(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
      switch name {
      case "range_error": range = number ?? Length(argument: text)?.metres
      case "scale_error": scale = number ?? Percentage(argument: text)?.share
      default:
        throw file.unusable(
          "it has an unknown figure '\(name)'",
          "\(EditDistance.advice(for: name, among: ["range_error", "scale_error"]))")
      }
      guard (name == "range_error" ? range : scale).map({ $0 > 0 }) == true else {
        throw file.unusable(
          "'\(text)' is not a limit of \(name)", "write, say, 'range_error: 10mm' or 'scale_error: 0.5%'")
      }
    }
    guard range != nil || scale != nil else {
      throw file.unusable("it has no limit", "write, say, 'range_error: 10mm' or 'scale_error: 0.5%'")
    }
  }
}
