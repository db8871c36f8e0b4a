package import ArgumentParser
package import DepthCore
package import DepthObjects

/// A word of the command line for a field whose own type cannot be parsed.
package protocol FieldArgument: ExpressibleByArgument {
  associatedtype Field: OptionValue
  var field: Field { get }
}

/// Three numbers, "0,0.05,1".
package struct WeightTable: FieldArgument {
  package let field: [Double]

  package init?(argument: String) {
    guard let numbers = [Double].reading(argument), numbers.count == 3 else { return nil }
    field = numbers
  }
}

/// Two numbers, the smaller first: "0.1,4".
package struct NumberPair<Bound: OptionNumber>: FieldArgument {
  package let field: ClosedRange<Bound>

  package init?(argument: String) {
    guard let range = ClosedRange<Bound>.reading(argument) else { return nil }
    field = range
  }
}

/// Words, "lidar,truth"; each counts once.
package struct WordList: ExpressibleByArgument {
  package let words: [String]

  package init?(argument: String) {
    guard let words = [String].reading(argument) else { return nil }
    self.words = words
  }
}

/// Which rows are turned over between boxes, LiDAR, mask and image.
package struct FlipChoice: FieldArgument {
  /// nil for what the conventions call for.
  package let field: RowFlips?

  package init?(argument: String) {
    field = RowFlips.reading(argument)
    if field == nil && argument != ObjectOptions.rule("object-flips").standard { return nil }
  }

  package static var allValueStrings: [String] { ["conventions", "app", "none", "box", "mask", "image"] }
}
