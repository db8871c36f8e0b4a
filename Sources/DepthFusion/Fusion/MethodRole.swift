/// What a method is. Rules and words go by it, never by how an id is spelt.
public enum MethodRole: String, Sendable, Hashable, Codable, CaseIterable {
  /// The sensor's own depth, raw, averaged over time, or sharpened by the camera image.
  case sensor
  /// What the app's documents say, to the letter.
  case literal
  /// One line for the whole map.
  case line
  /// A line, or a field of them, that changes over the map.
  case local
  /// Chooses among others, frame by frame.
  case automatic
  /// A network's own output that the data hold.
  case stored
  /// Looks at the truth, which no app can.
  case oracle

  /// Whether it has nothing to work with where the scene has no LiDAR.
  public var needsLidar: Bool {
    switch self {
    case .sensor, .literal, .line, .local, .automatic: true
    case .stored, .oracle: false
    }
  }

  /// Whether it fits a network's map beyond what the app does.
  public var isFitted: Bool {
    switch self {
    case .line, .local, .automatic, .stored: true
    case .sensor, .literal, .oracle: false
    }
  }
}
