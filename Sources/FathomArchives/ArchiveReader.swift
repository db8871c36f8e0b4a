internal import CFathomArchive
internal import FathomPlainText

/// Goes through the entries of a zip or tar file, in the order in which they stand; a tar file may be packed with gzip.
struct ArchiveReader: ~Copyable {
  /// One entry, which is to be read before the next one is asked for.
  struct Entry {
    enum Kind { case file, folder, link, other }
    let name: String, kind: Kind, isEncrypted: Bool
  }

  struct Fault: Error {
    let reason: String
    /// What the disk failed in that entries are unpacked to; nil where the archive is at fault.
    var disk: SystemFault?
  }

  private let handle: OpaquePointer
  /// Of a tar file; nil where libarchive reads the file itself, because the list of a zip stands at its end.
  private let bytes: TarBytes?

  /// - Parameter size: Bytes of the file.
  /// - Throws: `Fault` where it cannot be opened, or is not one of these formats.
  init(_ path: String, size: Int, bounds: ArchiveBounds) throws(Fault) {
    guard let opened = archive_read_new() else { throw Fault(reason: "memory is short") }
    // Only what recordings come in: every other format and filter would be code that strangers' bytes reach.
    let bytes = ZipDirectory.isZip(path) ? nil : TarBytes(path, size: size, bounds: bounds)
    let isOpen: Bool
    if let bytes {
      isOpen =
        archive_read_support_format_tar(opened) == ARCHIVE_OK
        && archive_read_open(
          opened, Unmanaged.passUnretained(bytes).toOpaque(), nil,
          { _, context, buffer in
            guard let context, let buffer else { return -1 }
            let found = Unmanaged<TarBytes>.fromOpaque(context).takeUnretainedValue().next()
            buffer.pointee = found?.baseAddress
            return found?.count ?? -1
          }, nil) == ARCHIVE_OK
    } else {
      isOpen =
        archive_read_support_format_zip(opened) == ARCHIVE_OK
        && archive_read_open_filename(opened, path, 1 << 16) == ARCHIVE_OK
    }
    guard isOpen else {
      let problem = Self.problem(opened, bytes)
      archive_read_free(opened)
      throw problem
    }
    (handle, self.bytes) = (opened, bytes)
  }

  deinit { archive_read_free(handle) }

  /// - Returns: nil behind the last one.
  mutating func next() throws(Fault) -> Entry? {
    var entry: OpaquePointer?
    let status = UnicodeNames.kept { archive_read_next_header(handle, &entry) }
    if status == ARCHIVE_EOF {
      // The checksum of gzip stands behind everything, also behind what ends a tar file.
      while let bytes, let more = bytes.next() { if more.isEmpty { return nil } }
      guard bytes == nil else { throw Self.problem(handle, bytes) }
      return nil
    }
    // A warning says that a name could not be shown in the user's language; its bytes are there.
    guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry else { throw Self.problem(handle, bytes) }
    guard
      let bytes = UnicodeNames.kept({ archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry) }),
      let name = String(validatingCString: bytes)
    else { throw Fault(reason: "the name of an entry is not UTF-8") }
    let isLink = archive_entry_hardlink(entry) != nil || archive_entry_symlink(entry) != nil
    let kind: Entry.Kind =
      switch archive_entry_filetype(entry) {
      case _ where isLink: .link
      case mode_t(S_IFREG): .file
      case mode_t(S_IFDIR): .folder
      default: .other
      }
    return Entry(name: name, kind: kind, isEncrypted: archive_entry_is_encrypted(entry) != 0)
  }

  /// Bytes of the entry that came last.
  /// - Returns: How many were read; 0 behind the last one.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let count = archive_read_data(handle, buffer.baseAddress, buffer.count)
    guard count >= 0 else { throw Self.problem(handle, bytes) }
    return count
  }

  private static func problem(_ handle: OpaquePointer, _ bytes: TarBytes?) -> Fault {
    if let reason = bytes?.problem { return Fault(reason: reason) }
    guard let words = archive_error_string(handle) else { return Fault(reason: "it is damaged") }
    return Fault(reason: String(cString: words).filter { !$0.isNewline })
  }
}
