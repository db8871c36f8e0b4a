private import Glibc
private import FathomPlainText
public import FathomStorage

/// The files of an archive in a temporary folder, which is there as long as this is.
///
/// Files are unpacked, not read where they lie: a recording's frames are read in any order, by several threads, more than once, and a
/// packed stream can only be read from its beginning.
public final class UnpackedArchive: Sendable {
  public var folder: String { place.path }
  private let place: ScratchFolder

  /// Whether a file begins as archives do that are read: zip, tar, tar packed with gzip.
  public static func isArchive(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    var bytes = [UInt8](repeating: 0, count: 262)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count >= 4 else { return false }
    let isZip = bytes.starts(with: [0x50, 0x4B, 3, 4]) || bytes.starts(with: [0x50, 0x4B, 5, 6])
    return isZip || bytes.starts(with: [0x1F, 0x8B, 8])
      || count == 262 && bytes[257...].elementsEqual(Array("ustar".utf8))
  }

  /// Reads what unpacking takes from the system, before the process is confined.
  public static func prepare() { UnicodeNames.load() }

  /// - Throws: `FathomError` `.badData` where it is damaged, holds too much, or has names that lead out of the folder, links or
  ///   what is not a file; `.noRoom` where the disk is full; `.cannotCreate`.
  public init(_ path: String, bounds: ArchiveBounds = ArchiveBounds()) throws(FathomError) {
    place = try ScratchFolder()
    try Self.unpack(path, into: place.path, bounds: bounds)
  }

  /// The same into a folder that is there and empty.
  public static func unpack(
    _ path: String, into folder: String, bounds: ArchiveBounds = ArchiveBounds()
  ) throws(FathomError) {
    var status = stat()
    let size = stat(path, &status) == 0 ? Int(status.st_size) : 0
    do throws(ArchiveReader.Fault) {
      if let declared = ZipDirectory.entryCount(of: path) { try Unpacking.require(declared, bounds) }
      var reader = try ArchiveReader(path, size: size, bounds: bounds)
      var unpacking = Unpacking(folder: folder, size: size, bounds: bounds)
      while let entry = try reader.next() { try unpacking.take(entry, from: &reader) }
    } catch {
      throw FathomError(
        error.disk.map { FathomError.writingKind($0) } ?? .badData, attempted: "unpack the archive",
        file: path, reason: error.reason,
        advice: error.disk != nil
          ? "free some space, or name another folder in the variable TMPDIR"
          : "unpack it yourself, look at it, and give the folder")
    }
  }
}

/// An archive on its way into a folder.
private struct Unpacking {
  let folder: String, size: Int, bounds: ArchiveBounds
  private var entries = 0, bytes = 0, emptyFiles = 0
  /// What stands under each name so far. Names that look the same are the same here, whatever their bytes: later they would be
  /// taken for each other.
  private var isFolder: [String: Bool] = [:]

  init(folder: String, size: Int, bounds: ArchiveBounds) {
    (self.folder, self.size, self.bounds) = (folder, size, bounds)
  }

  static func require(_ entries: Int, _ bounds: ArchiveBounds) throws(ArchiveReader.Fault) {
    guard entries <= bounds.entries
    else { throw ArchiveReader.Fault(reason: "it holds more than \(bounds.entries) entries") }
  }

  mutating func take(
    _ entry: ArchiveReader.Entry, from reader: inout ArchiveReader
  ) throws(ArchiveReader.Fault) {
    entries += 1
    try Self.require(entries, bounds)
    let shown = "'\(entry.name.visible.shortened(to: 100))'"
    var parts = entry.name.split(separator: "/", omittingEmptySubsequences: true)
    parts.removeAll { $0 == "." }
    guard !entry.name.hasPrefix("/"), !parts.contains(".."), !entry.name.contains("\\") else {
      throw ArchiveReader.Fault(reason: "its entry \(shown) leads out of the folder that it is unpacked into")
    }
    switch entry.kind {
    case .link: throw ArchiveReader.Fault(reason: "its entry \(shown) is a link")
    case .other: throw ArchiveReader.Fault(reason: "its entry \(shown) is neither a file nor a folder")
    case .folder, .file: break
    }
    // What file managers add is not part of a recording.
    guard let last = parts.last, !parts.contains(where: { $0.hasPrefix(".") || $0 == "__MACOSX" })
    else { return }
    var place = ""
    for part in entry.kind == .folder ? parts[...] : parts.dropLast() {
      place += "/" + part
      guard isFolder[place] != false else { throw Self.both(place) }
      isFolder[place] = true
      guard mkdir(folder + place, 0o700) == 0 || errno == EEXIST else { throw disk() }
    }
    guard entry.kind == .file else { return }
    guard !entry.isEncrypted else { throw ArchiveReader.Fault(reason: "its entry \(shown) is encrypted") }
    place += "/" + last
    switch isFolder.updateValue(false, forKey: place) {
    case true?: throw Self.both(place)
    case false?: throw ArchiveReader.Fault(reason: "it holds \(shown) twice")
    case nil: try write(folder + place, shown, &reader)
    }
  }

  private static func both(_ place: String) -> ArchiveReader.Fault {
    let name = place.dropFirst().description.visible.shortened(to: 100)
    return ArchiveReader.Fault(reason: "it holds '\(name)' as a file and as a folder")
  }

  private mutating func write(
    _ path: String, _ shown: String, _ reader: inout ArchiveReader
  ) throws(ArchiveReader.Fault) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw disk() }
    defer { close(descriptor) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    let most = bounds.most(from: size)
    var written = 0
    while true {
      let count = try reader.read(into: buffer)
      guard count > 0 else { break }
      written += count
      bytes += count
      guard written <= bounds.entryBytes else {
        throw ArchiveReader.Fault(reason: "its entry \(shown) has more than \(bounds.entryBytes) bytes")
      }
      guard bytes <= most else { throw ArchiveReader.Fault(reason: bounds.excess(from: size)) }
      var done = 0
      while done < count {
        let step = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, count - done)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else { throw disk() }
        done += step
      }
    }
    if written == 0 { emptyFiles += 1 }
    guard emptyFiles <= bounds.emptyFiles
    else { throw ArchiveReader.Fault(reason: "it holds more than \(bounds.emptyFiles) empty files") }
  }

  private func disk() -> ArchiveReader.Fault {
    // The archive's fault, not the disk's.
    guard errno != ENAMETOOLONG
    else { return ArchiveReader.Fault(reason: "the name of an entry is too long for a file") }
    let fault = SystemFault.last
    return ArchiveReader.Fault(reason: "the temporary folder cannot be written: \(fault.words)", disk: fault)
  }
}
