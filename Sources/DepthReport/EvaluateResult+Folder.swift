import FathomDocuments
import FathomRunFolders
import DepthCore
import DepthVerdicts
public import FathomRuns
public import FathomStorage

extension EvaluateResult {
  /// Writes all that does not depend on when and where the run was made; the folder is not yet complete, see `run.json`.
  /// - Parameter jobs: Whether tables and pages may be written at the same time: where it is above 1.
  /// - Throws: `FathomError`.
  public func write(
    to folder: borrowing AtomicFolder, gallery: RunGallery = .none, figures: Bool = true, jobs: Int = 1
  ) throws {
    let (checked, diagnosis, name, manifest, data) = (checked, diagnosis, name, manifest, data.relative)
    let (tables, shown) = concurrently(threads: jobs) {
      Result { try Self.writeTables(of: checked, diagnosis, to: folder) }
    } _: {
      Result {
        let (run, verdict, pictures) = (checked.run, checked.verdict, gallery.pictures)
        let charts = figures ? EvaluationFigures(run, verdict, gallery: pictures?.block) : nil
        try folder.write(charts?.all ?? [])
        for (name, bytes) in pictures?.files ?? [] { try folder.write(bytes, to: name) }
        try folder.write(
          EvaluationDocument(
            run, verdict, manifest: manifest, title: name, data: data, figures: charts,
            gallery: pictures?.block, galleryLack: gallery.lack, diagnosis: diagnosis
          ).document)
      }
    }
    try tables.get()
    try shown.get()
    try run.requireWhole()
  }

  /// Writes the folder that `fathom evaluate` writes, but for `timing.csv`.
  /// - Parameter galleryFrames: How many of the worst, of the median and of the best frames are drawn, each; 0 for none.
  /// - Throws: `FathomError`, also where something stands in its place and `overwrite` is false; `GraphicsError`.
  public func write(
    to path: String, overwrite: Bool = false, figures: Bool = true,
    galleryFrames: Int = GallerySelection.standardCount
  ) async throws {
    let gallery = try await RunGallery(of: self, count: galleryFrames)
    let folder = try AtomicFolder(path, kind: .run, overwrite: overwrite)
    try write(to: folder, gallery: gallery, figures: figures)
    let manifest = try manifest(in: folder.path).json
    try folder.commit(manifest: manifest)
  }
}
