internal import FathomPictureFiles
private import Foundation

/// An arithmetic over the numbers of a pixel, as a mapping writes it: "fx * baseline / (v + doffs)". It is read once into a list of
/// steps and worked out number by number: it can name nothing but numbers, and calls nothing.
package struct MapFormula: Sendable, Hashable {
  package let text: String
  /// What it names, in the order of their first use.
  private(set) var names: [String] = []
  private var steps: [Step] = []

  private enum Step: Hashable { case number(Double), name(Int), one(Operation), two(Operation) }

  private enum Operation: String, CaseIterable {
    case or = "|", xor = "^", and = "&", left = "<<", right = ">>", plus = "+", minus = "-", times = "*"
    case over = "/", remainder = "%", exp, log, sqrt, floor, half, min, max
  }

  private static let mostLetters = 500, mostSteps = 200, mostBrackets = 30
  /// From the loosest to the tightest, as in C and Python.
  private static let levels: [[Operation]] = [
    [.or], [.xor], [.and], [.left, .right], [.plus, .minus], [.times, .over, .remainder],
  ]
  private static let functions: [Operation] = [.exp, .log, .sqrt, .floor, .half, .min, .max]

  /// - Parameter key: What a mapping calls it, for the error.
  /// - Throws: `MappingFault`, which shows the place.
  package init(_ text: String, of key: String) throws(MappingFault) {
    self.text = text
    var rest = Rest(letters: Array(text.prefix(Self.mostLetters + 1)), key: key)
    guard rest.letters.count <= Self.mostLetters
    else { throw MappingFault(words: "'\(key)' has more than \(Self.mostLetters) letters") }
    try read(&rest, 0)
    if let left = rest.next { throw rest.fault("'\(left)' is not expected here") }
  }

  private struct Rest {
    let letters: [Character], key: String
    var place = 0, brackets = 0

    /// The next letter that is not blank.
    var next: Character? {
      mutating get {
        while place < letters.count, letters[place].isWhitespace { place += 1 }
        return place < letters.count ? letters[place] : nil
      }
    }

    mutating func takes(_ symbol: String) -> Bool {
      guard next != nil, letters[place...].starts(with: symbol) else { return false }
      place += symbol.count
      return true
    }

    mutating func word(_ belongs: (Character) -> Bool) -> String {
      let word = letters[place...].prefix(while: belongs)
      place += word.count
      return String(word)
    }

    mutating func require(_ symbol: String) throws(MappingFault) {
      guard takes(symbol) else { throw fault("'\(symbol)' is missing") }
    }

    func fault(_ reason: String) -> MappingFault {
      let at = place < letters.count ? "at letter \(place + 1)" : "at its end"
      return MappingFault(words: "'\(key)' is '\(String(letters))': \(at), \(reason)")
    }
  }

  /// Operators of a level and of all tighter ones.
  private mutating func read(_ rest: inout Rest, _ level: Int) throws(MappingFault) {
    guard level < Self.levels.count else { return try readOperand(&rest) }
    try read(&rest, level + 1)
    while let operation = Self.levels[level].first(where: { rest.takes($0.rawValue) }) {
      try read(&rest, level + 1)
      try add(.two(operation), rest)
    }
  }

  private mutating func readOperand(_ rest: inout Rest) throws(MappingFault) {
    rest.brackets += 1
    defer { rest.brackets -= 1 }
    guard rest.brackets <= Self.mostBrackets else { throw rest.fault("too many brackets are open") }
    guard let first = rest.next else { throw rest.fault("a number or a name is missing") }
    if rest.takes("-") {
      try add(.number(0), rest)
      try readOperand(&rest)
      return try add(.two(.minus), rest)
    }
    if rest.takes("~") {
      try readOperand(&rest)
      try add(.number(-1), rest)
      return try add(.two(.xor), rest)
    }
    if rest.takes("(") {
      try read(&rest, 0)
      return try rest.require(")")
    }
    if first.isASCII, first.isNumber || first == "." { return try add(.number(number(&rest)), rest) }
    guard first.isLetter || first == "_" else { throw rest.fault("a number or a name is missing") }
    let (start, word) = (rest.place, rest.word { $0.isLetter || $0.isNumber || $0 == "_" })
    guard rest.takes("(") else {
      if !names.contains(word) { names.append(word) }
      return try add(.name(names.firstIndex(of: word) ?? 0), rest)
    }
    guard let function = Self.functions.first(where: { $0.rawValue == word }) else {
      rest.place = start
      let known = Self.functions.map(\.rawValue).joined(separator: ", ")
      throw rest.fault("'\(word)' is not a function; there are \(known)")
    }
    let takesTwo = function == .min || function == .max
    try read(&rest, 0)
    if takesTwo {
      try rest.require(",")
      try read(&rest, 0)
    }
    try rest.require(")")
    try add(takesTwo ? .two(function) : .one(function), rest)
  }

  /// "12", "0.5", "1e-3", "0xFF"
  private func number(_ rest: inout Rest) throws(MappingFault) -> Double {
    let start = rest.place
    var word = rest.word { $0.isLetter || $0.isNumber || $0 == "." }
    let isHexadecimal = word.lowercased().hasPrefix("0x")
    if !isHexadecimal, word.lowercased().hasSuffix("e"),
      let sign = ["-", "+"].first(where: { rest.takes($0) })
    {
      word += sign + rest.word(\.isNumber)
    }
    let number = isHexadecimal ? Int(word.dropFirst(2), radix: 16).map { Double($0) } : Double(word)
    if let number, number.isFinite { return number }
    rest.place = start
    throw rest.fault("'\(word)' is not a number")
  }

  private mutating func add(_ step: Step, _ rest: Rest) throws(MappingFault) {
    steps.append(step)
    guard steps.count <= Self.mostSteps else { throw rest.fault("it has more than \(Self.mostSteps) steps") }
  }

  /// - Parameter inputs: The numbers of ``names``, in their order.
  /// - Returns: NaN where it has no value: a logarithm below 0, bits of what is not whole.
  func value(_ inputs: [Double]) -> Double {
    withUnsafeTemporaryAllocation(of: Double.self, capacity: steps.count + 1) { stack in
      var top = -1
      for step in steps {
        switch step {
        case .number(let number):
          top += 1
          stack[top] = number
        case .name(let index):
          top += 1
          stack[top] = inputs[index]
        case .one(let operation): stack[top] = Self.value(operation, stack[top], 0)
        case .two(let operation):
          top -= 1
          stack[top] = Self.value(operation, stack[top], stack[top + 1])
        }
      }
      return stack[0]
    }
  }

  private static func value(_ operation: Operation, _ a: Double, _ b: Double) -> Double {
    switch operation {
    case .plus: a + b
    case .minus: a - b
    case .times: a * b
    case .over: a / b
    case .remainder: a.truncatingRemainder(dividingBy: b)
    case .exp: Foundation.exp(a)
    case .log: Foundation.log(a)
    case .sqrt: a.squareRoot()
    case .floor: a.rounded(.down)
    // Bits of a real of half precision.
    case .half: UInt16(exactly: a).map { Double(HalfFloat.value($0)) } ?? .nan
    case .min: a < b || a.isNaN ? a : b
    case .max: a > b || a.isNaN ? a : b
    case .or: bits(a, b, |)
    case .xor: bits(a, b, ^)
    case .and: bits(a, b, &)
    case .left: bits(a, b, <<)
    case .right: bits(a, b, >>)
    }
  }

  /// Whole numbers of at most 53 bits, which a real holds exactly.
  private static func bits(_ a: Double, _ b: Double, _ operation: (Int, Int) -> Int) -> Double {
    guard let left = Int(exactly: a), let right = Int(exactly: b), abs(a) <= most, abs(b) <= most
    else { return .nan }
    let result = operation(left, right)
    return result.magnitude <= UInt(most) ? Double(result) : .nan
  }

  private static let most = Double(1 << 53)
}
