import DepthExport
import DepthReport
import Foundation

/// A geometry file and, where its format has one, the material library beside it; both appear when complete.
struct GeometryFile: ~Copyable {
  private let format: GeometryFormat
  private let main: OutputFile
  private let materials: OutputFile?
  private let materialsName: String

  /// - Throws: `OutputError` `.cannotCreate`.
  init(_ path: String, _ format: GeometryFormat, overwrite: Bool) throws(OutputError) {
    // One word, because the format takes the name up to the first space.
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let name = RenderJob.fileName(stem) + ".mtl"
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let main = try OutputFile(path, overwrite: overwrite)
    Interruption.removesOnInterrupt(main.partial)
    let materials = format == .obj ? try OutputFile(folder + name, overwrite: overwrite) : nil
    if format == .obj { Interruption.removesOnInterrupt(folder + name + ".partial") }
    (self.format, materialsName) = (format, name)
    self.main = main
    self.materials = materials
  }

  /// - Throws: `OutputError` `.inputOutput`.
  func write(_ scene: SpatialScene) throws(OutputError) {
    try format.write(scene, materials: materialsName) { (bytes) throws(OutputError) in try main.write(bytes) }
    if let text = format.materials(of: scene) { try materials?.write(Array(text.utf8)) }
  }

  /// Gives the files their names, the library first, so that the other never refers to nothing.
  consuming func commit() throws(OutputError) {
    switch consume materials {
    case .some(let library): try library.commit()
    case .none: break
    }
    try main.commit()
  }
}
