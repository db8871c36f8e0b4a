/// The groups that the last path in a file led through: the next path mostly begins with them, and looking them up again is most of the
/// work of asking what it leads to.
///
/// It holds only for a file that nothing is changed in.
final class PassedGroups {
  private var last: [Substring] = []

  /// How many parts of a path, from its beginning, are known to be groups; never all of them.
  func count(leadingTo parts: [Substring]) -> Int {
    zip(last, parts.dropLast()).prefix { $0 == $1 }.count
  }

  /// - Parameter parts: A path to a group.
  func remember(_ parts: ArraySlice<Substring>) { last = Array(parts) }
}
