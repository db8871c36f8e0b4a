import FathomDocuments
import FathomRunFolders
import DepthTuning
public import FathomRuns
public import FathomStorage

extension TuneResult {
  /// Everything for people.
  /// - Parameter folder: Where it lies, as commands name it; nil for a page, which says the same wherever it lies.
  public func report(in folder: String? = nil) -> TuningReport { TuningReport(self, in: folder) }

  /// `tuned.yaml`: what is recommended, for an evaluation.
  /// - Throws: Where it cannot be written as YAML.
  public var tuned: String {
    get throws {
      let headline = report().headline.withoutMarks
      return try TunedFile.text(
        run.plan, recommended: run.verdict.recommended, fixed: fixed, headline: headline)
    }
  }

  /// Writes `tuned.yaml`, the tables and the report; the folder is not yet complete, see `tune.json`.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true) throws {
    let report = report()
    try folder.write(try tuned, to: "tuned.yaml")
    try folder.write(try CanonicalJSON.text(run.conclusions) + "\n", to: SearchVerdict.fileName)
    try folder.write(tables: report.files)
    try folder.write(figures ? report.figures : [])
    try folder.write(report.document(drawing: figures))
  }
}
