/// Names of files in a recording: "depth/*.png". `*` stands for any letters but "/", `{a,b}` for either word.
///
/// Endings may be in capital letters: "depth/*.png" is "depth/000010.PNG", too. Braces do not nest, and one that is not closed
/// is a letter.
///
/// What the stars of the last part of a path stood for is what tells frames apart: "000010" of "depth/000010.png".
public struct FilePattern: Sendable, Hashable, Decodable {
  public let text: String
  /// A graph: a step says where the name goes on, so that time grows with the pattern times the name, whatever was written.
  private let steps: [Step]
  private let start: Int

  private enum Step {
    case end, letters([UInt8], then: Int), star(then: Int), either([Int])
  }

  public init(_ text: String) {
    self.text = text
    var steps = [Step.end]
    start = Self.append(FilePatternPart.parts(of: Array(text.utf8)[...]), then: 0, to: &steps)
    self.steps = steps
  }

  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  public static func == (a: Self, b: Self) -> Bool { a.text == b.text }
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }

  /// - Returns: The first step of these parts.
  private static func append(_ parts: [FilePatternPart], then: Int, to steps: inout [Step]) -> Int {
    var next = then
    for part in parts.reversed() {
      switch part {
      case .letters(let letters): steps.append(.letters(letters, then: next))
      case .star: steps.append(.star(then: next))
      case .either(let words):
        var starts: [Int] = []
        for word in words { starts.append(append(word, then: next, to: &steps)) }
        steps.append(.either(starts))
      }
      next = steps.count - 1
    }
    return next
  }

  /// What the stars of the last part stand for, with "_" between two of them; nil where the name does not match.
  ///
  /// Stars stand for as much as they can; of braces, the first word that fits counts.
  /// - Parameter anyCase: Whether all letters, and not only those of the ending, may be in another case.
  public func capture(in name: String, inAnyCase anyCase: Bool = false) -> String? {
    let name = FileEnding.lowered(name), letters = Array(name.utf8)
    let ending = letters.count - FileEnding.of(name).utf8.count
    var reached = [(step: start, at: 0, from: 0)], open = [0]
    var seen: Set<Int> = []
    func goOn(_ step: Int, _ at: Int, _ from: Int) {
      open.append(reached.count)
      reached.append((step, at, from))
    }
    while let index = open.popLast() {
      let (step, at, _) = reached[index]
      guard seen.insert(step * (letters.count + 1) + at).inserted else { continue }
      switch steps[step] {
      case .end:
        if at == letters.count { return captured(letters, reached, index) }
      case .letters(let wanted, let then):
        let fits =
          at + wanted.count <= letters.count
          && wanted.indices.allSatisfy {
            let (letter, wanted) = (letters[at + $0], wanted[$0])
            return letter == wanted
              || (anyCase || at + $0 >= ending)
                && FilePatternPart.lowered(letter) == FilePatternPart.lowered(wanted)
          }
        if fits { goOn(then, at + wanted.count, index) }
      case .star(let then):
        goOn(then, at, index)
        if at < letters.count, letters[at] != UInt8(ascii: "/") { goOn(step, at + 1, index) }
      case .either(let starts):
        for start in starts.reversed() { goOn(start, at, index) }
      }
    }
    return nil
  }

  /// Goes the way back. Slashes are kept until the end, to find the last part that has a star.
  private func captured(_ letters: [UInt8], _ reached: [(step: Int, at: Int, from: Int)], _ end: Int)
    -> String
  {
    var captured: [UInt8] = [], index = end, star: Int?
    while index != 0 {
      let (step, at, from) = reached[index]
      let previous = reached[from]
      if case .star = steps[previous.step] {
        if step == previous.step {
          // "1" and "20.5" of "*_*.png" are two numbers.
          if let star, star != step, captured.last != UInt8(ascii: "/") { captured.append(UInt8(ascii: "_")) }
          captured.append(letters[previous.at])
          star = step
        }
      } else {
        captured += letters[previous.at..<at].reversed().filter { $0 == UInt8(ascii: "/") }
      }
      index = from
    }
    return String(decoding: captured.reversed().split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
  }
}
