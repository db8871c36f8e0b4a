private import Glibc

/// A language of the thread in which libarchive keeps the names that a zip marks as UTF-8: in "C" it loses them.
enum UnicodeNames {
  // Made once, by the runtime's lock, and never changed or freed. Where the system has none, it is nil, and the thread's language stays.
  private nonisolated(unsafe) static let language = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil)

  /// Reads it from the system's files, which a confined process cannot open.
  static func load() { _ = language }

  static func kept<Result>(_ body: () -> Result) -> Result {
    let before = uselocale(language)
    defer { _ = uselocale(before) }
    return body()
  }
}
