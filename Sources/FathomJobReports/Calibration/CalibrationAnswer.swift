import DepthReport
import FathomDocuments
import FathomRunFolders
import DepthCalibration
import DepthEvaluation
import FathomPlainText
import FathomRuns

/// A calibration in a few lines. It words a verdict and decides nothing.
struct CalibrationAnswer: Sendable {
  private let verdict: CalibrationVerdict, commands: DataCommands
  /// As commands name it; nil for the page's own.
  private let folder: String?

  init(_ result: CalibrateResult, in folder: String?) {
    (verdict, self.folder) = (result.verdict, folder)
    commands = DataCommands(
      result.data.relative, inputs: result.manifest.inputs, scenePattern: result.manifest.scenePattern)
  }

  /// What each level is worth, which are biased, and what to do with the calibration.
  var lines: [AnswerBlock.Line] {
    [trust.map { .init("Trust", $0) }, bias.map { .init("Bias", $0) }, next].compactMap(\.self)
  }

  private var levels: [(level: Int, error: LevelError)] {
    verdict.levels.compactMap { level in level.error.map { (level.level, $0) } }
  }

  /// "Confidence 2: median error of all pixels 0.40 %, 95 % of a frame's pixels within 50.9 mm on average. …", from the most confident on.
  private var trust: String? {
    let parts = levels.map { level, error in
      let times = error.ratio.map { ", \(Quantity($0, .significant(2)).text) times as much" } ?? ""
      return
        "\(CalibrationWords.level(level).capitalizedFirst): median error of all pixels \(Quantity(error.median, .percent(2)).text)\(times), 95 % of a frame's pixels within \(LengthUnit.millimetres.text(error.p95)) on average."
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// "On average confidence 1 measures 65.4 mm too near, confidence 0 measures 152 mm too near."
  private var bias: String? {
    let parts = levels.compactMap { level, error -> String? in
      guard error.isBiased, let bias = error.bias?.value else { return nil }
      return
        "\(CalibrationWords.level(level)) measures \(LengthUnit.millimetres.text(abs(bias))) too \(bias > 0 ? "far" : "near")"
    }
    return parts.isEmpty ? nil : "On average \(parts.joined(separator: ", ")). Weights do not correct a bias."
  }

  private var next: AnswerBlock.Line? {
    verdict.next.map { step in
      let options = DataCommands.option(
        "calibration", "\(folder ?? DataCommands.pageFolder)/\(step.calibration)")
      let words = commands.command("evaluate", commands.inputs, commands.truth + commands.chosen + options)
      let command = "\(words.code)\(folder == nil ? " (\(DataCommands.pageFolder): that of this page)" : "")"
      return verdict.gainObjection == nil
        ? .init("Use", use(command))
        : .init("Next", "\(command) gives every return the weight of its confidence and range.")
    }
  }

  /// " (MAE 23.2 to 22.1 mm)"
  private func change(_ gain: CalibrationVerdict.Gain) -> String {
    guard let without = gain.without, let with = gain.with else { return "" }
    return
      " (MAE from \(Quantity(without, .supported(times: 1000)).text) to \(LengthUnit.millimetres.text(with)))"
  }

  /// Where the calibration is to be used.
  private func use(_ command: String) -> String {
    let gains = verdict.headlineGains
    func names(_ outcome: HeldOutGain.Verdict) -> String? {
      let found = gains.filter { $0.outcome == outcome }.map { "`\($0.method)`" + change($0) }
      return found.isEmpty ? nil : found.joined(separator: ", ")
    }
    let parts = [
      names(.improves).map { "on unseen scenes it makes \($0) better" },
      names(.worsens).map { "makes \($0) worse: do not use it there" },
      names(.undecided).map { "these scenes cannot show whether it helps \($0)" },
    ].compactMap(\.self)
    return parts.isEmpty
      ? "\(command); these scenes cannot show whether it helps."
      : "\(command): \(parts.joined(separator: "; "))."
  }
}
