/// How maps of another aspect than the truth's are brought to its size.
public enum PredictionResize: String, Sendable, Hashable, Codable, CaseIterable {
  /// Each axis by itself: the network squashed the whole picture to its own size.
  case stretch
}
