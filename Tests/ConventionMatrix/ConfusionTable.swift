import Foundation

/// The counts of a matrix of cases, for people and for programs.
struct ConfusionTable {
  let results: [CaseResult]
  /// Of each result among all cases.
  private let numbers: [Int]

  init(_ results: [CaseResult], numbers: [Int]) { (self.results, self.numbers) = (results, numbers) }

  private typealias FaultRow = (
    id: String, decidability: Decidability, outcome: CaseResult.Outcome, margin: Double?
  )
  private var faults: [FaultRow] { results.flatMap(\.faults) }
  private var decidable: [FaultRow] { faults.filter(\.decidability.isDecidable) }
  private var undecidable: [FaultRow] { faults.filter { !$0.decidability.isDecidable } }
  private var correct: [CaseResult] { results.filter(\.faults.isEmpty) }

  private var namedShare: Double { share(decidable.count { $0.outcome == .named }, decidable.count) }
  private var fineShare: Double { share(correct.count { $0.falseAlarms.isEmpty }, correct.count) }
  /// Undecidable faults for which something wrong is named, or that are called fine.
  private var wrongCount: Int { undecidable.count { $0.outcome == .misnamed } }
  private var alarmCount: Int { results.count { !$0.falseAlarms.isEmpty } }

  private func share(_ part: Int, _ whole: Int) -> Double { whole > 0 ? Double(part) / Double(whole) : 1 }

  /// Whether every target is met.
  var holds: Bool {
    namedShare >= ConventionMatrix.target && fineShare >= ConventionMatrix.target && wrongCount == 0
      && Double(alarmCount) <= (1 - ConventionMatrix.target) * Double(results.count)
  }

  var summary: String {
    """
    \(results.count) cases: \(correct.count) correct, \(results.count { $0.faults.count == 1 }) with one fault, \
    \(results.count { $0.faults.count == 2 }) with two.
    Decidable faults named: \(decidable.count { $0.outcome == .named }) of \(decidable.count) (\(percent(namedShare))).
    Correct files called fine: \(correct.count { $0.falseAlarms.isEmpty }) of \(correct.count) (\(percent(fineShare))).
    Undecidable faults: \(undecidable.count), named \(undecidable.count { $0.outcome == .named }), left open \
    \(undecidable.count { $0.outcome == .open }), called fine \(undecidable.count { $0.outcome == .missed }), \
    misnamed \(wrongCount).
    Cases in which something that is right is called wrong: \(alarmCount).
    """
  }

  private func percent(_ share: Double) -> String { String(format: "%.1f %%", 100 * share) }

  /// One row per fault of a case; one for a correct file.
  var csv: String {
    var lines = ["case,place,fault,decidable,expected_sigma,measured_sigma,outcome,false_alarms"]
    for (index, result) in zip(numbers, results) {
      let alarms = result.falseAlarms.joined(separator: "; ")
      if result.faults.isEmpty { lines.append("\(index),\(result.place),,,,,,\(alarms)") }
      for fault in result.faults {
        let sigmas = [fault.decidability.sigmas, fault.margin].map { sigma in
          sigma.map { String(format: "%.2f", min($0, 99)) } ?? ""
        }
        lines.append(
          "\(index),\(result.place),\(fault.id),\(fault.decidability.isDecidable),\(sigmas[0]),\(sigmas[1]),"
            + "\(fault.outcome.rawValue),\(alarms)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// One row per fault: what became of it.
  var markdown: String {
    var lines = [
      "# What `diagnose` says of conventions that were broken on purpose", "",
      "Written by `make matrix`; every row of it is in `cases.csv`. The rule for \"decidable\" is in `README.md`.",
      "",
    ]
    lines += summary.split(separator: "\n").map { "- " + $0 }
    lines += [
      "",
      "| fault | decidable | named | open | called fine | misnamed | undecidable | named | open | called fine | misnamed |",
    ]
    lines.append("|---|" + String(repeating: "---:|", count: 10))
    for id in Fault.all.map(\.id) {
      let counts = [true, false].flatMap { isDecidable -> [String] in
        let rows = faults.filter { $0.id == id && $0.decidability.isDecidable == isDecidable }
        return ["\(rows.count)"]
          + [CaseResult.Outcome.named, .open, .missed, .misnamed].map { outcome in
            "\(rows.count { $0.outcome == outcome })"
          }
      }
      lines.append("| `\(id)` | " + counts.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
