/// How the files of several folders become frames.
public enum MapMatching: String, Sendable, Hashable, Codable, CaseIterable {
  /// By names; by numbers where both sides have the same ones; stacks by their order.
  case automatic
  /// By names; files without a partner are skipped.
  case name
  /// By the numbers in the names; files without a partner are skipped.
  case number
  /// By the order of the names, with numbers in them as numbers; both sides have as many.
  case order
}
