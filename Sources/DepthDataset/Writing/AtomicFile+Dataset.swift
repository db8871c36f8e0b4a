internal import FathomStorage

extension AtomicFile {
  /// The partial file of a data set.
  /// - Throws: `FathomError` `.cannotCreate`.
  init(creating path: String, overwrite: Bool, attempted: String) throws(FathomError) {
    do throws(FathomError) { try self.init(path, overwrite: overwrite) } catch {
      throw FathomError(error, attempted: attempted)
    }
  }

  /// Gives the data set its name.
  /// - Throws: `FathomError` `.cannotCreate`, `.inputOutput`.
  consuming func finish(_ attempted: String) throws(FathomError) {
    do throws(FathomError) { try commit() } catch { throw FathomError(error, attempted: attempted) }
  }
}

extension FathomError {
  /// A failure to write a data set, in its words.
  init(_ error: FathomError, attempted: String) {
    self.init(
      error.kind, attempted: attempted, file: error.place,
      reason: error.reasonWording, advice: error.adviceWording)
  }
}
