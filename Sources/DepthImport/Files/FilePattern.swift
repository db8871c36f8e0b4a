/// Names of files in a recording: "depth/*.png". `*` stands for any letters but "/", `{a,b}` for either word.
///
/// Endings may be in capital letters: "depth/*.png" is "depth/000010.PNG", too.
///
/// What the stars of the last part of a path stood for is what tells frames apart: "000010" of "depth/000010.png".
public struct FilePattern: Sendable, Hashable, Decodable {
  public let text: String
  /// Without braces.
  private let alternatives: [[UInt8]]

  public init(_ text: String) {
    self.text = text
    alternatives = Self.expanded(text).map { Array(FileEnding.lowered($0).utf8) }
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public static func == (a: Self, b: Self) -> Bool { a.text == b.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// What the stars of the last part stand for, joined; nil where the name does not match.
  public func capture(in name: String) -> String? {
    let bytes = Array(FileEnding.lowered(name).utf8)
    for pattern in alternatives {
      var captured: [UInt8] = []
      if Self.matches(pattern[...], bytes[...], &captured) {
        return String(decoding: captured.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
      }
    }
    return nil
  }

  /// Stars are greedy. What they stand for is collected with the slashes between, so that the last part is known.
  private static func matches(
    _ pattern: ArraySlice<UInt8>, _ name: ArraySlice<UInt8>, _ captured: inout [UInt8]
  ) -> Bool {
    guard let first = pattern.first else { return name.isEmpty }
    guard first == UInt8(ascii: "*") else {
      guard name.first == first else { return false }
      let kept = captured.count
      if first == UInt8(ascii: "/") { captured.append(first) }
      if matches(pattern.dropFirst(), name.dropFirst(), &captured) { return true }
      captured.removeSubrange(kept...)
      return false
    }
    let kept = captured.count
    let most = name.firstIndex(of: UInt8(ascii: "/")) ?? name.endIndex
    for end in stride(from: most, through: name.startIndex, by: -1) {
      captured.append(contentsOf: name[name.startIndex..<end])
      if matches(pattern.dropFirst(), name[end...], &captured) { return true }
      captured.removeSubrange(kept...)
    }
    return false
  }

  private static func expanded(_ text: String) -> [String] {
    guard let open = text.firstIndex(of: "{"), let close = text[open...].firstIndex(of: "}") else {
      return [text]
    }
    return text[text.index(after: open)..<close].split(separator: ",", omittingEmptySubsequences: false)
      .flatMap { expanded(String(text[..<open]) + $0 + String(text[text.index(after: close)...])) }
  }
}
