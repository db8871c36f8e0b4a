internal import HDF5
private import Glibc

/// A copy of a data set that is changed in place before it gets its name. What no correction touches stays as it is,
/// also what the schema does not name.
public struct DatasetEditor: ~Copyable {
  let file: HDF5File
  private let partial: PartialFile
  private let source: String

  /// Copies a file and opens the copy.
  ///
  /// - Throws: `DatasetError` `.noInput`, `.cannotCreate` where the output exists and may not be replaced, `.inputOutput`.
  public init(copying source: String, to target: String, overwrite: Bool = false) throws(DatasetError) {
    try PartialFile.check(target, mayReplace: overwrite)
    let partial = PartialFile(of: target, mayReplace: overwrite)
    try Self.copy(source, to: partial.path, named: target)
    do throws(HDF5Error) { file = try HDF5File(updating: partial.path) } catch {
      throw DatasetError(error, attempted: "change the copy", file: target)
    }
    self.partial = partial
    self.source = source
  }

  private static func copy(_ source: String, to path: String, named target: String) throws(DatasetError) {
    func failure(_ kind: DatasetError.Kind, _ file: String, _ advice: String) -> DatasetError {
      DatasetError(
        kind, attempted: "copy \(source)", file: file, reason: String(cString: strerror(errno)),
        advice: advice)
    }
    let input = open(source, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw failure(.noInput, source, "check the name") }
    defer { close(input) }
    let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard output >= 0 else { throw failure(.cannotCreate, target, "choose another name") }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0 { throw failure(.inputOutput, source, "check the disk") }
      if count == 0 { return }
      var written = 0
      while written < count {
        let step = buffer.withUnsafeBytes {
          write(output, $0.baseAddress?.advanced(by: written), count - written)
        }
        if step <= 0 { throw failure(.inputOutput, target, "free some space or choose another name") }
        written += step
      }
    }
  }

  /// Writes what is buffered and gives the copy its name.
  ///
  /// - Throws: `DatasetError`.
  public consuming func commit() throws(DatasetError) {
    let target = partial.target
    do throws(HDF5Error) { try file.close() } catch {
      throw DatasetError(error, attempted: "finish the copy", file: target)
    }
    try partial.finish()
  }

  /// Runs steps of HDF5 with the words of an error.
  func edit<Result: ~Copyable>(
    _ object: String, _ body: (borrowing HDF5File) throws(HDF5Error) -> Result
  ) throws(DatasetError) -> Result {
    do throws(HDF5Error) { return try body(file) } catch {
      throw DatasetError(error, attempted: "correct \(object)", file: partial.target, object: object)
    }
  }
}
