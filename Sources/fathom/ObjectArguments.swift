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
    guard let numbers = [Double].reading(argument), numbers.count == 3 else { return nil }
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
    guard let words = [String].reading(argument) else { return nil }
    self.words = words
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
