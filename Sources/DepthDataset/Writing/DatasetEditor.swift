internal import FathomHDF5
public import FathomStorage
private import Glibc
private import FathomPlainText

/// A copy of a data set that is changed in place before it gets its name. What no correction touches stays as it is,
/// also what the schema does not name.
public struct DatasetEditor: ~Copyable {
  let file: HDF5File
  private let partial: AtomicFile, source: String
  /// Arrays that break the schema in the source; nil for a copy that is not compared with it.
  private let wrong: Set<String>?

  /// Copies a file and opens the copy.
  /// - Throws: `FathomError` `.noInput`, `.cannotCreate` as ``check(_:for:mayReplace:)`` says, `.badData` for no HDF5,
  ///   `.inputOutput`.
  public init(copying source: String, to target: String, overwrite: Bool = false) throws(FathomError) {
    try Self.check(target, for: source, mayReplace: overwrite)
    let partial = try AtomicFile(creating: target, overwrite: overwrite, attempted: Self.attempted)
    try Self.copy(source, to: partial)
    do throws(HDF5Error) { file = try HDF5File(updating: partial.partial, callerLocks: true) } catch {
      throw FathomError(error, attempted: "change the copy", file: target)
    }
    wrong = Set(Self.errors(in: file).map(\.object))
    self.partial = partial
    self.source = source
  }

  /// Opens a copy that takes the place of its source when it is complete.
  /// - Throws: As ``init(copying:to:overwrite:)``.
  public init(replacing source: String) throws(FathomError) {
    let partial = try AtomicFile(creating: source, overwrite: true, attempted: Self.attempted)
    try Self.copy(source, to: partial)
    do throws(HDF5Error) { file = try HDF5File(updating: partial.partial, callerLocks: true) } catch {
      throw FathomError(error, attempted: "change the copy", file: source)
    }
    wrong = nil
    self.partial = partial
    self.source = source
  }

  /// Whether a copy of a file may be made under a name; creates nothing.
  /// - Throws: `FathomError` `.cannotCreate` where the output is the source itself, exists and may not be replaced, or
  ///   has no folder that can be written.
  public static func check(_ target: String, for source: String, mayReplace: Bool) throws(FathomError) {
    // The partial file is emptied before it is written.
    for path in [target, target + ".partial"] where isOneFile(path, source) {
      throw FathomError(
        .cannotCreate, attempted: attempted, file: target,
        reason: path == target
          ? "it is the data set that is corrected" : "'\(path)' is the data set that is corrected",
        advice: "choose another name; the data set itself is never changed")
    }
    do throws(FathomError) { try AtomicFile.check(target, overwrite: mayReplace) } catch {
      throw FathomError(error, attempted: attempted)
    }
  }

  /// Copies a file byte by byte.
  /// - Throws: As ``init(copying:to:overwrite:)``.
  public static func copy(_ source: String, to target: String, overwrite: Bool = false) throws(FathomError) {
    try check(target, for: source, mayReplace: overwrite)
    let partial = try AtomicFile(creating: target, overwrite: overwrite, attempted: attempted)
    try copy(source, to: partial)
    try partial.finish(attempted)
  }

  /// Whether two paths lead to one file, by links or otherwise.
  private static func isOneFile(_ a: String, _ b: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  private static let attempted = "write the corrected copy"

  private static func copy(_ source: String, to target: borrowing AtomicFile) throws(FathomError) {
    func failure(_ kind: FathomError.Kind, _ advice: String) -> FathomError {
      FathomError(
        kind, attempted: "copy \(source)", file: source, reason: SystemFault.last.words, advice: advice)
    }
    _ = try SourceFiles(ofFile: source)
    let input = open(source, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard input >= 0 else { throw failure(.noInput, "check the name") }
    defer { close(input) }
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      if count < 0 { throw failure(.inputOutput, "check the disk") }
      if count == 0 { return }
      do throws(FathomError) { try target.write(Array(buffer[..<count])) } catch {
        throw FathomError(error, attempted: attempted)
      }
    }
  }

  private static func errors(in file: borrowing HDF5File) -> [SchemaIssue] {
    var root = RootValidator()
    root.validate(file)
    return root.issues.filter { $0.severity == .error }
  }

  /// Writes what is buffered and gives the copy its name.
  /// - Throws: `FathomError`, also `.badData` where a copy breaks the schema in a place where its source does not; then there is none.
  public consuming func commit() throws(FathomError) {
    let target = partial.path
    if let wrong, let broken = Self.errors(in: file).first(where: { !wrong.contains($0.object) }) {
      throw FathomError(
        .badData, attempted: Self.attempted, file: target, object: broken.object,
        reason: "corrected, it would break the schema: \(broken.problem)",
        advice: "write this array again; a correction cannot fix it")
    }
    do throws(HDF5Error) { try file.close() } catch {
      throw FathomError(error, attempted: "finish the copy", file: target)
    }
    try partial.finish("finish the copy")
  }

  /// Runs steps of HDF5 with the words of an error.
  func edit<Result: ~Copyable>(
    _ object: String, _ body: (borrowing HDF5File) throws(HDF5Error) -> Result
  ) throws(FathomError) -> Result {
    do throws(HDF5Error) { return try body(file) } catch {
      throw FathomError(error, attempted: "correct \(object)", file: partial.path, object: object)
    }
  }
}
