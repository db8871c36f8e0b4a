/// How the files of one frame are found: by what the stars of their patterns stand for.
package enum FrameMatching: Sendable, Hashable {
  /// The first number in it; frames come in its order.
  case number
  /// All of it, the same for every file of the frame; frames come in the order of its bytes.
  case name
  /// By number where every depth file has one of its own, else by name; one depth and one picture belong together.
  case numberOrName
  /// It is a time in seconds, and the nearest within the tolerance belongs to the depth.
  case time(tolerance: Double)

  /// Seconds by which files of one frame differ: less than half of what lies between frames.
  package static let usualTolerance = 0.02
}

extension FrameMatching: Decodable {
  private enum CodingKeys: String, MappingKeys { case by, tolerance }
  private enum Word: String, CaseIterable { case number, name, time, numberOrName = "number-or-name" }

  package init(from decoder: any Decoder) throws {
    let keys = try StrictKeys(decoder, CodingKeys.self)
    let tolerance: Double? = try keys.optional(.tolerance)
    let word = try keys.requiredWord(.by, Word.self)
    guard word == .time || tolerance == nil
    else { throw MappingFault(words: "'match.tolerance' belongs to 'by: time'") }
    switch word {
    case .number: self = .number
    case .name: self = .name
    case .numberOrName: self = .numberOrName
    case .time:
      guard let tolerance, tolerance > 0, tolerance <= 1
      else { throw MappingFault(words: "'match.tolerance' must be above 0 s and at most 1 s") }
      self = .time(tolerance: tolerance)
    }
  }
}
