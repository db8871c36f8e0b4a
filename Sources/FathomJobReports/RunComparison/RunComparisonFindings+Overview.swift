import FathomDocuments
import FathomPlainText
import FathomRunFolders

/// The first screen of a comparison: what the gate says, or how many methods became better and worse.
extension RunComparisonFindings {
  var overview: OverviewBlock {
    let methods = found.runs.flatMap(\.methods)
    func count(_ outcome: RunComparisonVerdict.Outcome) -> Int { methods.count { $0.outcome == outcome } }
    let (frames, scenes) = (found.runs.map(\.frames).max() ?? 0, found.runs.map(\.scenes).max() ?? 0)
    return OverviewBlock(
      badge: found.gate.map(Self.badge) ?? badge(better: count(.better), worse: count(.worse), methods.count),
      tiles: [
        .init("Shared frames", "\(frames)", "of \(counted(scenes, "scene"))"),
        .init("Methods better", "\(count(.better)) of \(methods.count)", Self.title(column)),
        .init("Methods worse", "\(count(.worse)) of \(methods.count)", Self.title(column)),
      ])
  }

  private static func badge(_ gate: RunComparisonVerdict.Gate) -> OverviewBlock.Badge {
    let judged = "\(gate.comparisons - gate.unknown) of \(counted(gate.comparisons, "comparison")) judged"
    return switch gate.outcome {
    case .worse: .init(.worse, "Gate failed", "\(judged), and something is worse")
    case .nothingWorse: .init(.better, "Gate passed", "\(judged), nothing is worse")
    case .partlyJudged: .init(.open, "Partly judged", "\(judged), none of them is worse")
    case .nothingJudged:
      .init(.open, "Cannot tell", "none of \(counted(gate.comparisons, "comparison")) could be judged")
    }
  }

  private func badge(better: Int, worse: Int, _ methods: Int) -> OverviewBlock.Badge {
    let outcomes = Set(found.runs.flatMap(\.methods).map(\.outcome))
    let text = "\(better) better and \(worse) worse of \(counted(methods, "method"))"
    return switch (better > 0, worse > 0) {
    case (true, true): .init(.open, "Mixed", text)
    case (true, false): .init(.better, "Better", text)
    case (false, true): .init(.worse, "Worse", text)
    case (false, false):
      outcomes == [.same]
        ? .init(.open, "Equal", "the same in every scene")
        : outcomes.contains(.notComparable) && outcomes.isSubset(of: [.notComparable, .same])
          ? .init(.open, "Not comparable", "the runs cover different pixels")
          : .init(.open, "Cannot tell", "no difference is shown")
    }
  }
}
