internal import Storage

extension AtomicFile {
  /// The partial file of a data set.
  ///
  /// - Throws: `DatasetError` `.cannotCreate`.
  init(creating path: String, overwrite: Bool, attempted: String) throws(DatasetError) {
    do throws(FathomError) { try self.init(path, overwrite: overwrite) } catch {
      throw DatasetError(error, attempted: attempted)
    }
  }

  /// Gives the data set its name.
  ///
  /// - Throws: `DatasetError` `.cannotCreate`, `.inputOutput`.
  consuming func finish(_ attempted: String) throws(DatasetError) {
    do throws(FathomError) { try commit() } catch { throw DatasetError(error, attempted: attempted) }
  }
}

extension DatasetError {
  /// A failure to write a data set, in its words.
  init(_ error: FathomError, attempted: String) {
    self.init(
      error.kind == .cannotCreate ? .cannotCreate : .inputOutput, attempted: attempted, file: error.place,
      reason: error.reason, advice: error.advice)
  }
}
