internal import FathomMapFiles

/// How recordings write the three levels of confidence. No other coding is read: where a threshold should lie would be a guess.
enum ConfidenceCode: String, Sendable, Hashable, CaseIterable {
  case levels = "0/1/2", bytes = "0/127/255", shares = "0/0.5/1"

  /// Levels 0, 1 and 2.
  var values: [Double] {
    switch self {
    case .levels: [0, 1, 2]
    case .bytes: [0, 127, 255]
    case .shares: [0, 0.5, 1]
    }
  }

  /// The levels of numbers, and one of them that is none.
  func levels<Number: BinaryInteger>(_ numbers: [Number]) -> (levels: [UInt8], unknown: Double?) {
    let places = values.map { Number(exactly: $0) }
    guard let low = places[0], let medium = places[1], let high = places[2]
    else { return levels(numbers.map { Double($0) }) }
    return levels(numbers, low, medium, high)
  }

  func levels(_ numbers: [Double]) -> (levels: [UInt8], unknown: Double?) {
    levels(numbers, values[0], values[1], values[2])
  }

  private func levels<Number: Equatable>(
    _ numbers: [Number], _ low: Number, _ medium: Number, _ high: Number
  ) -> (levels: [UInt8], unknown: Double?) {
    var unknown: Number?
    let levels = [UInt8](unsafeUninitializedCapacity: numbers.count) { levels, count in
      for (index, number) in numbers.enumerated() {
        let level: UInt8 = number == high ? 2 : number == medium ? 1 : 0
        if level == 0, number != low { unknown = unknown ?? number }
        levels.initializeElement(at: index, to: level)
      }
      count = numbers.count
    }
    return (levels, unknown.flatMap { Double("\($0)") })
  }

  /// The code that a map shows; nil where it is all 0, or where another map must decide between two.
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
