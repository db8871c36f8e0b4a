package import DepthCore
import FathomStorage

/// One of several parts that the scenes of a job are divided into: which part a scene is in follows from the scene alone, so that
/// more data move no scene.
public struct ScenePart: Sendable, Hashable, Codable, CustomStringConvertible {
  /// From 1.
  public let number: Int
  public let count: Int

  /// nil where there is no such part.
  public init?(_ number: Int, of count: Int) {
    guard count >= 1, (1...count).contains(number) else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// - Throws: `DecodingError`, also where there is no such part.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let (number, count) = (
      try values.decode(Int.self, forKey: .number), try values.decode(Int.self, forKey: .count)
    )
    guard let part = Self(number, of: count) else {
      throw DecodingError.dataCorruptedError(
        forKey: .number, in: values, debugDescription: "part \(number)/\(count) does not exist")
    }
    self = part
  }

  /// "2/7"; nil for what is not a part.
  public init?(_ text: String) {
    let words = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard words.count == 2, let number = words[0], let count = words[1] else { return nil }
    self.init(number, of: count)
  }

  public var description: String { "\(number)/\(count)" }
  package func contains(_ scene: SceneOutline) -> Bool { contains(scene.hash) }
  /// Whether this part looks after a data set as such: one without scenes, or that cannot be read.
  package func contains(_ label: String) -> Bool { contains(SceneOutline.hash(label)) }
  private func contains(_ hash: UInt64) -> Bool { hash % UInt64(count) == UInt64(number - 1) }
}

/// What tells a scene from others without reading its frames.
package struct SceneOutline: Sendable, Hashable, Codable {
  package let name: String, frames: Int
  /// Identifiers of the first and the last frame; absent where it has no frames.
  package let first: String?, last: String?

  package init(_ header: SceneHeader) {
    (name, frames) = (header.name, header.frameCount)
    first = frames > 0 ? header.frameID(0) : nil
    last = frames > 0 ? header.frameID(frames - 1) : nil
  }

  /// The first eight bytes of the SHA-256 of name, number of frames, first and last identifier, each closed by a line feed.
  package var hash: UInt64 { Self.hash("\(name)\n\(frames)\n\(first ?? "")\n\(last ?? "")\n") }

  fileprivate static func hash(_ text: String) -> UInt64 {
    Digest.sha256(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

/// What the headers say of a data set of a job.
package struct InputOutline: Sendable, Hashable, Codable {
  package var label: String  // Name in the run.
  package let file: String  // File name without its folder.
  package let scenes: [SceneOutline]
  /// Why it cannot be read; absent where it can.
  package let fault: String?
  /// Why it is probably not what it is said to be; absent where nothing is doubtful.
  let warnings: [String]?

  init(
    _ path: String, label: String, scenes: [SceneOutline] = [], fault: String? = nil, warnings: [String] = []
  ) {
    (self.label, self.scenes, self.fault) = (label, scenes, fault)
    self.warnings = warnings.isEmpty ? nil : warnings
    file = path.split(separator: "/").last.map(String.init) ?? path
  }
}
