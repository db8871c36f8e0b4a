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
  /// - Throws: `DatasetError` `.noInput`, `.cannotCreate` as ``check(_:for:mayReplace:)`` says, `.badData` for no HDF5,
  ///   `.inputOutput`.
  public init(copying source: String, to target: String, overwrite: Bool = false) throws(DatasetError) {
    try Self.check(target, for: source, mayReplace: overwrite)
    let partial = PartialFile(of: target, mayReplace: overwrite)
    try Self.copy(source, to: partial.path, named: target)
    do throws(HDF5Error) { file = try HDF5File(updating: partial.path) } catch {
      throw DatasetError(error, attempted: "change the copy", file: target)
    }
    self.partial = partial
    self.source = source
  }

  /// Whether a copy of a file may be made under a name; creates nothing.
  ///
  /// - Throws: `DatasetError` `.cannotCreate` where the output is the source itself, exists and may not be replaced, or
  ///   has no folder that can be written.
  public static func check(_ target: String, for source: String, mayReplace: Bool) throws(DatasetError) {
    // The partial file is emptied before it is written.
    for path in [target, target + ".partial"] where isOneFile(path, source) {
      throw DatasetError(
        .cannotCreate, attempted: "write the corrected copy", file: target,
        reason: path == target
          ? "it is the data set that is corrected" : "'\(path)' is the data set that is corrected",
        advice: "choose another name; the data set itself is never changed")
    }
    try PartialFile.check(target, mayReplace: mayReplace)
  }

  /// Copies a file byte by byte.
  ///
  /// - Throws: As ``init(copying:to:overwrite:)``.
  public static func copy(_ source: String, to target: String, overwrite: Bool = false) throws(DatasetError) {
    try check(target, for: source, mayReplace: overwrite)
    let partial = PartialFile(of: target, mayReplace: overwrite)
    try copy(source, to: partial.path, named: target)
    try partial.finish()
  }

  /// Whether two paths lead to one file, by links or otherwise.
  private static func isOneFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  private static func copy(_ source: String, to path: String, named target: String) throws(DatasetError) {
    func failure(_ kind: DatasetError.Kind, _ file: String, _ advice: String) -> DatasetError {
      DatasetError(
        kind, attempted: "copy \(source)", file: file, reason: String(cString: strerror(errno)),
        advice: advice)
    }
    _ = try SourceFiles(ofFile: source)
    let input = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
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
