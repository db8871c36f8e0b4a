internal import FathomPlainText

/// What a mapping says wrongly, in one line.
package struct MappingFault: Error {
  package let words: String
  package init(words: String) { self.words = words }
}

/// Keys of one part of a mapping; all others are refused by name.
package protocol MappingKeys: CodingKey, CaseIterable, RawRepresentable<String> {}

/// A part of a mapping in which no key is unknown.
package struct StrictKeys<Keys: MappingKeys> {
  private let container: KeyedDecodingContainer<Keys>

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(_ decoder: any Decoder, _: Keys.Type = Keys.self) throws {
    let given = try decoder.container(keyedBy: AnyKey.self).allKeys.map(\.stringValue)
    let known = Keys.allCases.map(\.rawValue)
    if let unknown = given.first(where: { !known.contains($0) }) {
      let place = decoder.codingPath.map(\.stringValue).joined(separator: ".")
      throw MappingFault(
        words: "\(place.isEmpty ? "it" : "'\(place)'") has the unknown key '\(unknown)'; "
          + EditDistance.advice(for: unknown, among: known))
    }
    container = try decoder.container(keyedBy: Keys.self)
  }

  package func required<Value: Decodable>(_ key: Keys, _: Value.Type = Value.self) throws -> Value {
    if let value = try optional(key, Value.self) { return value }
    throw missing(key)
  }

  package func optional<Value: Decodable>(_ key: Keys, _: Value.Type = Value.self) throws -> Value? {
    do { return try container.decodeIfPresent(Value.self, forKey: key) } catch let error as DecodingError {
      throw MappingFault(error, at: container.codingPath + [key])
    }
  }

  package func word<Word: RawRepresentable<String> & CaseIterable>(_ key: Keys, _: Word.Type = Word.self)
    throws
    -> Word?
  {
    guard let text = try optional(key, String.self) else { return nil }
    if let word = Word(rawValue: text) { return word }
    throw MappingFault(
      words: "'\(key.rawValue)' is '\(text)'; "
        + EditDistance.advice(for: text, among: Word.allCases.map(\.rawValue)))
  }

  package func requiredWord<Word: RawRepresentable<String> & CaseIterable>(
    _ key: Keys, _: Word.Type = Word.self
  )
    throws -> Word
  {
    if let word = try word(key, Word.self) { return word }
    throw missing(key)
  }

  private func missing(_ key: Keys) -> MappingFault {
    let place = (container.codingPath + [key]).map(\.stringValue).joined(separator: ".")
    return MappingFault(words: "'\(place)' is missing")
  }
}

extension MappingFault {
  /// A decoder's error in a user's words.
  package init(_ error: DecodingError, at path: [any CodingKey]) {
    if case .dataCorrupted(let context) = error, let fault = context.underlyingError as? MappingFault {
      self = fault
    } else {
      words = error.words(in: path)
    }
  }
}
