/// How maps of another aspect than the truth's or the frames' are brought to their size.
public enum PredictionResize: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each axis by itself: the network squashed the whole picture to its own size.
  case stretch
}
