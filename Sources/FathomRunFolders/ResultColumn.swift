import DepthEvaluation

/// A column of a table of results, recognised by its name: Fathom's own or what papers and other tools write.
struct ResultColumn: Sendable, Equatable {
  package let metric: Metric
  package let support: Support  // Columns are only compared with each other on the same pixels.
  let scale: Double  // What a value is multiplied by: metres from "mm", shares from "%".

  /// - Parameter header: "AbsRel ↓", "rmse_m", "MAE [mm]", "δ < 1.25²", "a1", "d1 (%)", "mae_m_measured".
  /// - Returns: nil for a column that is not a known metric, intervals and differences included.
  init?(header: String) {
    var text = header.lowercased().map { Self.plain[$0] ?? String($0) }.joined()
    var unit = text.contains("%") ? "%" : ""
    if let open = text.firstIndex(where: { $0 == "[" || $0 == "(" }) {
      unit = text[open...].filter { $0.isLetter || $0 == "%" }
      text = String(text[..<open])
    }
    text = text.filter { ($0.isASCII && ($0.isLetter || $0.isNumber)) || $0 == "." }
    var support = Support.all
    for (suffix, part) in Self.parts where text.hasSuffix(suffix) {
      support = part
      text.removeLast(suffix.count)
    }
    self.support = support
    if let tolerance = Self.tolerances[text] {
      metric = tolerance
    } else {
      let name = text.filter { $0 != "." }
      // "rmse_mm": the unit is part of the name.
      let suffix = ["mm", "cm", "m"].first {
        name.hasSuffix($0) && Self.lengths[String(name.dropLast($0.count))] != nil
      }
      if let suffix, let length = Self.lengths[String(name.dropLast(suffix.count))] {
        metric = length
        unit = suffix
      } else if let known = Self.lengths[name] ?? Self.names[name] {
        metric = known
      } else {
        return nil
      }
    }
    scale = unit == "%" ? 0.01 : metric.unit == .metre ? (Self.metres[unit] ?? 1) : 1
  }

  private static let metres = ["mm": 1e-3, "cm": 1e-2, "m": 1]
  private static let parts = [Support.measured, .filled].map { ($0.rawValue.filter(\.isLetter), $0) }

  /// Characters that papers write and their plain forms.
  private static let plain: [Character: String] = [
    "δ": "delta", "₀": "0", "₁": "1", "₂": "2", "₃": "3", "²": "2", "³": "3", "½": "0.5",
  ]

  /// Shares within 1.25 to some power. Points count here: "delta1.25" is one, and "d.1" the second column called "d".
  private static let tolerances: [String: Metric] = {
    var names: [String: Metric] = [
      "delta": .delta1, "delta1.25": .delta1, "delta0.5": .deltaHalf, "delta05": .deltaHalf,
      "d05": .deltaHalf, "delta1.250.5": .deltaHalf,
    ]
    for (power, metric) in [("1", Metric.delta1), ("2", .delta2), ("3", .delta3)] {
      for stem in ["d", "delta", "a", "acc", "delta1.25", "d1.25"] { names[stem + power] = metric }
    }
    return names
  }()

  /// What others call a metric, beside its own id.
  private static let aliases: [(Metric, [String])] = [
    (.absRel, ["rel", "arel", "absoluterelative", "absrelative", "absrelerror"]), (.sqRel, ["squarerel"]),
    (.rmse, ["rms", "rootmeansquareerror"]), (.mae, ["l1", "meanabsoluteerror"]), (.bias, ["meanerror"]),
    (.medianAE, ["medae"]), (.p90AE, ["p90"]), (.p95AE, ["p95"]), (.rmseLog, ["logrmse", "rmslog"]),
    (.irmse, ["irmse"]), (.coverage, ["completeness"]),
  ]

  /// Metrics that carry the unit of depth, by their names without it.
  private static let lengths = known { $0.unit == .metre }
  private static let names = known { $0.unit != .metre }

  private static func known(_ isWanted: (Metric) -> Bool) -> [String: Metric] {
    let own = Metric.all.filter { !tolerances.values.contains($0) }.map { ($0, [ownName($0)]) }
    let pairs = (own + aliases).filter { isWanted($0.0) }.flatMap { metric, names in
      names.map { ($0, metric) }
    }
    return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  /// "rmse" of "rmse_m".
  private static func ownName(_ metric: Metric) -> String {
    let unit = "_\(Metric.Unit.metre.rawValue)"
    let stem =
      metric.unit == .metre && metric.id.hasSuffix(unit) ? metric.id.dropLast(unit.count) : metric.id[...]
    return stem.filter { $0.isLetter || $0.isNumber }
  }
}
