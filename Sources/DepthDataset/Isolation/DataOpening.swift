public import FathomStorage

/// Opens a data set, in the process that ``ReaderProcess/executable`` names, or in this one.
/// - Parameter threads: That will wait for many frames at once.
/// - Throws: `FathomError` as ``DatasetReader`` does, and where the reader fails.
public func openDataset(
  _ path: String, validation: ValidationMode = .strict, external: ExternalFolders = ExternalFolders(),
  threads: Int = 1
) throws(FathomError) -> any FrameSource {
  if let executable = ReaderProcess.executable {
    return try RemoteSource(
      path, executable: executable, validation: validation, external: external, threads: threads)
  }
  return SharedSource(
    try DatasetReader(readingFrom: path, validation: validation, external: external))
}
