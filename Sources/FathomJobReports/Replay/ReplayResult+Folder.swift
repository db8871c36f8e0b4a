import FathomDocuments
import FathomRunFolders
import FathomReplay
public import FathomStudies
public import FathomStorage

extension ReplayResult {
  /// Everything for people.
  public func report(drawsFigures: Bool = true) -> ReplayReport {
    ReplayReport(title: name, run: run, manifest: manifest, drawsFigures: drawsFigures)
  }

  /// Writes the tables and the report; the folder is not yet complete, see `replay.json`.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true) throws {
    try folder.write(tables: ReplayTables.files(run))
    try folder.write(try CanonicalJSON.text(ReplayVerdict(run)) + "\n", to: "verdict.json")
    let report = report(drawsFigures: figures)
    try folder.write(report.figures)
    try folder.write(report.document)
  }
}
