package import DepthDataset
import DepthImport
package import FathomStorage

/// What a path names: a data set, or a folder or archive that is a recording of a format that is known.
package enum DataSource {
  /// Opens it. Of a recording, what cannot be decoded is skipped, as an import does.
  /// - Parameter validation: How far a data set that breaks the schema is read.
  /// - Parameter external: Where a data set, or a link in a folder, is followed to other files.
  /// - Parameter mapping: File of a mapping that says what the path holds, whatever that is.
  /// - Parameter threads: That will wait for many frames at once.
  /// - Throws: `FathomError` as ``DatasetReader`` and ``FolderRecording`` do.
  package static func open(
    _ path: String, validation: ValidationMode = .strict, external: ExternalFolders, mapping: String? = nil,
    threads: Int = 1
  ) throws(FathomError) -> any FrameSource {
    if mapping != nil || RecordingFolder.isOne(path) {
      var request = RecordingRequest(path)
      (request.mapping, request.options.external) = (mapping, external)
      return try request.decodable()
    }
    if let refusal = ForeignPath.refusal(path, to: "open the data set") { throw refusal }
    return try openDataset(path, validation: validation, external: external, threads: threads)
  }

  /// Where a data set is needed, because it is copied or changed.
  /// - Throws: `FathomError` for a recording.
  static func requireDataset(_ path: String, to attempted: String) throws(FathomError) {
    guard RecordingFolder.isOne(path) else { return }
    throw FathomError(
      .usage, attempted: attempted, file: path,
      reason: "it is a recording, and only a data set can be changed",
      advice: "make one with 'fathom import', then ask again")
  }
}
