package import ArgumentParser
package import DepthCore

/// What was given on a command line or in a file, by the names of the options.
package struct GivenOptions {
  package private(set) var values: [String: Any] = [:]
  package init(_ flags: some ParsableArguments) { collect(flags) }
  /// - Parameter texts: As a file has them; the rules read them.
  package init(_ texts: [String: String]) { values = texts }

  private mutating func collect(_ flags: any ParsableArguments) {
    for child in Mirror(reflecting: flags).children {
      if let group = child.value as? any NestedOptions {
        collect(group.content)
      } else if let option = child.value as? any ParsedOption {
        values[DeclaredOption.name(child.label)] = option.parsed.flatMap(Self.field)
      }
    }
  }

  /// A value as the field has it; nil where nothing was given.
  private static func field(_ parsed: Any) -> Any? {
    switch parsed {
    case let lists as [WordList]: lists.isEmpty ? nil : lists.flatMap(\.words).firstAppearances
    case let words as [String]: words.isEmpty ? nil : words.joined(separator: ",")
    case let argument as any FieldArgument: argument.field
    default: parsed
    }
  }

  /// Sets what was given of some options.
  package func apply<Root: DeclaredOptions>(to root: inout Root) {
    for rule in Root.rules {
      guard let value = values[rule.name] else { continue }
      // A file may say the default in its own words.
      let isSet =
        rule.set(value, &root)
        || (value as? String).map { rule.read($0, &root) || $0 == rule.standard } ?? false
      precondition(isSet, "--\(rule.name) is parsed as another type than its rule has")
    }
  }
}

/// A flag with or without a value, once it is parsed.
private protocol ParsedOption {
  var parsed: Any? { get }  // nil where it was not given.
}

extension Option: ParsedOption {
  fileprivate var parsed: Any? { (wrappedValue as? any OptionalValue).map { $0.content } ?? wrappedValue }
}
extension Flag: ParsedOption {
  fileprivate var parsed: Any? { (wrappedValue as? any OptionalValue).map { $0.content } ?? wrappedValue }
}
