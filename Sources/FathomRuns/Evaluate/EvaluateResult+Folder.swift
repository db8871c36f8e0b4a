public import FathomRunFolders
import DepthCore
import DepthEvaluation
import DepthReport
public import FathomStorage

extension EvaluateResult {
  /// Writes all that does not depend on when and where the run was made; the folder is not yet complete, see `run.json`.
  ///
  /// - Parameters:
  ///   - figures: Whether charts are drawn.
  ///   - jobs: Whether tables and pages may be written at the same time: where it is above 1.
  /// - Throws: `FathomError`.
  public func write(to folder: borrowing AtomicFolder, figures: Bool = true, jobs: Int = 1) throws {
    let (tables, pages) = concurrently(threads: jobs) {
      Result { try writeTables(to: folder) }
    } _: {
      Result { try writePages(to: folder, figures: figures) }
    }
    try tables.get()
    try pages.get()
    try run.requireWhole()
  }

  private func writeTables(to folder: borrowing AtomicFolder) throws {
    try folder.write(tables: tables.files + (diagnosis.map { [("diagnosis.csv", $0.table)] } ?? []))
    try folder.write(verdict.json, to: RunVerdict.fileName)
  }

  private func writePages(to folder: borrowing AtomicFolder, figures: Bool) throws {
    let charts = figures ? EvaluationFigures(run, verdict, gallery: gallery?.block) : nil
    try folder.write(charts?.all ?? [])
    for (name, bytes) in gallery?.files ?? [] { try folder.write(bytes, to: name) }
    try folder.write(
      EvaluationDocument(
        run, verdict, manifest: manifest, title: name, data: data.relative, figures: charts,
        gallery: gallery?.block,
        galleryLack: galleryLack, diagnosis: diagnosis
      ).document)
  }

  /// `run.json` of a folder, which says where the data are from there.
  public func manifest(in folder: String) -> RunManifest {
    var manifest = manifest
    if data.paths.count == manifest.inputs.count {
      for (index, path) in data.paths.enumerated() {
        manifest.inputs[index].path = RelativePath.to(path, from: folder)
      }
    }
    manifest.mapping?.path = data.mapping.map { RelativePath.to($0, from: folder) }
    return manifest
  }

  /// Writes the folder that `fathom evaluate` writes, but for `timing.csv`.
  ///
  /// - Throws: `FathomError`, also where something stands in its place and `overwrite` is false.
  public func write(to path: String, overwrite: Bool = false, figures: Bool = true) throws {
    let folder = try AtomicFolder(path, kind: .run, overwrite: overwrite)
    try write(to: folder, figures: figures)
    let manifest = try manifest(in: folder.path).json
    try folder.commit(manifest: manifest)
  }
}
