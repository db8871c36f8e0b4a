/// Where the truth of a data set's frames comes from, whatever it is that is measured against it.
public enum TruthOrigin: String, Sendable, Hashable, Codable, CaseIterable {
  /// What the data set holds.
  case stored
  /// A reference made from neighbouring frames.
  case multiview
}
