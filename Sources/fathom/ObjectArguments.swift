import ArgumentParser
import DepthCore
import DepthObjects

/// A word of the command line for a field whose own type cannot be parsed.
protocol FieldArgument: ExpressibleByArgument {
  associatedtype Field: OptionValue
  var field: Field { get }
}

/// Three numbers, "0,0.05,1".
struct WeightTable: FieldArgument {
  let field: [Double]

  init?(argument: String) {
    // Empty places do not count.
    let numbers = [Double].reading(argument.split(separator: ",").joined(separator: ","))
    guard let numbers, numbers.count == 3 else { return nil }
    field = numbers
  }
}

/// Two numbers, the smaller first: "0.1,4".
struct NumberPair<Bound: OptionNumber>: FieldArgument {
  let field: ClosedRange<Bound>

  init?(argument: String) {
    guard let range = ClosedRange<Bound>.reading(argument) else { return nil }
    field = range
  }
}

/// Words, "lidar,truth"; each counts once.
struct WordList: ExpressibleByArgument {
  let words: [String]

  init?(argument: String) {
    var seen: Set<String> = []
    words = argument.split(separator: ",").map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }.filter { !$0.isEmpty && seen.insert($0).inserted }
    if words.isEmpty { return nil }
  }

  /// The words of several lists; each counts once.
  static func all(_ lists: [WordList]) -> [String] {
    var seen: Set<String> = []
    return lists.flatMap(\.words).filter { seen.insert($0).inserted }
  }
}

/// Which rows are turned over between boxes, LiDAR, mask and image.
struct FlipChoice: FieldArgument {
  /// nil for what the conventions call for.
  let field: RowFlips?

  init?(argument: String) {
    field = RowFlips.reading(argument)
    if field == nil && argument != ObjectOptions.rule("object-flips").standard { return nil }
  }

  static var allValueStrings: [String] { ["conventions", "app", "none", "box", "mask", "image"] }
}
