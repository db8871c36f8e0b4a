package import ArgumentParser
package import DepthCore
package import DepthTuning

// A declared option as a flag: help and default are the rule's, the name is the property's and the same as the rule's.

extension Option {
  package init<Root, Argument: ExpressibleByArgument>(
    _ rule: OptionRule<Root>, completion: CompletionKind? = nil
  )
  where Value == Argument? {
    // The parser lists its values, too.
    let values = Argument.allValueStrings
    let help =
      values.isEmpty ? rule.help : rule.help.replacing(": " + values.joined(separator: ", "), with: "")
    self.init(help: ArgumentHelp(help), completion: completion)
  }

  package init<Root, Element: ExpressibleByArgument>(wrappedValue: [Element], _ rule: OptionRule<Root>)
  where Value == [Element] {
    self.init(wrappedValue: wrappedValue, help: ArgumentHelp(rule.help))
  }

  /// What a search varies.
  package init(wrappedValue: [String], _ dimension: SearchDimension) where Value == [String] {
    self.init(wrappedValue: wrappedValue, help: ArgumentHelp(dimension.help))
  }
}

extension Flag where Value == Bool? {
  /// Its default is written as the flag is.
  package init<Root>(_ rule: OptionRule<Root>) {
    let standard = (rule.standard == "true" ? "--" : "--no-") + rule.name
    self.init(
      inversion: .prefixedNo,
      help: ArgumentHelp(rule.help.replacing("default: \(rule.standard)", with: "default: \(standard)")))
  }
}
