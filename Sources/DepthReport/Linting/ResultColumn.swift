import Foundation

/// A column of a table of results, recognised by its name: Fathom's own or what papers and other tools write.
struct ResultColumn: Sendable, Equatable {
  /// What the linter knows limits and orders of.
  enum Quantity: Hashable, Sendable {
    case absRel, sqRel, rmse, mae, bias, medianAE, p90AE, p95AE, medianRel, rmseLog, log10, silog, irmse,
      ause, coverage
    /// Share within 1.25^exponent.
    case delta(exponent: Double)
  }

  let quantity: Quantity
  /// Columns are only held against each other on the same pixels: "", "measured", "filled".
  let support: String
  /// What a value is multiplied by: metres from "mm", shares from "%".
  let scale: Double

  /// - Parameter header: "AbsRel ↓", "rmse_m", "MAE [mm]", "δ < 1.25²", "a1", "d1 (%)", "mae_m_measured".
  /// - Returns: nil for a column that is no known metric, intervals and differences included.
  init?(header: String) {
    var text = header.lowercased().map { Self.plain[$0] ?? String($0) }.joined()
    var unit = text.contains("%") ? "%" : ""
    if let open = text.firstIndex(where: { $0 == "[" || $0 == "(" }) {
      unit = text[open...].filter { $0.isLetter || $0 == "%" }
      text = String(text[..<open])
    }
    text = text.filter { ($0.isASCII && ($0.isLetter || $0.isNumber)) || $0 == "." }
    var support = ""
    for suffix in ["measured", "filled"] where text.hasSuffix(suffix) {
      support = suffix
      text.removeLast(suffix.count)
    }
    self.support = support
    if let exponent = Self.deltas[text] {
      quantity = .delta(exponent: exponent)
    } else {
      let name = text.filter { $0 != "." }
      // "rmse_mm": the unit is part of the name.
      let suffix = ["mm", "cm", "m"].first {
        name.hasSuffix($0) && Self.lengths[String(name.dropLast($0.count))] != nil
      }
      if let suffix, let length = Self.lengths[String(name.dropLast(suffix.count))] {
        quantity = length
        unit = suffix
      } else if let known = Self.lengths[name] ?? Self.names[name] {
        quantity = known
      } else {
        return nil
      }
    }
    scale = unit == "%" ? 0.01 : Self.lengths.values.contains(quantity) ? (Self.metres[unit] ?? 1) : 1
  }

  private static let metres = ["mm": 1e-3, "cm": 1e-2, "m": 1]

  /// Characters that papers write and their plain forms.
  private static let plain: [Character: String] = [
    "δ": "delta", "₀": "0", "₁": "1", "₂": "2", "₃": "3", "²": "2", "³": "3", "½": "0.5",
  ]

  private static let deltas: [String: Double] = {
    var names: [String: Double] = ["delta": 1, "delta1.25": 1, "delta0.5": 0.5, "delta05": 0.5, "d05": 0.5]
    for (digit, exponent) in [("1", 1.0), ("2", 2), ("3", 3)] {
      for prefix in ["d", "delta", "a", "acc"] { names[prefix + digit] = exponent }
      names["delta1.25" + digit] = exponent
      names["d1.25" + digit] = exponent
    }
    names["delta1.250.5"] = 0.5
    return names
  }()

  /// Quantities that carry the unit of depth.
  private static let lengths: [String: Quantity] = [
    "sqrel": .sqRel, "squarerel": .sqRel, "rmse": .rmse, "rms": .rmse, "rootmeansquareerror": .rmse,
    "mae": .mae,
    "l1": .mae, "meanabsoluteerror": .mae, "bias": .bias, "meanerror": .bias, "medianae": .medianAE,
    "medae": .medianAE, "p90ae": .p90AE, "p90": .p90AE, "p95ae": .p95AE, "p95": .p95AE,
  ]

  private static let names: [String: Quantity] = [
    "absrel": .absRel, "rel": .absRel, "arel": .absRel, "absoluterelative": .absRel, "absrelative": .absRel,
    "absrelerror": .absRel, "sqrelkitti": .sqRel, "medianrel": .medianRel, "rmselog": .rmseLog,
    "logrmse": .rmseLog, "rmslog": .rmseLog, "log10": .log10, "silog": .silog, "irmse": .irmse,
    "irmseperm": .irmse, "irmseperkm": .irmse, "ause": .ause, "coverage": .coverage,
    "completeness": .coverage,
  ]
}
