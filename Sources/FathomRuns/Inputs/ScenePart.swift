package import DepthCore

/// One of several parts that the scenes of a job are divided into, see ``SceneDivision``.
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
}

/// What tells a scene from others without reading its frames.
package struct SceneOutline: Sendable, Hashable, Codable {
  package let name: String, frames: Int
  /// Identifiers of the first and the last frame; absent where it has no frames.
  package let first: String?, last: String?
  /// What its chosen frames take one core, predicted of their number and sizes.
  package let microseconds: Int

  /// - Parameter chosen: How many of its frames are worked on; nil for all.
  package init(_ header: SceneHeader, chosen: Int? = nil) {
    (name, frames) = (header.name, header.frameCount)
    first = frames > 0 ? header.frameID(0) : nil
    last = frames > 0 ? header.frameID(frames - 1) : nil
    microseconds = PredictedTime.evaluate.microseconds(of: header, frames: chosen ?? frames)
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

  package init(
    _ path: String, label: String, scenes: [SceneOutline] = [], fault: String? = nil, warnings: [String] = []
  ) {
    (self.label, self.scenes, self.fault) = (label, scenes, fault)
    self.warnings = warnings.isEmpty ? nil : warnings
    file = path.split(separator: "/").last.map(String.init) ?? path
  }
}
