public import DepthImport
import Foundation
public import FathomStorage

/// Where the data of a run are, as commands name them.
public struct RunData: Sendable {
  /// What a job over these data is called.
  public var name: String
  /// Paths of the data sets, in the order of the manifest's inputs.
  public var paths: [String]
  /// Of ``paths``, the position of the one that a scene of the run lies in.
  public var positions: [String: Int]
  /// File of the mapping that says what every path holds; nil where there is none.
  public var mapping: String?
  /// Maps in folders, which ``paths`` has the truth of; nil for data sets.
  public var maps: MapSetRequest?
  /// Where the data sets are followed to other files.
  public var external: ExternalFolders
  /// Whether the truth was made from neighbouring frames.
  public var isMultiview: Bool

  public init(
    name: String, paths: [String], positions: [String: Int], mapping: String? = nil,
    external: ExternalFolders = ExternalFolders(), isMultiview: Bool = false
  ) {
    (self.name, self.paths, self.positions) = (name, paths, positions)
    (self.mapping, self.external, self.isMultiview) = (mapping, external, isMultiview)
  }

  /// The files by their names alone, where nothing else is known.
  public init(_ manifest: RunManifest) {
    let inputs = manifest.inputs
    let byDigest = Dictionary(
      inputs.enumerated().map { ($1.sha256, $0) }, uniquingKeysWith: { first, _ in first })
    self.init(
      name: inputs.first.map { URL(fileURLWithPath: $0.file).deletingPathExtension().lastPathComponent }
        ?? "", paths: inputs.map(\.file),
      positions: manifest.scenes.reduce(into: [:]) { positions, scene in
        positions[scene.name] = scene.data.flatMap { byDigest[$0] } ?? (inputs.count == 1 ? 0 : nil)
      }, isMultiview: manifest.multiview != nil)
  }

  /// With paths from the folder of the process: a page that others read names no folder above what is shared.
  public var relative: RunData {
    var data = self
    data.paths = paths.map { RelativePath.to($0) }
    data.mapping = mapping.map { RelativePath.to($0) }
    data.maps = maps?.relative()
    data.external.named = external.named.map { RelativePath.to($0) }
    return data
  }
}
