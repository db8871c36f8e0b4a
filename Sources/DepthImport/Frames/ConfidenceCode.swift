/// How recordings write the three levels of confidence. No other coding is read: where a threshold should lie would be a guess.
enum ConfidenceCode: String, Sendable, Hashable, CaseIterable {
  case levels = "0/1/2"
  case bytes = "0/127/255"
  case shares = "0/0.5/1"

  /// Levels 0, 1 and 2.
  var values: [Double] {
    switch self {
    case .levels: [0, 1, 2]
    case .bytes: [0, 127, 255]
    case .shares: [0, 0.5, 1]
    }
  }

  /// The code that a map shows; nil where it is all 0, or where another map must decide between two.
  ///
  /// - Throws: `ConfidenceFault` where a number belongs to none, or to another one than the rest.
  static func shown(by numbers: Set<Double>) throws(ConfidenceFault) -> ConfidenceCode? {
    let possible = allCases.filter { code in numbers.allSatisfy(code.values.contains) }
    guard !possible.isEmpty else {
      let listed = numbers.sorted().prefix(6).map(DepthWords.number).joined(separator: ", ")
      throw ConfidenceFault(
        reason:
          "it holds \(listed)\(numbers.count > 6 ? ", …" : ""), and confidence is 0/1/2, 0/127/255 or 0/0.5/1"
      )
    }
    return possible.count == 1 ? possible[0] : nil
  }
}

/// A map of confidence that cannot be read as levels.
struct ConfidenceFault: Error {
  let reason: String
}
