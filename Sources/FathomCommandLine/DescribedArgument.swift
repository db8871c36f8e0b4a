package import ArgumentParser
package import DepthCore
package import DepthEvaluation
package import DepthFusion
package import DepthTuning
import FathomPlainText
package import FathomRuns

/// A kind of value that says what it looks like.
package protocol DescribedArgument {
  static var grammar: String { get }  // "a whole number": continues "it needs".
  /// What a word that is none was probably meant to be: "frame 3 alone is 3:4".
  static func meant(by word: String) -> String?
}

extension DescribedArgument { package static func meant(by word: String) -> String? { nil } }

extension DescribedArgument where Self: BinaryFloatingPoint {
  package static func meant(by word: String) -> String? { NumberSlip.meant(by: word) }
}

extension Int: DescribedArgument { package static var grammar: String { "a whole number" } }
extension UInt64: DescribedArgument { package static var grammar: String { "a whole number of at least 0" } }
extension UInt8: DescribedArgument { package static var grammar: String { "a whole number from 0 to 255" } }
extension Double: DescribedArgument { package static var grammar: String { "a number" } }
extension Float: DescribedArgument { package static var grammar: String { "a number" } }

extension FrameRange: DescribedArgument {
  package static var grammar: String {
    "A:B for frames A to B-1, or one frame, by names as reports have them or counted from 0, as in 0:10, 5:, :3 or 000400"
  }

  package static func meant(by word: String) -> String? {
    let numbers = word.split { "-–,:".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 2, numbers[0] <= numbers[1], !word.hasPrefix("-") else { return nil }
    return "frames \(numbers[0]) to \(numbers[1]) are \(numbers[0]):\(numbers[1] + 1)"
  }
}
extension ScenePart: DescribedArgument {
  package static var grammar: String { "i/N for part i of N, counted from 1, as in 1/4" }
}
extension ByteCount: DescribedArgument {
  package static var grammar: String { "at least a megabyte, as in 500M or 4G" }

  package static func meant(by word: String) -> String? {
    Double(word) == nil ? nil : "with its unit it is \(word)M or \(word)G"
  }
}
extension NamedMaps: DescribedArgument {
  package static var grammar: String { "NAME=DIR or NAME:KIND=DIR, as in mynet:metric=maps" }
}
extension NamedDeviations: DescribedArgument {
  package static var grammar: String {
    "NAME=DIR or NAME:UNIT=DIR with the unit relative or millimetres, as in mynet:relative=sigma"
  }
}
extension NumberList: DescribedArgument {
  package static var grammar: String { "comma-separated numbers, as in 0,65535" }
}
extension WeightTable: DescribedArgument {
  package static var grammar: String { "three numbers, for confidence 0, 1 and 2, as in 0,0.05,1" }
}
extension NumberPair: DescribedArgument {
  package static var grammar: String { "two numbers, the smaller first, as in 0.1,4" }
}
extension LevelShares: DescribedArgument {
  package static var grammar: String {
    "three shares that add up to 1, for confidence 2, 1 and 0, as in 0.87,0.10,0.03"
  }
}
extension DepthLimits: DescribedArgument {
  package static var grammar: String { "A:B in metres, the smaller first, as in 0.5:5, 0.5: or :5" }
}
extension RGB: DescribedArgument {
  package static var grammar: String { "six hexadecimal digits, as in 808080" }
}
extension SampleLimit: DescribedArgument { package static var grammar: String { "a whole number, or all" } }
extension InlierThreshold: DescribedArgument {
  package static var grammar: String { "\(form), with any number" }
}
extension RangeLaw: DescribedArgument {
  package static var grammar: String { "constant, proportional, or two numbers a,b" }
}
extension TruthAlignment: DescribedArgument { package static var grammar: String { form } }
extension TruthDeviation: DescribedArgument { package static var grammar: String { form } }
extension WordList: DescribedArgument {
  package static var grammar: String { "words with commas between them" }
}

/// Why a value cannot be what its option takes; nil where it can.
package func objection(to word: String, as type: any ExpressibleByArgument.Type) -> String? {
  func make<Value: ExpressibleByArgument>(_: Value.Type) -> Value? { Value(argument: word) }
  if make(type) != nil { return nil }
  if let described = type as? any DescribedArgument.Type {
    return "'\(word)' is not \(described.grammar)" + (described.meant(by: word).map { "; \($0)" } ?? "")
  }
  let known = type.allValueStrings
  guard !known.isEmpty else { return "'\(word)' is not an allowed value" }
  return "'\(word)' is unknown; \(EditDistance.advice(for: word, among: known))"
}
