extension Array where Element: Hashable {
  /// Distinct elements in the order in which they first appear.
  public var firstAppearances: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
