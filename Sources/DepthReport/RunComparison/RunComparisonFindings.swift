import PlainText
import DepthCore
import DepthEvaluation
import Statistics

/// What a comparison of runs says, in sentences.
public struct RunComparisonFindings {
  let comparison: RunComparison

  public init(_ comparison: RunComparison) { self.comparison = comparison }

  private var column: ComparedColumn { comparison.request.metric }

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
  public var sentences: [String] {
    verdict + gates
      + zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
        [shared(candidate)] + details(candidate, found)
      }
  }

  /// The same without what ``answer`` says.
  var details: [String] {
    (comparison.gate == nil ? [] : gates)
      + zip(comparison.candidates, comparison.differences).flatMap { candidate, found in
        (comparison.candidates.count > 1 ? [shared(candidate)] : []) + details(candidate, found)
      }
  }

  private func details(_ candidate: RunComparison.Candidate, _ found: RunDifferences) -> [String] {
    verdicts(candidate, found) + refusals(candidate, found) + methods(candidate) + columns(candidate)
  }

  /// What is compared, what came of it, and what to do next.
  var answer: AnswerBlock {
    let pairs = zip(comparison.candidates, comparison.differences)
    let counts = pairs.map { candidate, found in
      (comparison.candidates.count > 1 ? "\(candidate.label.literal): " : "") + summary(candidate, found)
    }
    let scenes = comparison.candidates.map(\.scenes).max() ?? 0
    let next =
      scenes < WorseningGate.fewestScenes
      ? "Evaluate both on more scenes: fewer than \(WorseningGate.fewestScenes) cannot show that anything became better or worse."
      : "`fathom frames \(comparison.candidates[0].label.literal)` shows every frame of the new run, the worst first."
    return AnswerBlock([
      .init("Compared", comparison.candidates.map(shared).joined(separator: " ")),
      .init("Answer", (verdict + counts).joined(separator: " ")), .init("Next", next),
    ])
  }

  /// "MAE, measured pixels, 18 methods: 1 better, 9 not to be told apart, 8 the same."
  private func summary(_ candidate: RunComparison.Candidate, _ found: RunDifferences) -> String {
    let groups = Groups(candidate.pairs.compactMap { found.headline($0, column.id) })
    guard groups.count > 0 else { return "No method has a value of \(column.title) in both runs." }
    let (better, worse) = (groups.better.count, groups.worse.count)
    let changed =
      column.direction == .zeroIsBest
      ? [(better + worse, "different")] : [(better, "**better**"), (worse, "**worse**")]
    let parts = changed + [(groups.open.count, "not to be told apart"), (groups.same.count, "the same")]
    let text = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    return "\(Self.title(column)), \(counted(groups.count, "method")): \(text)."
  }

  /// Methods by what became of them.
  private struct Groups {
    /// Methods that changed one way: by the test, or by the interval alone.
    struct Side {
      var significant: [RunDifference] = [], likely: [RunDifference] = []
      var count: Int { significant.count + likely.count }
    }

    private(set) var better = Side(), worse = Side()
    /// Not to be told apart; the same in every scene.
    private(set) var open: [RunDifference] = [], same: [RunDifference] = []

    var count: Int { changed.count + same.count }
    var changed: [RunDifference] { [better, worse].flatMap { $0.significant + $0.likely } + open }

    /// - Parameter rows: Those without a comparison are left out.
    init(_ rows: [RunDifference]) {
      for row in rows {
        guard let comparison = row.comparison else { continue }
        let side = (row.worsening ?? 1) > 0 ? \Self.worse : \Self.better
        if comparison.sceneDifferences.allSatisfy({ $0.difference == 0 }) {
          same.append(row)
        } else if comparison.isSignificant == true {
          self[keyPath: side].significant.append(row)
        } else if comparison.interval?.excludesZero == true {
          self[keyPath: side].likely.append(row)
        } else {
          open.append(row)
        }
      }
    }
  }

  private func shared(_ candidate: RunComparison.Candidate) -> String {
    let left = candidate.leftOut.map { "; \($0)" }.joined()
    return
      "**\(candidate.label.literal)** against **\(comparison.label.literal)**: \(counted(candidate.frames, "shared frame")) of \(counted(candidate.scenes, "scene"))\(left)."
  }

  /// Who is better, who is worse, who is the same, and who cannot be told.
  private func verdicts(_ candidate: RunComparison.Candidate, _ found: RunDifferences) -> [String] {
    let groups = Groups(candidate.pairs.compactMap { found.headline($0, column.id) })
    let (open, same) = (groups.open, groups.same)
    guard groups.count > 0 else { return ["No method has a value of \(column.title) in both runs."] }
    if same.count == groups.count {
      return [
        "\(Self.title(column)): the same in every scene, for all \(counted(groups.count, "method"))."
      ]
    }
    var parts: [String] = []
    for (side, word) in [(groups.better, "better"), (groups.worse, "worse")] {
      let direction = column.direction == .zeroIsBest ? "different" : word
      if !side.significant.isEmpty { parts.append("significantly \(direction): \(list(side.significant))") }
      if !side.likely.isEmpty { parts.append("\(direction) by the interval alone: \(list(side.likely))") }
    }
    if !open.isEmpty {
      let scenes = open.compactMap { $0.comparison?.scenes }.max() ?? 0
      let isBare = open.allSatisfy { $0.comparison?.interval == nil }
      parts.append(
        (isBare ? "\(counted(scenes, "scene")), too few for an interval: " : "not to be told apart: ")
          + list(open))
    }
    if !same.isEmpty { parts.append("the same: \(same.map(\.pair.title).joined(separator: ", "))") }
    return [
      "\(Self.title(column)), all frames, the raw LiDAR standing in for refused ones: \(parts.joined(separator: "; "))."
    ]
      + attainable(groups.changed.compactMap(\.comparison))
  }

  private func attainable(_ rows: [PairedComparison]) -> [String] {
    guard let smallest = rows.compactMap(\.smallestAttainableP).min(), smallest >= PairedComparison.level,
      let family = rows.first?.familySize
    else { return [] }
    return [
      "With so few scenes and \(family) comparisons the smallest attainable adjusted p of Wilcoxon's test is \(Quantity(smallest, .significant(2)).text): by that test nothing could be significant, and the interval is what there is to go by.\(comparison.gate == nil ? "" : " The gate has a test of its own, whose p stands in its table.")"
    ]
  }

  private func list(_ rows: [RunDifference]) -> String {
    rows.map { row in
      "\(row.pair.title) (\(Self.signed(row.comparison?.difference ?? 0, column)))"
    }.joined(separator: ", ")
  }

  private func refusals(_ candidate: RunComparison.Candidate, _ found: RunDifferences) -> [String] {
    candidate.pairs.compactMap { pair in
      guard let solved = found.solved[pair], solved.reference != solved.candidate else { return nil }
      let word = solved.candidate < solved.reference ? "only " : ""
      return
        "**\(pair.title) solves \(word)\(solved.candidate) of \(solved.frames) frames** in \(candidate.label), \(solved.reference) in \(comparison.label)."
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
        ? []
        : ["Columns that this version does not know, and left out: \(unknown.joined(separator: ", "))."])
  }
}

extension RunComparisonFindings {
  /// What the gate comes to, before its rules.
  private var verdict: [String] {
    guard let gate = comparison.gate else { return [] }
    let unknown = gate.verdicts.count { $0.outcome == .unknown }
    if gate.isWorse { return ["**The gate fails.**"] }
    if unknown == gate.verdicts.count {
      return [
        "**The gate can judge nothing**: it cannot tell of any of \(counted(unknown, "comparison")), and passes unless `--fail-if-unknown` is given."
      ]
    }
    return unknown == 0
      ? ["**The gate finds nothing worse.**"]
      : [
        "**The gate finds nothing worse**, but cannot judge \(unknown) of \(counted(gate.verdicts.count, "comparison"))."
      ]
  }

  /// One sentence per rule.
  public var gates: [String] {
    guard let gate = comparison.gate else { return [] }
    return comparison.request.rules.map { rule in
      let verdicts = gate.verdicts.filter { $0.rule == rule }
      let worse = verdicts.filter { $0.outcome == .worse }
      let unknown = verdicts.filter { $0.outcome == .unknown }
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
        let pairs = unknown.filter { reason($0) == cause }.map(\.pair.title).firstAppearances
        parts.append("**cannot tell** for \(pairs.joined(separator: ", ")) (\(cause))")
      }
      return "`\(rule.description)`: \(parts.joined(separator: "; "))."
    } + gone
  }

  private var gone: [String] {
    let methods = comparison.candidates.flatMap { candidate in
      candidate.missingMethods.map { "\($0) is not in \(candidate.label)" }
    }
    guard comparison.request.methods == nil, !methods.isEmpty else { return [] }
    return ["The gate cannot tell of methods that are gone: \(methods.joined(separator: ", "))."]
  }

  private func sentence(_ verdict: WorseningGate.Verdict) -> String {
    let column = verdict.rule.column
    let run = comparison.candidates.count > 1 ? " in \(comparison.candidates[verdict.run].label)" : ""
    let form = verdict.form == .solved ? " on the frames that both solved" : ""
    let interval = verdict.interval.map {
      " (95 % interval \(Self.words($0, column)))"
    }
    return
      "\(verdict.pair.title)\(run) by \(Self.words(verdict.worsening ?? 0, column))\(interval ?? "") over \(counted(verdict.scenes, "scene"))\(form), \(Self.words(verdict.tolerance ?? 0, column)) allowed"
  }

  private func reason(_ verdict: WorseningGate.Verdict) -> String {
    let form = verdict.form == .solved ? "both solved: " : ""
    return switch verdict.scenes {
    case 0: form + "no frame has a value in both runs"
    case ..<WorseningGate.fewestScenes:
      form + "\(counted(verdict.scenes, "scene")), at least \(WorseningGate.fewestScenes) are needed"
    default: form + "a value is not finite"
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
    case .none, .perMetre, .perKilometre:
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
