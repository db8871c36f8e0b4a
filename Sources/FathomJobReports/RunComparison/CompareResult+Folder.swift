import FathomDocuments
import FathomRunFolders
public import FathomRuns
public import FathomStorage

extension CompareResult {
  /// Writes tables and the report; the folder is not yet complete, see `compare.json`.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true) throws {
    try folder.write(
      try CanonicalJSON.text(RunComparisonVerdict(comparison)) + "\n", to: RunComparisonVerdict.fileName)
    try folder.write(tables: RunComparisonTables(comparison).files)
    let drawn = figures ? RunComparisonFigures(comparison).all : []
    try folder.write(drawn)
    try folder.write(RunComparisonDocument(comparison, figures: drawn).document)
  }
}
