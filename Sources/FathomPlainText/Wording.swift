/// A sentence for users that may name options. Who reads it decides how they are spelled: a program that uses the libraries by their names,
/// who typed a command by its flags.
///
///     let advice: Wording = "choose another \(option: "output") or add \(option: "overwrite")"
///     print(advice)  // choose another output or add overwrite
///     print(advice.onCommandLine)  // choose another --output or add --overwrite
public struct Wording: Sendable, Hashable {
  fileprivate enum Part: Sendable, Hashable, Codable {
    case text(String)
    case option(OptionName)
  }

  fileprivate var parts: [Part] = []
  public init(_ text: String) { append(text) }
  /// With options as flags.
  public var onCommandLine: String { spelled(\.flag) }

  private func spelled(_ option: (OptionName) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .option(let name): option(name)
      }
    }.joined()
  }

  /// Equal sentences have equal parts: texts beside each other are one.
  fileprivate mutating func append(_ text: String) {
    guard !text.isEmpty else { return }
    if case .text(let before) = parts.last {
      parts[parts.count - 1] = .text(before + text)
    } else {
      parts.append(.text(text))
    }
  }
}

extension Wording: CustomStringConvertible {
  /// With options by their names.
  public var description: String { spelled(\.description) }
}

extension Wording: ExpressibleByStringInterpolation {
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var wording = Wording("")
    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ text: String) { wording.append(text) }
    public mutating func appendInterpolation(_ value: some Any) { wording.append("\(value)") }

    /// A sentence within the sentence keeps its options.
    public mutating func appendInterpolation(_ other: Wording) {
      for part in other.parts {
        switch part {
        case .text(let text): wording.append(text)
        case .option: wording.parts.append(part)
        }
      }
    }

    public mutating func appendInterpolation(option: OptionName) { wording.parts.append(.option(option)) }
    /// A flag in a command line, which is spelled so for everybody.
    public mutating func appendInterpolation(flag option: OptionName) { wording.append(option.flag) }
  }

  public init(stringLiteral text: String) { self.init(text) }
  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.wording }
}

extension Wording: Codable {
  /// Set in an encoder's `userInfo` where a program of the same version decodes: options stay options. Elsewhere a sentence is encoded as
  /// people read it, with options as flags.
  public static let keepsOptions = CodingUserInfoKey(rawValue: "keepsOptions")

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let key = Self.keepsOptions, encoder.userInfo[key] != nil {
      try container.encode(parts)
    } else {
      try container.encode(onCommandLine)
    }
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self) {
      self.init(text)
    } else {
      self.init("")
      parts = try container.decode([Part].self)
    }
  }
}
