import ArgumentParser
import DepthDataset
import DepthReport

/// What holds for every command that reads data sets.
struct DataFlags: ParsableArguments {
  @Flag(
    help:
      "Follow external links, external storage and virtual data sets to other files; what is written then names and hashes them."
  )
  var allowExternal = false

  /// Opens a data set, as `DatasetReader` does.
  func reader(_ path: String, validation: ValidationMode = .strict) throws(DatasetError) -> DatasetReader {
    try DatasetReader(readingFrom: path, validation: validation, allowsExternal: allowExternal)
  }
}

extension RunManifest.Input {
  /// A data set with the files that it leads to.
  init(file: String, _ digests: SourceFiles.Digests, unreadable: String? = nil) {
    self.init(file: file, sha256: digests.sha256, unreadable: unreadable)
    external =
      digests.external.isEmpty ? nil : digests.external.map { External(file: $0.name, sha256: $0.sha256) }
  }
}
