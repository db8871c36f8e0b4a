package import ArgumentParser

/// An option of a command as the command declares it: what the parser knows and does not tell.
package struct DeclaredOption {
  package let name: String  // "--min-depth"
  /// What its value becomes, without the optional or list around it; nil for a flag.
  package let value: Any.Type?
  package let collects: Bool  // Whether every value counts where it is given more than once.
  package var key: String { String(name.dropFirst(2)) }  // As files name it: "min-depth".

  /// Why a word cannot be its value; nil where it can.
  package func objection(to word: String) -> String? {
    (value as? any ExpressibleByArgument.Type).flatMap { FathomCommandLine.objection(to: word, as: $0) }
  }

  /// The options of a command, those of its groups included.
  package static func all(of type: any ParsableArguments.Type) -> [DeclaredOption] {
    Mirror(reflecting: type.init()).children.flatMap { child -> [DeclaredOption] in
      let name = "--" + name(child.label)
      switch child.value {
      case let group as any NestedOptions: return all(of: Swift.type(of: group).contentType)
      case let option as any OptionWithValue:
        let (value, collects) = element(of: Swift.type(of: option).value)
        return [DeclaredOption(name: name, value: value, collects: collects)]
      case is any OptionWithoutValue: return [DeclaredOption(name: name, value: nil, collects: true)]
      default: return []
      }
    }
  }

  /// "_minDepth" as the parser names it: "min-depth"; "_allow8bit" as we do: "allow-8bit".
  package static func name(_ label: String?) -> String {
    (label ?? "").drop { $0 == "_" }.reduce(into: "") { name, letter in
      if letter.isUppercase || letter.isNumber { name += "-" }
      name += letter.lowercased()
    }
  }

  private static func element(of type: Any.Type) -> (value: Any.Type, collects: Bool) {
    if let list = type as? any ListOfValues.Type { return (list.element, true) }
    if let optional = type as? any OptionalValue.Type { return element(of: optional.wrapped) }
    return (type, false)
  }
}

private protocol OptionWithValue { static var value: Any.Type { get } }
private protocol OptionWithoutValue {}
/// A group of options within a command or another group.
package protocol NestedOptions {
  static var contentType: any ParsableArguments.Type { get }
  var content: any ParsableArguments { get }  // Once it is parsed.
}
private protocol ListOfValues { static var element: Any.Type { get } }
/// An optional, whatever is in it.
package protocol OptionalValue {
  static var wrapped: Any.Type { get }
  var content: Any? { get }
}

extension Option: OptionWithValue { fileprivate static var value: Any.Type { Value.self } }
extension Flag: OptionWithoutValue {}
extension OptionGroup: NestedOptions {
  package static var contentType: any ParsableArguments.Type { Value.self }
  package var content: any ParsableArguments { wrappedValue }
}
extension Array: ListOfValues { fileprivate static var element: Any.Type { Element.self } }
extension Optional: OptionalValue {
  package static var wrapped: Any.Type { Wrapped.self }
  package var content: Any? { map { $0 } }
}
