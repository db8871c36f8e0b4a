private import FathomPlainText

/// One option of `Root`, declared once: flags, keys of files, help, messages and ranges of searches come from it. The
/// default is the field's own.
public struct OptionRule<Root: DeclaredOptions>: Sendable {
  /// "min-depth": flag and key.
  public let name: String
  public let bounds: OptionBounds?, unit: OptionUnit?
  /// The default as it is written, or in words.
  public let standard: String
  /// "a number from 0 to 1 m": what can be written.
  public let expects: String
  /// A sentence with words, unit and default.
  public let help: String
  /// Why the value cannot be; nil where it can.
  public let problem: @Sendable (_ root: Root) -> OptionProblem?
  /// Why the value is probably a slip of the unit, as "name: why"; nil where it is plausible, and for the default.
  public let doubt: @Sendable (_ root: Root) -> String?
  /// False where the text is not a value of this kind; whether it is in range is ``problem``.
  public let read: @Sendable (_ text: String, _ root: inout Root) -> Bool
  /// False where the value is of another type.
  public let set: @Sendable (_ value: Any, _ root: inout Root) -> Bool
  /// Back to the default.
  public let reset: @Sendable (_ root: inout Root) -> Void

  /// - Parameter usual: What the value is about, where the default does not tell.
  /// - Parameter standard: The default in words, where it is nil or its value says too little.
  /// - Parameter help: What it is for, without words, unit and default.
  public init<Value: OptionValue>(
    _ name: String, _ field: any WritableKeyPath<Root, Value> & Sendable, _ bounds: OptionBounds? = nil,
    _ unit: OptionUnit? = nil, usual: Double? = nil, standard words: String? = nil, help sentence: String
  ) {
    let initial = Root()[keyPath: field]
    let standard = words ?? initial.typed
    let expects = [Value.form, bounds?.words ?? "", unit?.symbol ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    // Numbers have bounds; the other kinds have words that help lists.
    let choices = bounds == nil && !Value.form.isEmpty ? ": \(Value.form)" : ""
    (self.name, self.bounds, self.unit, self.standard, self.expects) = (name, bounds, unit, standard, expects)
    help =
      sentence + choices + (unit.map { ", \($0.rawValue)" } ?? "")
      + (standard.isEmpty ? "" : " (default: \(standard))") + "."
    problem = { root in
      let value = root[keyPath: field]
      guard !value.lies(within: bounds) else { return nil }
      let slip = value.numbers.lazy.compactMap { bounds?.slip($0, in: unit) }.first
      return OptionProblem(
        OptionName(name), "\(value.typed) is out of range; write \(expects)\(slip.map { ": \($0)" } ?? "")")
    }
    let usual = usual ?? initial.numbers.max()
    doubt = { root in
      let value = root[keyPath: field]
      guard let unit, value.typed != initial.typed,
        let slip = value.numbers.lazy.compactMap({ unit.slip($0, usual: usual) }).first
      else { return nil }
      return "\(name): \(value.typed) \(unit.symbol) is implausible; the unit is \(unit.rawValue): \(slip)"
    }
    read = { text, root in Value.reading(text).map { root[keyPath: field] = $0 } != nil }
    set = { value, root in (value as? Value).map { root[keyPath: field] = $0 } != nil }
    reset = { root in root[keyPath: field] = initial }
  }
}

/// A struct of options: its fields hold the defaults, its rules say the rest.
public protocol DeclaredOptions: Sendable {
  static var rules: [OptionRule<Self>] { get }
  init()
}

extension DeclaredOptions {
  public typealias Rule = OptionRule<Self>

  /// - Precondition: There is a rule of that name.
  public static func rule(_ name: String) -> Rule {
    guard let rule = rules.first(where: { $0.name == name }) else {
      preconditionFailure("\(Self.self) has no option \(name)")
    }
    return rule
  }

  /// The first value that is out of its range.
  public var firstOutOfRange: OptionProblem? { Self.rules.lazy.compactMap { $0.problem(self) }.first }
  /// Values that are allowed, but probably meant in another unit, as "name: why".
  public var ownDoubts: [String] { Self.rules.compactMap { $0.doubt(self) } }
}
