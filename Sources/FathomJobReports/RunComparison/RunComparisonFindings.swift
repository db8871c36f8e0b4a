import FathomDocuments
public import FathomRunFolders
import FathomPlainText
import DepthCore
import DepthEvaluation
import DepthVerdicts
import FathomStorage

/// What a comparison of runs says, in sentences.
public struct RunComparisonFindings {
  let comparison: RunComparison, found: RunComparisonVerdict

  public init(_ comparison: RunComparison) {
    (self.comparison, found) = (comparison, RunComparisonVerdict(comparison))
  }

  var column: ComparedColumn { comparison.request.metric }

  /// What limits everything else; nil where nothing does.
  public var caveat: String? {
    let warnings = comparison.candidates.flatMap(\.warnings)
    var parts = warnings.isEmpty ? [] : ["Compared although \(warnings.joined(separator: "; "))."]
    if comparison.isPooled {
      parts.append(
        "The protocol pools pixels, which stored rows do not count: values here are means over frames, then scenes."
      )
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// The gate's first, then run by run.
  public var sentences: [String] { verdict + gates + details(naming: true) }

  /// The same without what ``answer`` says.
  var details: [String] { gates + details(naming: comparison.candidates.count > 1) }

  /// Run by run.
  /// - Parameter naming: Whether what is compared stands before what was found.
  private func details(naming: Bool) -> [String] {
    zip(comparison.candidates, found.runs).flatMap { candidate, found -> [String] in
      let opening = naming ? [shared(candidate)] : []
      return opening + verdicts(found) + withoutDepth(found) + refusals(candidate, found)
        + methods(candidate) + columns(candidate)
    }
  }

  /// What is compared, what came of it, and what to do next.
  var answer: AnswerBlock {
    let pairs = zip(comparison.candidates, found.runs)
    let counts = pairs.map { candidate, found in
      (comparison.candidates.count > 1 ? "\(candidate.label.literal): " : "") + summary(found)
    }
    let next =
      found.next == .needsScenes
      ? "Evaluate both on more scenes: fewer than \(WorseningGate.fewestScenes) cannot show that anything became better or worse."
      : "\("fathom frames \(RelativePath.to(comparison.candidates[0].run.path).shellQuoted)".code) shows every frame of the new run, the worst first."
    return AnswerBlock([
      .init("Compared", comparison.candidates.map(shared).joined(separator: " ")),
      .init("Answer", (verdict + counts).joined(separator: " ")), .init("Next", next),
    ])
  }

  /// "MAE, measured pixels, 18 methods: 1 better, 9 not distinguishable, 8 the same."
  private func summary(_ found: RunComparisonVerdict.Run) -> String {
    guard !found.methods.isEmpty else { return "No method has a value of \(column.title) in both runs." }
    let parts = [
      (RunComparisonVerdict.Outcome.better, "**better**"), (.worse, "**worse**"), (.different, "different"),
      (.notComparable, "not comparable"), (.undecided, "not distinguishable"), (.same, "the same"),
    ].map { (found.methods($0).count, $1) }
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(Self.title(column)), \(counted(found.methods.count, "method")): \(text)."
  }

  private func shared(_ candidate: RunComparison.Candidate) -> String {
    let left = candidate.leftOut.map { "; \($0)" }.joined()
    return
      "**\(candidate.label.literal)** against **\(comparison.label.literal)**: \(counted(candidate.frames, "shared frame")) of \(counted(candidate.scenes, "scene"))\(left).\(options(candidate))"
  }

  private static let longest = 60  // Characters of values that stand in a sentence.

  /// " Options that differ: minConfidence (2, now 0; 1, now 0), objects."; nothing where none does, or more than a sentence holds.
  private func options(_ candidate: RunComparison.Candidate) -> String {
    // An option of methods has a row for each of them, and one as it was given.
    let given = "options."
    let groups = Dictionary(grouping: candidate.options) {
      $0.option.trimmingPrefix(given).prefix { $0 != "." }
    }.sorted { $0.key < $1.key }
    guard (1...3).contains(groups.count) else { return "" }
    let list = groups.map { name, all in
      let ofMethods = all.filter { !$0.option.hasPrefix(given) }
      let rows = ofMethods.isEmpty ? all : ofMethods
      let values = rows.map { "\($0.reference ?? "not set"), now \($0.value ?? "not set")" }.firstAppearances
      let title = rows.count == 1 ? String(rows[0].option.trimmingPrefix(given)) : String(name)
      // What maps are read, and such, is more than a word.
      return
        (values.count > 2 || values.contains { $0.count > Self.longest }
        ? title : "\(title) (\(values.joined(separator: "; ")))").literal
    }
    return " Options that differ: \(list.joined(separator: ", "))."
  }

  /// Who is better, who is worse, who is the same, and who cannot be distinguished.
  private func verdicts(_ found: RunComparisonVerdict.Run) -> [String] {
    let (open, same) = (found.methods(.undecided), found.methods(.same))
    guard !found.methods.isEmpty else { return ["No method has a value of \(column.title) in both runs."] }
    if same.count == found.methods.count {
      return [
        "\(Self.title(column)): the same in every scene, for all \(counted(found.methods.count, "method"))."
      ]
    }
    var parts: [String] = []
    for outcome in [RunComparisonVerdict.Outcome.better, .worse, .different] {
      let (significant, likely) = (found.methods(outcome, .significant), found.methods(outcome, .interval))
      if !significant.isEmpty { parts.append("significantly \(outcome.rawValue): \(list(significant))") }
      if !likely.isEmpty { parts.append("\(outcome.rawValue) by the interval alone: \(list(likely))") }
    }
    let unequal = found.methods(.notComparable)
    if !unequal.isEmpty {
      parts.append("not comparable: " + unequal.map { coverage($0, of: found) }.joined(separator: ", "))
    }
    if !open.isEmpty {
      let scenes = open.map(\.scenes).max() ?? 0
      let isBare = open.allSatisfy { $0.evidence == .range }
      parts.append(
        (isBare ? "\(counted(scenes, "scene")), too few for an interval: " : "not distinguishable: ")
          + list(open))
    }
    if !same.isEmpty { parts.append("the same: \(same.map(\.title).joined(separator: ", "))") }
    return [
      "\(Self.title(column)), \(frames): \(parts.joined(separator: "; "))."
    ] + attainable(found)
  }

  /// "auto (near leaves out pixels that demo covers, coverage 88.9 % and 100.0 %)"
  private func coverage(_ row: RunComparisonVerdict.Method, of run: RunComparisonVerdict.Run) -> String {
    let sides = [(comparison.label, row.referenceCoverage ?? 1), (run.name, row.coverage ?? 1)].sorted {
      $0.1 < $1.1
    }
    let shares = sides.map { Quantity($0.1, .percent()).text }.joined(separator: " and ")
    return "\(row.title) (\(sides[0].0) leaves out pixels that \(sides[1].0) covers, coverage \(shares))"
  }

  private var frames: String {
    comparison.basis.hasLidar
      ? "all frames, with the raw LiDAR in place of refused ones" : "images that both runs have"
  }

  private func attainable(_ found: RunComparisonVerdict.Run) -> [String] {
    guard found.canBeSignificant == false, let smallest = found.smallestAttainableP,
      let family = found.comparisons
    else { return [] }
    return [
      "With so few scenes and \(family) comparisons the smallest attainable adjusted p of Wilcoxon's test is \(Quantity(smallest, .significant(2)).text): by that test nothing could be significant, so use the interval.\(comparison.gate == nil ? "" : " The gate has a test of its own, whose p stands in its table.")"
    ]
  }

  private func list(_ rows: [RunComparisonVerdict.Method]) -> String {
    rows.map { "\($0.title) (\(Self.signed($0.difference, column)))" }.joined(separator: ", ")
  }

  private func withoutDepth(_ found: RunComparisonVerdict.Run) -> [String] {
    guard !found.withoutDepth.isEmpty else { return [] }
    let names = found.withoutDepth.map(\.literal).joined(separator: ", ")
    let (subject, verb) = found.withoutDepth.count == 1 ? ("it", "has") : ("they", "have")
    return [
      "\(names) \(verb) no depth in any shared frame of either run\(comparison.basis.hasLidar ? ": an app would show the raw LiDAR there, so" : ", so") \(subject) \(verb) no row."
    ]
  }

  private func refusals(_ candidate: RunComparison.Candidate, _ found: RunComparisonVerdict.Run) -> [String] {
    found.refusals.map { row in
      let word = row.solved < row.solvedReference ? "only " : ""
      return
        "**\(row.title) has depth in \(word)\(row.solved) of \(row.frames) frames** of \(candidate.label), in \(row.solvedReference) of \(comparison.label)."
    }
  }

  private func methods(_ candidate: RunComparison.Candidate) -> [String] {
    guard comparison.request.methods == nil else { return [] }
    let lists = [
      (candidate.missingMethods, comparison.label, candidate.label),
      (candidate.newMethods, candidate.label, comparison.label),
    ]
    return lists.compactMap { methods, here, there in
      methods.isEmpty
        ? nil : "Only \(here) has \(methods.joined(separator: ", ")): not compared with \(there)."
    }
  }

  private func columns(_ candidate: RunComparison.Candidate) -> [String] {
    let frames = (comparison.reference.frames, candidate.run.frames)
    let missing = (frames.0.missingColumns + frames.1.missingColumns).firstAppearances
    let unknown = (frames.0.unknownColumns + frames.1.unknownColumns).firstAppearances
    return
      (missing.isEmpty
      ? []
      : ["Metrics that a run does not have, and that are not compared: \(missing.joined(separator: ", "))."])
      + (unknown.isEmpty
        ? [] : ["Columns that this version does not know and skipped: \(unknown.joined(separator: ", "))."])
  }

  /// What the gate comes to, before its rules.
  private var verdict: [String] {
    guard let gate = found.gate else { return [] }
    return switch gate.outcome {
    case .worse: ["**The gate fails.**"]
    case .nothingJudged:
      [
        "**The gate cannot judge anything**: it cannot decide any of \(counted(gate.unknown, "comparison")), and passes unless `\(flag: "fail-if-unknown")` is given."
      ]
    case .nothingWorse: ["**The gate finds nothing worse.**"]
    case .partlyJudged:
      [
        "**The gate finds nothing worse**, but cannot judge \(gate.unknown) of \(counted(gate.comparisons, "comparison"))."
      ]
    }
  }

  /// A rule's sentence, and what it is about.
  public struct RuleLine: Sendable {
    /// Whether something is worse; whether something could not be told.
    public let isWorse: Bool, isUnknown: Bool
    public let text: String
  }

  /// One sentence per rule.
  public var gates: [String] { rules.map(\.text) }

  /// One line per rule, then one on methods that are gone.
  public var rules: [RuleLine] {
    guard let gate = comparison.gate, let unjudged = found.gate?.unjudged else { return [] }
    return comparison.request.rules.map { rule in
      line(
        rule, gate.verdicts.filter { $0.rule == rule }, unjudged.filter { $0.rule == rule.description })
    }
      + gone.map { RuleLine(isWorse: false, isUnknown: true, text: $0) }
  }

  private func line(
    _ rule: WorseningRule, _ verdicts: [WorseningGate.Verdict],
    _ unknown: [RunComparisonVerdict.Gate.Unjudged]
  ) -> RuleLine {
    let worse = verdicts.filter { $0.outcome == .worse }
    let judged = verdicts.count - unknown.count
    var parts: [String] = []
    if !worse.isEmpty {
      parts.append("**worse**: " + worse.map { sentence($0) }.joined(separator: "; "))
    } else if judged > 0 {
      parts.append("nothing is shown to be worse in \(counted(judged, "comparison"))")
    } else if verdicts.isEmpty {
      parts.append("**cannot tell**, no method is judged")
    }
    for cause in unknown.map(reason).firstAppearances {
      let pairs = unknown.filter { reason($0) == cause }.map(\.title).firstAppearances
      parts.append("**cannot tell** for \(pairs.joined(separator: ", ")) (\(cause))")
    }
    return RuleLine(
      isWorse: !worse.isEmpty, isUnknown: !unknown.isEmpty || verdicts.isEmpty,
      text: "`\(rule.description)`: \(parts.joined(separator: "; ")).")
  }

  private var gone: [String] {
    let methods = comparison.candidates.flatMap { candidate in
      candidate.missingMethods.map { "\($0) is not in \(candidate.label)" }
    }
    guard comparison.request.methods == nil, !methods.isEmpty else { return [] }
    return ["The gate cannot judge missing methods: \(methods.joined(separator: ", "))."]
  }

  private func sentence(_ verdict: WorseningGate.Verdict) -> String {
    let column = verdict.rule.column
    let run = comparison.candidates.count > 1 ? " in \(comparison.candidates[verdict.run].label)" : ""
    let form = verdict.form == .solved ? " on the frames in which both have depth" : ""
    let interval = verdict.interval.map { " (95 % interval \(Self.words($0, column)))" }
    return
      "\(verdict.pair.title)\(run) by \(Self.words(verdict.worsening ?? 0, column))\(interval ?? "") over \(counted(verdict.scenes, "scene"))\(form), \(Self.words(verdict.tolerance ?? 0, column)) allowed"
  }

  private func reason(_ found: RunComparisonVerdict.Gate.Unjudged) -> String {
    let form = found.isOfSolvedFrames ? "both have depth: " : ""
    return switch found.cause {
    case .noSharedFrame: form + "no frame has a value in both runs"
    case .tooFewScenes:
      form + "\(counted(found.scenes, "scene")), at least \(WorseningGate.fewestScenes) are needed"
    case .notFinite: form + "a value is not finite"
    }
  }

  /// As a sentence begins with it: "Coverage", "MAE, measured pixels"; symbols and names keep their letters: "δ₁", "iRMSE".
  static func title(_ column: ComparedColumn) -> String {
    let word = column.title.prefix { $0 != " " && $0 != "," }
    let isWord = word.allSatisfy { $0.isASCII && $0.isLowercase }
    return isWord ? column.title.prefix(1).uppercased() + column.title.dropFirst() : column.title
  }

  /// A difference with the column's unit: "12.3 mm", "1.50 percentage points", "0.0123".
  static func words(_ value: Double, _ column: ComparedColumn) -> String {
    Quantity(value, style(column)).text
  }

  static func style(_ column: ComparedColumn) -> Quantity.Style {
    switch column.unit {
    case .metre: .supported(times: column.display.scale, unit: column.display.symbol ?? "")
    // "+3 %" would read as a relative change.
    case .share: .decimals(2, times: 100, unit: DifferenceMeasure.points)
    case .none, .perMetre, .perKilometre, .degree, .pixel:
      .significant(3, unit: column.unit.suffix.trimmingPrefix(" ").description)
    }
  }

  /// An interval: "[1.2, 3.4] mm".
  private static func words(_ ends: ClosedRange<Double>, _ column: ComparedColumn) -> String {
    Quantity(nil, style(column), low: ends.lowerBound, high: ends.upperBound).interval
  }

  static func signed(_ value: Double, _ column: ComparedColumn) -> String {
    Quantity(value, style(column).signed).text
  }
}
