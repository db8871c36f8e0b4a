/// What becomes of a frame that comes while another one is analysed.
public enum AdmissionPolicy: String, Sendable, Hashable, Codable, CaseIterable {
  /// It is dropped at once (seed "Using Vision in Real Time with ARKit").
  case drop
  /// It waits, and so holds its buffers, until all before it are done.
  case queue
  /// It waits in the place of an older one, which is dropped.
  case latest

  /// How many frames may wait.
  var room: Int {
    switch self {
    case .drop: 0
    case .queue: .max
    case .latest: 1
    }
  }
}
