import DepthVerdicts
public import FathomRunFolders
public import FathomStorage

extension EvaluateResult {
  /// Writes the tables and `verdict.json`; the folder is not yet complete, see ``manifest(in:)``.
  /// - Throws: `FathomError`.
  public func writeTables(to folder: borrowing AtomicFolder) throws {
    try Self.writeTables(of: checked, diagnosis, to: folder)
  }

  /// The same, without the data.
  package static func writeTables(
    of checked: CheckedRun, _ diagnosis: RunDiagnosis?, to folder: borrowing AtomicFolder
  ) throws {
    try folder.write(tables: checked.tables.files + (diagnosis.map { [("diagnosis.csv", $0.table)] } ?? []))
    try folder.write(checked.verdict.json, to: RunVerdict.fileName)
  }

  /// `run.json` of a folder, which says where the data are from there.
  public func manifest(in folder: String) -> RunManifest {
    var manifest = manifest
    if data.paths.count == manifest.inputs.count {
      for (index, path) in data.paths.enumerated() {
        manifest.inputs[index].path = RelativePath.to(path, from: folder)
      }
    }
    manifest.maps = data.maps?.relative(to: folder) ?? manifest.maps
    manifest.mapping?.path = data.mapping.map { RelativePath.to($0, from: folder) }
    return manifest
  }
}
