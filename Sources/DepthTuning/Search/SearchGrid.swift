import DepthCore
public import DepthFusion
public import FathomPlainText

/// Why a grid cannot be searched.
public struct GridError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The option or dimension that it is about; nil for the grid as a whole.
  public let option: OptionName?
  /// A sentence that begins with the option, where it is about one.
  public let wording: Wording

  init(_ wording: Wording, about option: OptionName? = nil) {
    (self.option, self.wording) = (option, wording)
  }

  init(_ problem: OptionProblem) { self.init("\(problem.option): \(problem.reason)", about: problem.option) }
  public var description: String { wording.description }
}

/// Every combination of the values of some dimensions, and the app's own among them.
public struct SearchGrid: Sendable {
  /// What is varied, in the order of ``SearchDimension/all``, with the values in the order given.
  public let axes: [Axis]
  /// The reference, then every other combination that makes sense, the last axis fastest.
  public let configurations: [TuningConfiguration]
  /// Per configuration and axis, the position of its value in the axis.
  public let positions: [[Int]]
  /// Combinations that make no sense, such as a nearest depth beyond the farthest.
  public let impossible: Int
  /// Combinations that equal another one, such as two inlier thresholds of a method that has none.
  public let repeated: Int
  /// The app's values where they are varied, the fixed ones elsewhere: the first configuration.
  public static let reference = 0

  /// A dimension with its values.
  public struct Axis: Sendable {
    public let dimension: SearchDimension
    /// The app's value is always among them.
    public let values: [String]
    /// Position of the app's value.
    public let reference: Int
  }

  /// Most combinations.
  public static let limit = 200_000

  /// What is searched where nothing is said: the app's thresholds and what they compete with.
  public static let standardValues = Dictionary(
    uniqueKeysWithValues: SearchDimension.all.filter { !$0.standard.isEmpty }.map { ($0.id, $0.standard) })

  /// - Parameter values: By dimension id: single values and ranges `first:last:step`.
  /// - Parameter base: What is not varied.
  /// - Throws: ``GridError`` for an unknown dimension, an empty axis, a value that is none, or a grid without a
  ///   combination that makes sense.
  public init(_ values: [String: [String]], base: FusionOptions) throws(GridError) {
    if let unknown = values.keys.sorted().first(where: { key in !SearchDimension.all.contains { $0.id == key }
    }) {
      throw GridError(
        "\(unknown) cannot be searched; what can is \(SearchDimension.all.map(\.id).joined(separator: ", "))",
        about: OptionName(unknown))
    }
    if values["space"] != nil, let formed = values["methods"]?.first(where: { $0.contains("@") }) {
      throw GridError(
        OptionProblem("methods", "'\(formed)' has a form, and space is varied, too; leave one of them out"))
    }
    guard !values.isEmpty else { throw GridError("the grid is empty: it varies nothing") }
    var axes: [Axis] = []
    for dimension in SearchDimension.all {
      guard let texts = values[dimension.id] else { continue }
      axes.append(try Self.axis(dimension, texts))
    }
    self.axes = axes
    let start = TuningConfiguration(method: .ols, options: base)
    for axis in axes { try Self.check(axis, start) }
    let size = axes.reduce(1.0) { $0 * Double($1.values.count) }
    guard size <= Double(Self.limit) else {
      throw GridError("the grid has \(Int(size)) combinations, at most \(Self.limit) are searched")
    }
    var combinations = Combinations(axes: axes, start: start)
    combinations.expand()
    (configurations, positions) = (combinations.configurations, combinations.positions)
    (impossible, repeated) = (combinations.impossible, combinations.repeated)
    if let problem = combinations.problemOfReference {
      throw GridError(
        "the specified defaults, which are the reference, conflict with the fixed options: \(problem.option): \(problem.reason)"
      )
    }
    guard configurations.count > 1 else {
      throw GridError(
        combinations.firstProblem.map { "no combination of the grid makes sense: \($0.option): \($0.reason)" }
          ?? "the grid is empty: it holds nothing but the specified defaults")
    }
  }

  /// Values of a configuration, axis by axis, as they are written.
  public func labels(of configuration: Int) -> [String] {
    zip(axes, positions[configuration]).map { $0.values[$1] }
  }

  /// Axes in which a configuration differs from the reference.
  public func changes(of configuration: Int) -> [Axis] {
    zip(axes, positions[configuration]).filter { $0.reference != $1 }.map(\.0)
  }

  /// Position of an axis.
  public func axis(_ id: String) -> Int? { axes.firstIndex { $0.dimension.id == id } }

  private static func axis(_ dimension: SearchDimension, _ texts: [String]) throws(GridError) -> Axis {
    var values: [String] = []
    for text in texts { values += try expanded(text, dimension) }
    let option = OptionName(dimension.id)
    guard !values.isEmpty else { throw GridError("\(option) has no value", about: option) }
    var scratch = TuningConfiguration(method: .ols, options: FusionOptions())
    if let wrong = values.first(where: { !dimension.apply($0, &scratch) }) {
      throw GridError(OptionProblem(option, "'\(wrong)' is not a value; \(dimension.expects) is expected"))
    }
    var all = ([dimension.specified] + values).firstAppearances
    if dimension.isNumeric {
      all.sort { (Double($0) ?? -.infinity) < (Double($1) ?? -.infinity) }
    } else {
      // The order given; the app's value stands where it was written, else first.
      all = values.contains(dimension.specified) ? values.firstAppearances : all
    }
    return Axis(dimension: dimension, values: all, reference: all.firstIndex(of: dimension.specified) ?? 0)
  }

  /// "2:10:0.5" as its values, numbers without superfluous digits, anything else as it is.
  private static func expanded(_ text: String, _ dimension: SearchDimension) throws(GridError) -> [String] {
    guard dimension.isNumeric else { return [text] }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count > 1 else { return [canonical(text)] }
    let numbers = parts.compactMap { Double($0) }
    guard parts.count == 3, numbers.count == 3, numbers[2] > 0, numbers[1] >= numbers[0],
      (numbers[1] - numbers[0]) / numbers[2] < Double(limit)
    else {
      throw GridError(
        OptionProblem(
          OptionName(dimension.id), "'\(text)' is not a range; write first:last:step, for example 2:10:0.5"))
    }
    // A last value missed by rounding only is hit.
    let steps = Int(((numbers[1] - numbers[0]) / numbers[2] + 1e-9).rounded(.down))
    return (0...steps).map { step in written(((numbers[0] + Double(step) * numbers[2]) * 1e9).rounded() / 1e9)
    }
  }

  private static func canonical(_ text: String) -> String {
    Double(text).flatMap { $0.isFinite ? written($0) : nil } ?? text
  }

  /// A number as the axes have it, "4" and "3.5".
  public static func written(_ value: Double) -> String { value.typed }

  /// A value that makes no sense whatever the others are is an error; where it only contradicts another, the
  /// combination is skipped.
  private static func check(_ axis: Axis, _ start: TuningConfiguration) throws(GridError) {
    for value in axis.values {
      var alone = start
      _ = axis.dimension.apply(value, &alone)
      if axis.dimension.id == "min-depth" { alone.options.maxDepth = max(1e6, alone.options.minDepth * 2) }
      if axis.dimension.id == "max-depth" { alone.options.minDepth = 0 }
      if axis.dimension.id == "min-scale" { alone.options.maxScale = nil }
      if axis.dimension.id == "max-scale" { alone.options.minScale = nil }
      if let problem = alone.options.firstProblem { throw GridError(problem) }
    }
  }
}

/// The product of the axes.
private struct Combinations {
  let axes: [SearchGrid.Axis], start: TuningConfiguration
  private(set) var configurations: [TuningConfiguration] = [], positions: [[Int]] = []
  private(set) var impossible = 0, repeated = 0
  private(set) var firstProblem: OptionProblem?
  private var seen: Set<TuningConfiguration> = []
  init(axes: [SearchGrid.Axis], start: TuningConfiguration) { (self.axes, self.start) = (axes, start) }
  /// Why the reference cannot be run.
  private(set) var problemOfReference: OptionProblem?

  mutating func expand() {
    append(axes.map(\.reference))
    problemOfReference = firstProblem
    var current = axes.map { _ in 0 }
    while true {
      if current != axes.map(\.reference) { append(current) }
      guard let axis = axes.indices.last(where: { current[$0] + 1 < axes[$0].values.count }) else { return }
      current[axis] += 1
      for later in axes.indices where later > axis { current[later] = 0 }
    }
  }

  private mutating func append(_ wanted: [Int]) {
    var position = wanted
    var configuration = start
    for (axis, value) in zip(axes, wanted) { _ = axis.dimension.apply(axis.values[value], &configuration) }
    for (index, axis) in axes.enumerated() where !axis.dimension.matters(configuration) {
      position[index] = axis.reference
      _ = axis.dimension.apply(axis.values[axis.reference], &configuration)
    }
    if let problem = configuration.options.firstProblem {
      impossible += 1
      firstProblem = firstProblem ?? problem
    } else if seen.insert(configuration).inserted {
      configurations.append(configuration)
      positions.append(position)
    } else {
      repeated += 1
    }
  }
}
