import DepthCore
import DepthDiagnosis
import Foundation

/// Faults × recordings: what the diagnosis says of every fault in every recording, and of correct ones.
struct RecordingMatrix: Sendable {
  enum Outcome: String, Sendable, CaseIterable {
    case named, noReading = "no reading fits", open, missed = "called fine", misnamed
  }

  struct Row: Sendable {
    var recording: String, fault: String
    var isDecidable: Bool
    var outcome: Outcome
    /// What is called wrong, and whether a copy would be changed without being asked.
    var found: [String]
    var fixes: [String]
    var seconds: Double
  }

  let rows: [Row]

  init(_ recordings: [Recording]) async {
    let jobs: [(Recording, RecordingFault?)] = recordings.flatMap { recording in
      recording.variants.map { ($0, nil) } + RecordingFault.all.map { (recording, $0) }
    }
    rows = await withTaskGroup(of: (Int, Row?).self) { group in
      var (rows, next) = ([Int: Row](), 0)
      func start() {
        guard next < jobs.count else { return }
        let (index, job) = (next, jobs[next])
        next += 1
        group.addTask { (index, Self.row(job.0, job.1)) }
      }
      for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { start() }
      while let (index, row) = await group.next() {
        rows[index] = row
        start()
      }
      return rows.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  private static func row(_ recording: Recording, _ fault: RecordingFault?) -> Row? {
    let right = recording.sample
    guard let broken = fault.map({ $0.apply(right) }) ?? right else { return nil }
    let start = Date()
    let findings = SceneDiagnosis(broken, seed: 0).findings
    let seconds = Date().timeIntervalSince(start)
    let wrong = findings.filter(\.verdict.isWrong)
    let fixes = findings.filter(\.isCertain)
    let names = fault?.names ?? []
    func isNamed(_ finding: Finding) -> Bool {
      names.contains { name in
        finding.test == name.test
          && (name.reading == "no-reading-fits"
            ? finding.verdict == .noReadingFits
            : name.reading.isEmpty || finding.supported?.hasPrefix(name.reading) == true)
      }
    }
    let outcome: Outcome
    if fault == nil {
      outcome = wrong.isEmpty ? .named : .misnamed
    } else if !wrong.isEmpty, wrong.allSatisfy(isNamed) {
      outcome = .named
    } else if wrong.contains(where: { !isNamed($0) && $0.verdict == .contradicted }) {
      outcome = .misnamed
    } else if wrong.contains(where: { $0.verdict == .noReadingFits }) {
      outcome = .noReading
    } else {
      let about = findings.filter { fault?.about.contains($0.test) == true }
      outcome = !about.isEmpty && about.allSatisfy { $0.verdict == .confirmed } ? .missed : .open
    }
    return Row(
      recording: recording.name, fault: fault?.id ?? "",
      isDecidable: fault.map { $0.shows?(right, broken) ?? true } ?? true, outcome: outcome,
      found: wrong.map { "\($0.test): \($0.supported ?? $0.verdict.rawValue)" },
      fixes: fixes.map { "\($0.test): \($0.supported ?? "")" }, seconds: seconds)
  }

  private var correct: [Row] { rows.filter(\.fault.isEmpty) }
  private var broken: [Row] { rows.filter { !$0.fault.isEmpty } }
  private var decidable: [Row] { broken.filter(\.isDecidable) }
  private var alarms: [Row] { correct.filter { !$0.found.isEmpty || !$0.fixes.isEmpty } }
  private var misnamed: [Row] { broken.filter { $0.outcome == .misnamed } }
  private var named: [Row] { decidable.filter { $0.outcome == .named } }

  /// Whether every target is met.
  var holds: Bool {
    alarms.isEmpty && 100 * misnamed.count <= broken.count && 100 * named.count >= 95 * decidable.count
  }

  var summary: String {
    """
    \(correct.count) correct recordings and variants of them: \(alarms.count) with a false alarm or an unwanted change.
    \(broken.count) faults in recordings, \(decidable.count) decidable: \(named.count) named \
    (\(String(format: "%.1f", 100 * Double(named.count) / Double(max(1, decidable.count)))) %), \
    \(decidable.count { $0.outcome == .noReading }) without a reading that fits, \
    \(decidable.count { $0.outcome == .open }) open, \(decidable.count { $0.outcome == .missed }) called fine.
    Wrong causes: \(misnamed.count) of \(broken.count). Longest diagnosis: \
    \(String(format: "%.2f", rows.map(\.seconds).max() ?? 0)) s.
    """
  }

  var csv: String {
    func cell(_ text: String) -> String { text.contains(",") ? "\"\(text)\"" : text }
    return
      (["recording,fault,decidable,outcome,found,fixed_unasked"]
      + rows.map { row in
        [
          row.recording, row.fault, row.fault.isEmpty ? "" : "\(row.isDecidable)",
          row.fault.isEmpty ? (row.found.isEmpty ? "fine" : "false alarm") : row.outcome.rawValue,
          row.found.joined(separator: "; "), row.fixes.joined(separator: "; "),
        ].map(cell).joined(separator: ",")
      }).joined(separator: "\n") + "\n"
  }

  var markdown: String {
    let recordings = broken.map(\.recording).reduce(into: [String]()) { list, name in
      if !list.contains(name) { list.append(name) }
    }
    var lines = [
      "# What `diagnose` says of real recordings whose conventions were broken on purpose", "",
      "Written by `make matrix-real`; every case is in `recordings.csv`. + named, n no reading fits, o open, f called fine, "
        + "x something else named; in brackets where the data cannot show the fault; blank where the recording has not "
        + "what the fault is about.", "",
    ]
    lines += summary.split(separator: "\n").map { "- " + $0 }
    lines += ["", "| fault | " + recordings.joined(separator: " | ") + " |"]
    lines.append("|---|" + String(repeating: ":-:|", count: recordings.count))
    for fault in RecordingFault.all {
      let cells = recordings.map { name -> String in
        guard let row = broken.first(where: { $0.recording == name && $0.fault == fault.id }) else {
          return ""
        }
        let letter =
          switch row.outcome {
          case .named: "+"
          case .noReading: "n"
          case .open: "o"
          case .missed: "f"
          case .misnamed: "x"
          }
        return row.isDecidable ? letter : "(\(letter))"
      }
      lines.append("| \(fault.id) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
