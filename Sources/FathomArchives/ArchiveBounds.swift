/// How much an archive may hold. Recordings stay far below; an archive that was made to fill a disk does not.
public struct ArchiveBounds: Sendable, Hashable, Codable {
  /// Files and folders. A larger recording is given as a folder.
  public var entries = 300_000
  /// Files without bytes: labels of frames without objects are such.
  public var emptyFiles = 20_000
  /// Bytes of one file: two hours of a phone's video.
  public var entryBytes = 1 << 34
  public var totalBytes = 1 << 36
  /// How many bytes one byte of the archive may become, on the whole. Pictures hardly shrink; arrays that are mostly 0 become 1/100.
  public var expansion = 200
  /// So many bytes are never too many, however small the archive.
  public var freeBytes = 1 << 26
  public init() {}

  /// The bytes that an archive of a size may become.
  func most(from archiveBytes: Int) -> Int {
    let (product, overflows) = archiveBytes.multipliedReportingOverflow(by: expansion)
    return min(totalBytes, max(freeBytes, overflows ? .max : product))
  }

  /// Why an archive of a size may not become more than ``most(from:)``.
  func excess(from archiveBytes: Int) -> String {
    most(from: archiveBytes) < totalBytes
      ? "it becomes more than \(expansion) times as large as it is: it was made to fill disks"
      : "it holds more than \(totalBytes) bytes"
  }
}
