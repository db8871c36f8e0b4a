extension DecodingError {
  /// What is wrong in a file, in a user's words: "'noise' is not a list". The decoder's own words name types of
  /// the program.
  /// - Parameter outer: Where the value lies that was decoded, from the top of the file.
  package func words(in outer: [any CodingKey] = []) -> String {
    func place(_ path: [any CodingKey]) -> String {
      let place = (path.isEmpty ? outer : path).reduce("") { place, key in
        key.intValue.map { "\(place)[\($0)]" } ?? (place.isEmpty ? "" : place + ".") + key.stringValue
      }
      return place.isEmpty ? "it" : "'\(place)'"
    }
    return switch self {
    case .keyNotFound(let key, let context): "\(place(context.codingPath + [key])) is missing"
    case .typeMismatch(let type, let context): "\(place(context.codingPath)) is not \(Self.kind(type))"
    case .valueNotFound(_, let context): "\(place(context.codingPath)) is empty"
    case .dataCorrupted(let context): "\(place(context.codingPath)) is not an allowed value"
    @unknown default: "it cannot be read"
    }
  }

  private static func kind(_ type: any Any.Type) -> String {
    switch type {
    case is any BinaryInteger.Type: "a whole number"
    case is any BinaryFloatingPoint.Type: "a number"
    case is Bool.Type: "true or false"
    case is String.Type: "a text"
    case is any ExpressibleByDictionaryLiteral.Type: "a table of keys and values"
    case is any Sequence.Type: "a list"
    default: "of the right kind"
    }
  }
}
