import FathomCommandLine
import FathomJobReports
import FathomDocuments
package import ArgumentParser
import DepthEvaluation
import FathomRuns
import FathomStudies
import DepthVerdicts
import FathomStatistics
import FathomStorage

/// Says how many scenes and frames show a difference.
package struct Samples: ParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Say how many scenes and frames an evaluation needs to show a difference.",
    discussion: """
      RUN is a pilot: a folder that evaluate or merge wrote, of at least two scenes. From the values of its frames follows how much scenes and \
      frames differ. Without a pilot, give both standard deviations by hand: --between-scenes and --within-scenes. Nothing is written.
      """)

  @Argument(help: ArgumentHelp("Folder of a run, the pilot.", valueName: "run"), completion: .directory)
  var folder: String?
  @Option(
    help: ArgumentHelp(
      "Difference to be shown: in the metric's unit, such as 0.002, 0.002m or 2mm, or a share of the reference's value, such as 5%.",
      valueName: "size")) var detect: String?
  @Option(help: "Column of frames.csv (default: the one that the run orders methods by).") var metric: String?
  @Option(help: "Method whose error is meant (default: that of the run's question).") var method: String?
  @Option(
    help:
      "Method that it is compared with, frame by frame (default: with --method none, so that the error itself is meant; else that of the run's question)."
  ) var against: String?
  @Option(
    help: ArgumentHelp(
      "Without a run: standard deviation between scenes, in the unit of --detect.", valueName: "sd"))
  var betweenScenes: String?
  @Option(
    help: ArgumentHelp(
      "Without a run: standard deviation between the frames of a scene, taken as independent.",
      valueName: "sd")) var withinScenes: String?
  @Option(help: "Without a run: frames of a scene (default: 1).") var frames: Int?
  @Flag(help: "Print the numbers as JSON.") var json = false
  @OptionGroup var console: Console
  /// Whether standard deviations are given by hand.
  private var isByHand: Bool { betweenScenes != nil || withinScenes != nil || frames != nil }

  package func validate() throws {
    _ = try difference
    if folder == nil {
      guard let betweenScenes, let withinScenes else {
        throw ValidationError(
          "a RUN is needed, a pilot from which the scatter follows; without one give --between-scenes and --within-scenes"
        )
      }
      _ = try (length("between-scenes", betweenScenes), length("within-scenes", withinScenes))
      guard metric == nil, method == nil, against == nil else {
        throw ValidationError("--metric, --method and --against: they name parts of a RUN, and none is given")
      }
      if case .relative? = try difference {
        throw ValidationError("--detect: a share needs a RUN, whose error it is a share of")
      }
      guard (frames ?? 1) >= 1 else { throw ValidationError("--frames: at least 1 is needed") }
    } else if isByHand {
      throw ValidationError(
        "--between-scenes, --within-scenes and --frames take the place of a RUN; leave one of them out")
    }
  }

  private var difference: WorseningRule.Tolerance? {
    get throws {
      guard let detect else { return nil }
      if detect.hasSuffix("%"), let share = WorseningRule.Tolerance(detect), share != .relative(0) {
        return share
      }
      let value = try length("detect", detect)
      guard value > 0 else { throw ValidationError("--detect: '\(detect)' is not above 0") }
      return .absolute(value)
    }
  }

  /// A number, or a length in metres or millimetres.
  private func length(_ option: String, _ text: String) throws -> Double {
    let (number, scale) =
      text.hasSuffix("mm")
      ? (text.dropLast(2), 0.001) : (text.hasSuffix("m") ? text.dropLast() : text[...], 1)
    guard let value = Double(number), value >= 0, value.isFinite else {
      throw ValidationError("--\(option): '\(text)' is not a size such as 0.002, 0.002m or 2mm")
    }
    return value * scale
  }

  package func run() throws {
    let plan = try plan
    if json { return try console.show(json: CanonicalJSON.text(plan)) }
    let words = SampleWords(plan, detected: detect)
    for sentence in words.sentences { try console.show("- " + sentence) }
    for table in words.tables { try console.show("\n" + table.plain) }
  }

  private var plan: SamplePlan {
    get throws {
      guard let folder else {
        let components = VarianceComponents(
          betweenScenes: try length("between-scenes", betweenScenes ?? ""),
          withinScenes: try length("within-scenes", withinScenes ?? ""), framesPerScene: frames ?? 1)
        let difference: Double? = if case .absolute(let value)? = try difference { value } else { nil }
        return SamplePlan(components, isEstimate: false, detecting: difference)
      }
      var job = SamplesJob(folder)
      (job.metric, job.method, job.reference) = (metric, method, against)
      job.difference = try difference
      return try job.run()
    }
  }
}
