/// Frames of every scene, half-open as in Python: "A:B"; either end may be left out.
public struct FrameRange: Sendable, Hashable, CustomStringConvertible {
  public let lower: Int?
  public let upper: Int?

  /// nil for what is no range of at least one frame.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    lower = Int(parts[0])
    upper = Int(parts[1])
    guard (parts[0].isEmpty || (lower ?? -1) >= 0) && (parts[1].isEmpty || (upper ?? -1) >= 0) else {
      return nil
    }
    if let lower, let upper, lower >= upper { return nil }
  }

  public var description: String { "\(lower.map(String.init) ?? ""):\(upper.map(String.init) ?? "")" }

  /// The frames of a scene of `count` frames.
  public func clamped(to count: Int) -> Range<Int> {
    let start = min(lower ?? 0, count)
    return start..<max(start, min(upper ?? count, count))
  }
}
