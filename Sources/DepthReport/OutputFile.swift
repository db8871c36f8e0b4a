private import Glibc

/// A file that appears under its name only when it is complete: written as `NAME.partial`, then renamed.
public struct OutputFile: ~Copyable {
  /// Where the file will be.
  public let path: String
  /// Where it is until then.
  public let partial: String
  private let overwrite: Bool
  private let file: FileWriter
  private var isFinished = false

  /// Creates the partial file; one that a process left behind is replaced.
  ///
  /// - Throws: `OutputError` where the file exists and `overwrite` is false, where it is a folder or a device, where its folder does not
  ///   exist or cannot be written, or where another process is writing it.
  public init(_ path: String, overwrite: Bool) throws(OutputError) {
    try Self.check(path, overwrite: overwrite)
    let file = try FileWriter(path + ".partial", for: path)
    (self.path, partial, self.overwrite) = (path, path + ".partial", overwrite)
    self.file = file
  }

  private static func check(_ path: String, overwrite: Bool) throws(OutputError) {
    if path == "-" {
      throw refusal(path, "it stands for standard output, which takes no file", "name a file, or ./-")
    }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR {
        throw refusal(path, "it is a folder", "name a file in it")
      }
      // A device would be replaced by a file.
      if status.st_mode & S_IFMT != S_IFREG {
        throw refusal(path, "it is no ordinary file", "choose another --output")
      }
      if !overwrite { throw refusal(path, "it exists", "choose another --output or add --overwrite") }
    }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw refusal(path, "there is no folder '\(folder)'", "create the folder first")
    }
  }

  private static func refusal(_ path: String, _ reason: String, _ advice: String) -> OutputError {
    OutputError(kind: .cannotCreate, path: path, reason: reason, advice: advice)
  }

  /// Adds bytes to the end.
  ///
  /// - Throws: `OutputError` `.inputOutput`.
  public func write(_ bytes: [UInt8]) throws(OutputError) { try file.write(bytes) }

  /// Gives the file its name.
  ///
  /// - Throws: `OutputError` where the file has come to exist and may not be replaced, or renaming fails.
  public consuming func commit() throws(OutputError) {
    try Self.check(path, overwrite: overwrite)
    guard rename(partial, path) == 0 else {
      throw OutputError(
        kind: .inputOutput, path: path, reason: String(cString: strerror(errno)), advice: "check the disk")
    }
    isFinished = true
  }

  deinit { if !isFinished { unlink(partial) } }
}
