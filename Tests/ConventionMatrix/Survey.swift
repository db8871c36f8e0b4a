import DepthCore
import DepthDiagnosis
import Foundation

/// What the diagnosis says of correct recordings, verdict by verdict.
struct Survey {
  static func print(_ recordings: [Recording]) {
    for recording in recordings {
      let start = Date()
      let findings = SceneDiagnosis(recording.sample, seed: 0).findings
      let seconds = Date().timeIntervalSince(start)
      Swift.print(
        "== \(recording.name), \(recording.sample.frames.count) frames, \(String(format: "%.2f", seconds)) s")
      for finding in findings where finding.verdict != .notTestable {
        let margin = finding.margin.map { String(format: "%.1f", min($0, 999)) } ?? "–"
        Swift.print(
          "  \(finding.test): \(finding.verdict.rawValue) \(finding.supported ?? "–") \(margin) σ: \(finding.summary)"
        )
        for witness in finding.witnesses {
          Swift.print("    \(witness.statement), \(String(format: "%.1f", witness.margin)) σ")
        }
      }
    }
  }
}
