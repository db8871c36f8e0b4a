import FathomRuns
import FathomRunFolders
import DepthCore
import DepthDataset
import Foundation
import FathomStorage

/// A file that holds frames, as a table lists it.
public protocol WrittenFrames: Codable, Sendable {
  /// Its name in its folder, or its path.
  var file: String { get set }
}

/// A folder with a numbered file for each frame of a scene, and `render.json`.
struct FrameFolder {
  let scene: SceneHeader, frames: Range<Int>, overwrite: Bool, observe: JobObserver

  /// - Parameter write: Writes a frame into the folder under a name without ending.
  /// - Throws: `FathomError`; what `write` throws.
  func write<File: WrittenFrames>(
    _ path: String, _ stage: JobStage, from reader: borrowing some FrameSource & ~Copyable,
    manifest: (RunManifest.Input, [File]) -> RenderManifest<File>,
    write: (_ index: Int, _ stem: String, borrowing AtomicFolder) throws -> File
  ) throws -> [File] {
    let folder = try AtomicFolder(path, kind: .rendering, overwrite: overwrite)
    observe(.began(stage, steps: frames.count))
    var files: [File] = []
    for index in frames {
      files.append(try write(index, Self.fileName(scene.name) + String(format: "-%04d", index), folder))
      observe(.advanced)
    }
    let input = RunManifest.Input(
      file: URL(fileURLWithPath: reader.path).lastPathComponent, try reader.sources.digests())
    let name = folder.path
    try reader.sources.requireUnchanged()
    try folder.commit(manifest: try manifest(input, files).json)
    for index in files.indices { files[index].file = name + "/" + files[index].file }
    return files
  }

  /// A name without what a file system or shell takes amiss.
  static func fileName(_ name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || "._-".contains($0) ? $0 : "_" })
  }
}
