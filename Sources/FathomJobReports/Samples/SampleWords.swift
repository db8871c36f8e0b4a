import DepthEvaluation
import DepthVerdicts
package import FathomDocuments
import FathomPlainText
package import FathomStudies
import FathomStatistics

/// A plan of samples in sentences and tables.
package struct SampleWords {
  private let plan: SamplePlan, display: DisplayUnit

  /// - Parameter detected: As it was written: where lengths are given by hand, a unit in it is that of all.
  package init(_ plan: SamplePlan, detected: String?) {
    self.plan = plan
    display =
      plan.metric.map { MetricColumn(id: $0)?.metric.display ?? .number }
      ?? (detected?.hasSuffix("m") == true ? .millimetre : .number)
  }

  private func text(_ value: Double?) -> String {
    Quantity(value, .supported(times: display.scale, unit: display.symbol ?? "")).text
  }

  private func number(_ value: Double) -> String { Quantity(value, .significant(2)).text }

  private func scenes(_ count: Int?) -> String {
    count.map { "\($0)" } ?? "more than \(TTestPower.mostScenes)"
  }

  private var subject: String {
    guard let method = plan.method else { return "the mean" }
    return plan.reference.map { "the mean difference of \(method) from \($0)" }
      ?? "the mean error of \(method)"
  }

  package var sentences: [String] { [pilot, scatter, need, uncertainty, ownTest].compactMap(\.self) }

  private var pilot: String? {
    guard let run = plan.run, let metric = plan.metric, let scenes = plan.scenes, let frames = plan.frames
    else { return nil }
    return
      "\(run): \(metric), \(scenes) scenes, \(frames) frames\(plan.reference == nil ? "" : " in which both have depth"); \(subject) is \(text(plan.mean))."
  }

  private var scatter: String {
    let within =
      plan.withinScenes.map {
        ", \(text($0)) between frames of a scene"
          + (plan.independentFrames.map {
            "; \(number(plan.framesPerScene)) frames of a scene tell as much as \(number($0)) independent ones"
          } ?? "")
      } ?? "; no scene has two frames, so nothing is known of frames"
    return "Standard deviation: \(text(plan.betweenScenes)) between scenes\(within)."
  }

  private var need: String? {
    guard let difference = plan.difference else { return nil }
    let words =
      plan.method != nil && plan.reference == nil
      ? "To show that \(subject) differs by \(text(difference)) from a given value"
      : "To show a difference of \(text(difference))"
    return
      "\(words), \(scenes(plan.scenesNeeded)) scenes are needed (power \(Quantity(TTestPower.wanted, .percent(0)).text), level \(Quantity(TTestPower.level, .percent(0)).text), two-sided)."
  }

  private var uncertainty: String? {
    guard let count = plan.scenes, plan.difference != nil else { return nil }
    return
      "\(count) scenes leave this uncertain: with the 95 % interval of their standard deviation it is \(scenes(plan.scenesNeededLow)) to \(scenes(plan.scenesNeededHigh)) scenes, if scenes are normal."
  }

  private var ownTest: String? {
    guard let needed = plan.scenesNeeded, needed < ContrastVerdict.fewestScenes else { return nil }
    return
      "The test of evaluate's own question, by sign flips, needs \(ContrastVerdict.fewestScenes) scenes at least."
  }

  private func column(_ name: String) -> DisplayTable.Column {
    .init(name + (display.symbol.map { " [\($0)]" } ?? ""))
  }

  private func cell(_ value: Double) -> String { Quantity(value * display.scale, .supported()).text }

  package var tables: [DisplayTable] {
    let asks = plan.difference != nil
    let byFrames = DisplayTable(
      columns: [
        .init("frames a scene"), column("sd of scene means"), column("± with \(plan.intervalScenes) scenes"),
      ] + (asks ? [.init("scenes needed")] : []),
      rows: plan.byFrames.map { row in
        [
          row.times.map { number($0 * plan.framesPerScene) } ?? "∞", cell(row.ofSceneMeans),
          cell(row.halfWidth),
        ] + (asks ? [scenes(row.scenes)] : [])
      })
    let byScenes = DisplayTable(
      columns: [
        .init("scenes"), column("±"), column("smallest difference shown"), .init("sd known to a factor of"),
      ],
      rows: plan.byScenes.map { row in
        [
          "\(row.scenes)", cell(row.halfWidth), cell(row.detectable),
          "\(Quantity.fixed(row.deviationLow, 2)) to \(Quantity.fixed(row.deviationHigh, 2))",
        ]
      })
    return (plan.byFrames.isEmpty ? [] : [byFrames]) + [byScenes]
  }
}
