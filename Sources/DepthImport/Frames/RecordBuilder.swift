internal import DepthCore
internal import FathomPlainText
internal import FathomStorage

/// Collects what is to be said about an import, each thing once.
struct RecordBuilder {
  private var entries: [ImportRecord.Entry] = []
  private var seen: Set<ImportRecord.Entry> = []
  /// A file that is skipped because the machine failed to read it, the first of them; nil as a rule.
  private(set) var machineFailure: (entry: ImportRecord.Entry, kind: FathomError.Kind)?
  /// As many bytes as a name may have in a data set, less what an ellipsis takes.
  private static let longest = 1000

  /// - Parameter kind: What kind of error it is where something is dropped because it could not be read.
  mutating func add(
    _ step: ImportRecord.Step, _ subject: String, _ words: String, kind: FathomError.Kind = .badData
  ) {
    let entry = ImportRecord.Entry(
      step, subject.shortened(to: Self.longest), words.shortened(to: Self.longest))
    if seen.insert(entry).inserted { entries.append(entry) }
    if kind.blamesMachine, machineFailure == nil { machineFailure = (entry, kind) }
  }

  static let tryAgain = "try again; if it fails again, check the disk and the free memory"

  /// By steps, each in the order in which it was made.
  func record(format: String, recording: String) -> ImportRecord {
    let ordered = ImportRecord.Step.allCases.flatMap { step in entries.filter { $0.step == step } }
    return ImportRecord(format: format, recording: recording, entries: ordered)
  }
}
