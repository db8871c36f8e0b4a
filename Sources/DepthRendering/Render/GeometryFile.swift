import DepthExport
import Foundation
import FathomStorage

/// A geometry file and, where its format has one, the material library beside it; both appear when complete.
struct GeometryFile: ~Copyable {
  private let format: GeometryFormat, main: AtomicFile, materials: AtomicFile?
  private let materialsName: String

  /// - Throws: `FathomError` `.cannotCreate`.
  init(_ path: String, _ format: GeometryFormat, overwrite: Bool) throws(FathomError) {
    // One word, because the format takes the name up to the first space.
    let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let name = FrameFolder.fileName(stem) + ".mtl"
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let main = try AtomicFile(path, overwrite: overwrite)
    let materials = format == .obj ? try AtomicFile(folder + name, overwrite: overwrite) : nil
    (self.format, materialsName) = (format, name)
    self.main = main
    self.materials = materials
  }

  /// - Throws: `FathomError` `.inputOutput`.
  func write(_ scene: SpatialScene) throws(FathomError) {
    try format.write(scene, materials: materialsName) { (bytes) throws(FathomError) in try main.write(bytes) }
    if let text = format.materials(of: scene) { try materials?.write(Array(text.utf8)) }
  }

  /// Gives the files their names, the library first, so that the other never refers to nothing.
  consuming func commit() throws(FathomError) {
    switch consume materials {
    case .some(let library): try library.commit()
    case .none: break
    }
    try main.commit()
  }
}
