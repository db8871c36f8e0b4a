public import DepthCore

/// Frames of a scene: "A:B" from A up to before B, either may be missing, or "A" alone. Every command that takes frames reads them this
/// way.
///
/// A word is the identifier of a frame, as reports name it, where the scene has one of that name; otherwise a position, counted
/// from 0.
public struct FrameRange: Sendable, Hashable, CustomStringConvertible {
  private let text: String  // As it was written.
  /// nil for the first frame, and up to the last one.
  private let first: Substring?, end: Substring?
  private let isSingle: Bool

  /// nil for what names no frames: nothing, "5:2", "-1:2", and "0-9", which would be a name but is a slip.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard !text.isEmpty, parts.count <= 2, !parts.contains(where: { $0.hasPrefix("-") || $0.isSlip }) else {
      return nil
    }
    self.text = text
    isSingle = parts.count == 1
    first = parts[0].isEmpty ? nil : parts[0]
    end = isSingle || parts[1].isEmpty ? nil : parts[1]
    if let first = first.flatMap({ Int($0) }), let end = end.flatMap({ Int($0) }), first >= end { return nil }
  }

  public var description: String { text }

  /// Both ends as positions; nil where one is not a whole number.
  var positions: (lower: Int?, upper: Int?)? {
    let (lower, upper) = (first.map { Int($0) }, end.map { Int($0) })
    if case .some(.none) = lower { return nil }
    if case .some(.none) = upper { return nil }
    let start = lower.flatMap(\.self)
    return isSingle ? (start, start.map { $0 + 1 }) : (start, upper.flatMap(\.self))
  }

  /// The frames of a scene; none where it has no such frame.
  public func frames(of scene: SceneHeader) -> Range<Int> {
    // An identifier may hold a colon.
    if let only = Self.index(of: text, in: scene) { return only..<only + 1 }
    guard !isSingle, let start = Self.bound(first, in: scene, otherwise: 0),
      let stop = Self.bound(end, in: scene, otherwise: scene.frameCount)
    else { return 0..<0 }
    return start..<max(start, stop)
  }

  /// The frame of a scene that a word names; nil where there is none.
  package static func index(of word: some StringProtocol, in scene: SceneHeader) -> Int? {
    if let named = scene.frameIDs?.firstIndex(where: { $0 == word }) { return named }
    return Int(word).flatMap { (0..<scene.frameCount).contains($0) ? $0 : nil }
  }

  /// An end, no farther than the scene's; nil for a word that is neither a name nor a number.
  private static func bound(_ word: Substring?, in scene: SceneHeader, otherwise end: Int) -> Int? {
    guard let word else { return end }
    return index(of: word, in: scene) ?? Int(word).map { min($0, scene.frameCount) }
  }
}

extension Substring {
  /// "0-9", meant as a range.
  fileprivate var isSlip: Bool {
    let ends = split(separator: "-", omittingEmptySubsequences: false)
    return ends.count == 2 && ends.allSatisfy { Int($0) != nil }
  }
}
