private import Glibc

/// A failed HDF5 call: what was attempted, on which object, and HDF5's own explanation.
public struct HDF5Error: Error, Equatable, Sendable, CustomStringConvertible {
  /// The C function, "H5Dread".
  public let operation: String
  /// The object: "scene.h5:/frames/0001/depth".
  public let object: String
  /// HDF5's error stack, outermost call first: "H5Dread: can't read data". May hold the clock and file
  /// descriptors, so it belongs in logs, not in messages that a test compares.
  public let stack: [String]
  /// What this module detected by itself; nil where the stack has to tell.
  private let detected: Cause?

  /// A failure, as `HDF5Library` found it.
  public init(operation: String, object: String, stack: [String]) {
    (self.operation, self.object, self.stack, detected) = (operation, object, stack, nil)
  }

  /// A failure that this module detected before HDF5 did.
  init(_ cause: Cause, operation: String, object: String, _ reason: String) {
    (self.operation, self.object, stack, detected) = (operation, object, [reason], cause)
  }

  /// The innermost explanation.
  var reason: String { stack.last ?? "HDF5 gives no reason" }
  public var description: String { "\(operation) failed on \(object): \(reason)" }
  /// Which limit was exceeded, in words; nil for other failures.
  public var limit: String? { detected == .tooLarge ? reason : nil }

  /// What a caller can act upon, read off the stack.
  public enum Cause: Equatable, Sendable {
    case noSuchFile
    /// The file may not be opened.
    case noPermission
    /// Another process holds the file open for writing.
    case locked
    /// The content does not begin as an HDF5 file does.
    case notHDF5
    /// The file is shorter than its own header says.
    case truncated
    /// The file uses structures of a later HDF5 than the linked library.
    case newerFormat
    /// A compression filter is missing; its name, or its number where the file holds no name.
    case missingFilter(String)
    /// Compressed data that cannot be decompressed, or fails its checksum.
    case damagedData
    /// The file system is full, or a size limit was reached.
    case noSpace
    /// A request that exceeds `HDF5Dataset.largestRead`, or an attribute or text beyond what is read of one.
    case tooLarge
    /// Not a regular file; what it is instead: "folder", "pipe", "socket", "device".
    case notRegular(String)
    /// The path leads to another file than when it was first looked at.
    case replaced
    /// A link that leads nowhere; where it points: "'/depth', which does not exist".
    case brokenLink(String)
    /// Something that leads to other files, which was not allowed; what it is: "an external link to 'depth.h5'".
    case external(String)
    /// Something that leads to a file outside of the folders that may be read: the file's name, and the folder that it is in.
    case outside(String, folder: String)
    /// A virtual dataset that is put together from itself.
    case selfReference
    case other
  }

  /// What a caller can act upon. What the system failed in is told by its numbers. What is wrong with the format has none in HDF5 that
  /// would tell a filter that is missing from one that failed, or a later version from damage: there its words remain.
  public var cause: Cause {
    if let detected { return detected }
    let words = stack.joined(separator: "\n")
    if words.contains("required filter") { return .missingFilter(Self.filterName(in: words)) }
    if words.contains("filter returned failure during read") { return .damagedData }
    if words.contains("truncated file") { return .truncated }
    let numbers = Set(Self.systemNumbers(in: stack))
    if !numbers.isDisjoint(with: [EWOULDBLOCK, ENOLCK]) { return .locked }
    if words.contains("version number") || words.contains("unknown message") { return .newerFormat }
    if words.contains("file signature not found") || words.contains("not an HDF5 file") { return .notHDF5 }
    if !numbers.isDisjoint(with: [ENOSPC, EFBIG, EDQUOT]) { return .noSpace }
    if numbers.contains(ENOENT) { return .noSuchFile }
    if numbers.contains(EACCES) { return .noPermission }
    return .other
  }

  /// The system's error numbers (errno.h) in a stack: HDF5 hands them on in its texts and nowhere else, behind the name of the file.
  static func systemNumbers(in stack: [String]) -> [Int32] {
    stack.compactMap { entry in
      entry.matches(of: #/errno = (\d+), error message = /#).last.flatMap { Int32($0.output.1) }
    }
  }

  /// "required filter 'name' is not registered" or "…filter (name unavailable)…".
  private static func filterName(in text: String) -> String {
    guard let start = text.firstRange(of: "required filter"),
      let quote = text[start.upperBound...].firstIndex(of: "'")
    else { return "unnamed" }
    let name = text[text.index(after: quote)...].prefix { $0 != "'" && $0 != "\n" }
    return name.isEmpty ? "unnamed" : String(name)
  }
}
