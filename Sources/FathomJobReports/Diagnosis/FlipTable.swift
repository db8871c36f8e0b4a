import FathomDocuments
import FathomPlainText

package import DepthDiagnosis

/// The eight combinations of the app's three row flips, side by side, and what follows from them.
package struct FlipTable {
  private let finding: Finding, rows: [FlipRow]

  /// - Returns: nil for a finding that is about something else, or measured nothing.
  package init?(_ finding: Finding) {
    guard let flips = finding.flips, !finding.readings.isEmpty else { return nil }
    (self.finding, rows) = (finding, flips.table)
  }

  /// For a terminal. In the order of the costs, so that what the data support is on top.
  package var plain: String {
    func share(_ value: Double?) -> String { Quantity(value, .percent(0)).text }
    func centimetres(_ value: Double?) -> String { value.map { Quantity.fixed($0, 1) } ?? "–" }
    func plain(_ value: Double?) -> String { value.map { Quantity.fixed($0, 2) } ?? "–" }
    let order = rows.indices.sorted { (cost(rows[$0]), $0) < (cost(rows[$1]), $1) }
    return DisplayTable(
      columns: [
        .text("flips"), .text(""), .init("depths in true range"),
        .init("mask in box"), .init("outline on edges"), .init("masked"), .init("lateral [cm]"),
        .init("along ray [cm]"), .init("IoU"), .init("cost"),
      ],
      rows: order.map { index in
        let row = rows[index]
        return [
          row.flips, mark(row.flips), share(row.depthAgreement), share(row.maskInBox),
          share(row.outlineOnEdges), share(row.maskedShare), centimetres(row.lateralCentimetres),
          centimetres(row.alongRayCentimetres), plain(row.iou), Quantity.fixed(cost(row), 3),
        ]
      }
    ).plain
  }

  /// That of the verdict: over the objects that say anything under every combination.
  private func cost(_ row: FlipRow) -> Double { reading(row.flips)?.cost ?? .infinity }

  private func reading(_ flips: String?) -> Finding.Reading? {
    finding.readings.first { $0.hypothesis.id == flips }
  }

  private func mark(_ flips: String) -> String {
    let isAllowed = reading(flips)?.isConsistent == true
    let marks = [
      flips == finding.declared ? "declared" : nil,
      isAllowed ? (finding.supported == nil ? "possible" : "supported") : nil,
    ].compactMap { $0 }
    return marks.joined(separator: ", ")
  }

  /// What is supported, what is declared, by how much, and what the difference looks like.
  var verdict: String { judgement + (finding.flips?.caution.map { " Note: \($0)." } ?? "") }

  private var judgement: String {
    let declared = finding.declared ?? "nothing"
    let objects = "\(finding.units ?? 0) objects"
    guard let best = finding.readings.min(by: { $0.cost < $1.cost }) else { return finding.summary }
    let symptom = best.hypothesis.symptom.isEmpty ? "" : " What it looks like: \(best.hypothesis.symptom)."
    guard let supported = finding.supported else {
      let allowed = finding.readings.filter(\.isConsistent).map(\.hypothesis.id).joined(separator: ", ")
      let isRejected = finding.verdict == .contradicted
      return "\(objects) cannot tell \(allowed) apart; declared is \(declared), which they "
        + (isRejected ? "reject (\(margin(declared)) behind).\(symptom)" : "allow.")
    }
    if finding.verdict == .confirmed {
      let next = finding.readings.filter { $0.hypothesis.id != supported }.min { $0.cost < $1.cost }
      return "\(objects) support \(supported), as declared"
        + (next.map { "; next best is \($0.hypothesis.id), \(margin($0.hypothesis.id)) behind." } ?? ".")
    }
    return "\(objects) support \(supported); declared is \(declared), \(margin(declared)) behind.\(symptom)"
  }

  /// "12 σ": between a combination and the best one.
  private func margin(_ flips: String) -> String {
    guard let reading = reading(flips), let units = finding.units else { return "–" }
    let deviates = Evidence.margin((reading.excess, reading.standardError), units: units)
    return Quantity(min(deviates, 999), .significant(2)).text + " σ"
  }
}
