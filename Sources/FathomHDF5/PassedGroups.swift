/// The groups that a path in a file led through last: the next path mostly begins with them, and looking them up again is most of the
/// work of asking what it leads to.
///
/// It holds only for a file that nothing is changed in.
final class PassedGroups {
  private var last: [Substring] = []

  /// How many parts of a path, from its beginning, are known to be groups; never all of them.
  func count(leadingTo parts: [Substring]) -> Int {
    // Names are bytes: two that look alike can be two groups.
    zip(last, parts.dropLast()).prefix { $0.utf8.elementsEqual($1.utf8) }.count
  }

  /// - Parameter parts: A path to a group.
  func remember(_ parts: ArraySlice<Substring>) { last = Array(parts) }
}
