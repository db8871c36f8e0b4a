extension String {
  /// At most so many characters, the last one "…" where some were omitted.
  public func shortened(to length: Int) -> String {
    // Counting all characters of a long text would take longer than reading it.
    guard let end = index(startIndex, offsetBy: length, limitedBy: endIndex), end != endIndex else {
      return self
    }
    return self[..<index(before: end)] + "…"
  }
}

extension Sequence<String> {
  /// The first few, and how many more there are: "a, b, c and 7 more".
  public func listed(atMost count: Int) -> String {
    let all = Array(self)
    guard all.count > count else { return all.joined(separator: ", ") }
    return all.prefix(count).joined(separator: ", ") + " and \(all.count - count) more"
  }
}
