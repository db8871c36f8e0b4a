import FathomRuns
import DepthCore
import DepthEvaluation
import DepthFusion
import FathomPlainText
public import FathomStorage
import FathomYAMLText
import Yams

/// A YAML file with a ``Ledger``: `format`, `version`, `title`, `source`, `data`, `defaults`, `numbers`; see docs/commands/reproduce.md.
public enum LedgerFile {
  private static let format = "fathom-ledger", version = 1
  private static let frame = ["format", "version", "title", "source", "data", "defaults", "numbers"]
  private static let sourceKeys = ["paper", "link", "repository", "commit", "license"]
  private static let itemKeys = ["path", "sha256", "from", "scale", "kind"]
  private static let numberKeys = [
    "name", "truth", "prediction", "method", "input", "reduce", "antialiasing", "radius", "epsilon",
    "image", "image-cut", "covers", "protocol", "metric", "unit", "metres-per-unit", "printed", "tolerance",
    "printed-in", "verified", "expect", "note",
  ]

  /// - Throws: `FathomError` naming the file, the line and what cannot be used.
  public static func ledger(at path: String) throws(FathomError) -> Ledger {
    let file = SettingsFile(kind: "ledger", path: path)
    let text = try file.text
    do {
      return try ledger(try YAMLText.document(text), path)
    } catch let problem as LedgerProblem {
      throw file.unusable("line \(problem.line): \(problem.reason)", problem.advice)
    } catch {
      throw file.unusable("\(error)", "fix the YAML")
    }
  }

  private static func ledger(_ document: Node?, _ path: String) throws -> Ledger {
    let whole = try LedgerMapping(document, "the ledger", keys: frame)
    guard try whole.text("format") == format, try whole.text("version") == "\(version)" else {
      throw LedgerProblem(
        line: 1, reason: "it does not begin with 'format: \(format)' and 'version: \(version)'",
        advice: "add both lines")
    }
    let source = try LedgerMapping(whole["source"], "'source'", keys: sourceKeys)
    var data: [String: Ledger.Item] = [:]
    for (name, node) in try LedgerMapping(whole["data"], "'data'", keys: nil).nodes {
      let item = try LedgerMapping(node, "'\(name)'", keys: itemKeys)
      data[name] = Ledger.Item(
        path: try item.required("path"), sha256: try item.text("sha256"), origin: try item.text("from"),
        scale: try item.positive("scale"), kind: try item.choice("kind", ["metric", "depth", "disparity"]))
    }
    let defaults = try LedgerMapping(whole["defaults"], "'defaults'", keys: numberKeys)
    var entries: [Ledger.Entry] = []
    for node in whole["numbers"]?.sequence.map(Array.init) ?? [] {
      let own = try LedgerMapping(node, "the number", keys: numberKeys, defaults: defaults)
      entries.append(try entry(own, data))
    }
    guard !entries.isEmpty else {
      throw LedgerProblem(line: 1, reason: "it holds no number", advice: "add 'numbers:' with a list of them")
    }
    return Ledger(
      path: path, title: try whole.required("title"),
      source: Ledger.Source(
        paper: try source.text("paper"), link: try source.text("link"),
        repository: try source.text("repository"), commit: try source.text("commit"),
        license: try source.text("license")), data: data, entries: entries)
  }

  private static func entry(_ own: LedgerMapping, _ data: [String: Ledger.Item]) throws -> Ledger.Entry {
    func item(_ key: String) throws -> String {
      let name = try own.required(key)
      if data[name] == nil {
        throw own.problem(
          "'data' has no '\(name)'", EditDistance.advice(for: name, among: data.keys.sorted()))
      }
      return name
    }
    let truth = try item("truth")
    let prediction = try prediction(own, item)
    let (rules, namesAlignment) = try rules(own["protocol"], own.line)
    let id = try own.required("metric")
    guard let metric = MetricColumn(id: id) else {
      throw own.problem(
        "no metric is called '\(id)'", EditDistance.advice(for: id, among: MetricColumn.all.map(\.id)))
    }
    let (unit, factor) = try unit(own, metric)
    let digits = try own.required("printed"), printed = PrintedValue(digits)
    guard printed != nil || digits == "none" else {
      throw own.problem(
        "'printed' is not a number",
        "write the digits as they are printed, such as 2.50, or none to show the computed number alone")
    }
    return Ledger.Entry(
      name: try own.text("name") ?? "\(truth), \(prediction.title)", truth: truth, prediction: prediction,
      image: own["image"] == nil || own["method"] == nil ? nil : try item("image"),
      cutsImages: try own.choice("image-cut", ["none", "centre"]) == "centre",
      coversCorner: try own.choice("covers", ["all", "corner"]) == "corner", rules: rules,
      namesAlignment: namesAlignment, metric: metric, unit: unit, factor: factor, printed: printed,
      tolerance: try own.positive("tolerance") ?? printed?.halfUnit ?? 0, place: try own.text("printed-in"),
      isVerified: try own.flag("verified") ?? false,
      expectsMatch: try own.choice("expect", ["match", "differs"]) != "differs", note: try own.text("note"),
      line: own.line)
  }

  private static func prediction(
    _ own: LedgerMapping, _ item: (String) throws -> String
  ) throws -> Ledger.Prediction {
    let word = try own.text("method")
    for (key, method) in [
      ("reduce", "bicubic"), ("antialiasing", "bicubic"), ("radius", "guided-filter"),
      ("epsilon", "guided-filter"),
    ] where own.own(key) && word != method {
      throw own.problem("'\(key)' goes with 'method: \(method)'", "remove it")
    }
    guard let word else {
      for key in ["input", "image"] where own.own(key) {
        throw own.problem("'\(key)' goes with 'method'", "remove it, or name the method")
      }
      return .maps(try item("prediction"))
    }
    if own.own("prediction") { throw own.problem("it has a prediction and a method", "remove one of them") }
    let input = try item("input")
    func needsImage() throws {
      if own["image"] == nil {
        throw own.problem("'method: \(word)' needs an image", "name one of 'data' as 'image'")
      }
    }
    if word == "bicubic" {
      return .bicubic(
        input: input, reduction: try own.whole("reduce") ?? 1,
        antialiases: try own.flag("antialiasing") ?? true)
    }
    if word == "guided-filter" {
      try needsImage()
      let usual = GuidedFilter()
      return .guided(
        input: input, radius: try own.whole("radius") ?? usual.radius,
        epsilon: try own.positive("epsilon") ?? usual.epsilon)
    }
    guard let found = try? MethodCatalogue.parse(word), found.count == 1,
      found[0].role == .sensor || found[0] == .auto, found[0].storedName == nil
    else {
      throw own.problem(
        "'\(word)' is not a method that takes a LiDAR and no network",
        "there are bicubic, guided-filter, lidar-nearest, lidar-bilinear, image-guided")
    }
    if found[0].method(for: .unknown).needsImage { try needsImage() }
    return .method(found[0], input: input)
  }

  /// A name, or a mapping of the switches of `evaluate` and the name under `preset`.
  private static func rules(_ node: Node?, _ line: Int) throws -> (EvaluationProtocol, Bool) {
    let switches = EvaluationProtocol.rules
    let name: String?
    var given = LedgerMapping()
    if let node, node.mapping != nil {
      given = try LedgerMapping(node, "'protocol'", keys: ["preset"] + switches.map(\.name))
      name = try given.text("preset")
    } else {
      name = node?.string
    }
    let presets = EvaluationProtocol.presets.map(\.name)
    guard var rules = EvaluationProtocol.preset(name ?? EvaluationProtocol.fathom.name) else {
      throw LedgerProblem(
        line: line, reason: "no protocol is called '\(name ?? "")'",
        advice: "\(EditDistance.advice(for: name ?? "", among: presets))")
    }
    let named = rules
    for rule in switches {
      guard let text = try given.text(rule.name) else { continue }
      guard rule.read(text, &rules) else {
        throw given.problem("'\(rule.name)' does not take '\(text)'", "write \(rule.expects)")
      }
    }
    if rules.maxDepth == .infinity { rules.maxDepth = nil }
    rules.follow(named)
    if let problem = rules.firstProblem { throw given.problem("\(problem)", "fix that value") }
    return (rules, given["align"] != nil)
  }

  /// The printed unit, and what one of it is in the metric's.
  private static func unit(_ own: LedgerMapping, _ metric: MetricColumn) throws -> (String, Double) {
    let isLength = metric.metric.unit == .metre
    let known = isLength ? ["m": 1, "cm": 0.01, "mm": 0.001] : ["1": 1, "%": 0.01]
    let name = try own.text("unit") ?? (isLength ? "m" : "1")
    if isLength, let metres = try own.positive("metres-per-unit") { return (name, metres) }
    guard let factor = known[name] else {
      throw own.problem(
        "'\(name)' is not a unit of \(metric.id)",
        "write one of \(known.keys.sorted().joined(separator: ", "))"
          + (isLength ? ", or add 'metres-per-unit'" : ""))
    }
    return (name, factor)
  }
}

extension Ledger.Prediction {
  /// For people: "msgnet_x2", "lidar-bilinear of noisy", "bicubic of truth, reduced by 4".
  public var title: String {
    switch self {
    case .maps(let item): item
    case .method(let method, let input): "\(method) of \(input)"
    case .bicubic(let input, let factor, let antialiases):
      "bicubic of \(input)" + (factor > 1 ? ", reduced by \(factor)" : "")
        + (antialiases ? "" : ", without antialiasing")
    case .guided(let input, let radius, let epsilon): "guided-filter of \(input), \(radius), \(epsilon)"
    }
  }
}

/// What is wrong in a ledger, and what to do about it.
private struct LedgerProblem: Error { var line: Int, reason: String, advice: Wording }

/// A mapping whose keys are known, with what another one says where it says nothing.
private struct LedgerMapping {
  let nodes: [String: Node], line: Int
  private let fallback: [String: Node]
  /// That says nothing.
  init() { (nodes, line, fallback) = ([:], 1, [:]) }

  /// - Parameter title: What messages call it.
  /// - Parameter keys: nil for any.
  init(_ node: Node?, _ title: String, keys: [String]?, defaults: LedgerMapping? = nil) throws {
    line = node?.mark?.line ?? 1
    fallback = defaults?.nodes ?? [:]
    guard let node else {
      nodes = [:]
      return
    }
    guard let mapping = node.mapping else {
      throw LedgerProblem(
        line: line, reason: "\(title) is not a list of 'name: value'",
        advice: "see docs/commands/reproduce.md")
    }
    var nodes: [String: Node] = [:]
    for (key, value) in mapping {
      let name = key.string ?? "?"
      if let keys, !keys.contains(name) {
        throw LedgerProblem(
          line: key.mark?.line ?? line, reason: "\(title) has an unknown key '\(name)'",
          advice: "\(EditDistance.advice(for: name, among: keys))")
      }
      nodes[name] = value
    }
    self.nodes = nodes
  }

  subscript(key: String) -> Node? { nodes[key] ?? fallback[key] }
  /// Whether it says it itself.
  func own(_ key: String) -> Bool { nodes[key] != nil }

  func problem(_ reason: String, _ advice: String) -> LedgerProblem {
    LedgerProblem(line: line, reason: reason, advice: Wording(advice))
  }

  /// As it is written, so that digits are known.
  func text(_ key: String) throws -> String? {
    guard let node = self[key] else { return nil }
    guard let text = node.scalar?.string, !text.isEmpty else {
      throw problem("'\(key)' is not one value", "write '\(key): VALUE'")
    }
    return text
  }

  func required(_ key: String) throws -> String {
    guard let text = try text(key) else { throw problem("'\(key)' is missing", "add it") }
    return text
  }

  func positive(_ key: String) throws -> Double? {
    try text(key).map { text in
      guard let number = Double(text), number.isFinite, number > 0 else {
        throw problem("'\(key)' is not a number above 0", "write, say, 0.01")
      }
      return number
    }
  }

  func whole(_ key: String) throws -> Int? {
    try positive(key).map { number in
      guard let whole = Int(exactly: number) else {
        throw problem("'\(key)' is not a whole number", "write 2, 4, 8 or 16")
      }
      return whole
    }
  }

  func flag(_ key: String) throws -> Bool? { try choice(key, ["true", "false"]).map { $0 == "true" } }

  func choice(_ key: String, _ choices: [String]) throws -> String? {
    try text(key).map { text in
      guard choices.contains(text) else {
        throw problem("'\(key)' does not take '\(text)'", "write \(choices.joined(separator: " or "))")
      }
      return text
    }
  }
}
