package import FathomRunFolders
import DepthDataset
package import FathomStorage
import Foundation

/// The data of a search or a calibration as its task holds them: what their headers say, and what was chosen of them. Where they are
/// stands beside the task, see ``ShardManifest``.
struct TaskData: Codable, Sendable {
  let inputs: [InputOutline]  // All data sets, whatever the part.
  let truth: TruthOrigin
  let followsOwnFolder: Bool  // Whether files beside the data are read where these lead to them.
  let mapping: RunManifest.Input?
  let scenes: [String]  // Words that choose scenes; none for all.
  /// Frames of every scene; absent for all.
  let frames: String?

  /// - Throws: `FathomError` where the mapping cannot be read.
  init(_ inputs: RunInputs) throws(FathomError) {
    let selection = inputs.selection
    (self.inputs, truth) = (inputs.outlines, selection.truth)
    followsOwnFolder = selection.external.includesOwn
    mapping = try selection.mappingFile
    (scenes, frames) = (selection.scenes.words, selection.frames?.description)
  }
}

extension DataSelection {
  /// The mapping by name and digest; nil where there is none.
  var mappingFile: RunManifest.Input? {
    get throws(FathomError) {
      guard let mapping else { return nil }
      return try RunManifest.Input(ofFile: mapping)
    }
  }
}

extension RunManifest.Input {
  /// A file by its name and digest.
  /// - Throws: `FathomError` where it cannot be read.
  package init(ofFile path: String) throws(FathomError) {
    self.init(file: URL(fileURLWithPath: path).lastPathComponent, sha256: try Digest.sha256(ofFile: path))
  }
}
