/// An option by its name, "min-depth": the key of a file and, with dashes before it, the flag of the command.
public struct OptionName: Sendable, Hashable, Codable, CustomStringConvertible, ExpressibleByStringLiteral {
  public let description: String
  public init(_ name: String) { description = name }
  public init(stringLiteral name: String) { self.init(name) }
  /// As it is typed behind the command. The one place of the libraries that spells it so.
  public var flag: String { "--" + description }
}

extension DefaultStringInterpolation {
  /// An option as it is typed behind the command, for text that shows a command line.
  public mutating func appendInterpolation(flag option: OptionName) { appendLiteral(option.flag) }
}
