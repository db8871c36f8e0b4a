import DepthCore
import DepthEvaluation
import DepthFusion
import DepthObjects
import FathomPlainText
import FathomRuns
import ArgumentParser
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomRunCommands
@testable import fathom

@Suite("Options that are given twice, or that begin with a hyphen")
struct OptionWordsTests {
  /// Commands and the arguments that they cannot do without.
  static let commands: [(type: any ParsableCommand.Type, words: [String])] = Fathom.configuration.subcommands
    .map { ($0, [$0._commandName]) }

  @Test("every option of every command collects what it is given, or refuses a second value by name")
  func everyOption() {
    for command in Self.commands {
      let options = DeclaredOption.all(of: command.type)
      #expect(options.count > 2, "\(command.words)")
      for option in options {
        guard let type = option.value else { continue }
        let value = Self.samples.first { sample in
          (type as? any ExpressibleByArgument.Type).map { objection(to: sample, as: $0) == nil } ?? true
        }
        guard let value else {
          Issue.record("no value for \(option.name) of \(command.words)")
          continue
        }
        let words = [option.name, value, option.name + "=" + value]
        do throws(OptionProblem) {
          let taken = try OptionWords(words, of: options).words
          #expect(option.collects && taken.count == 2, "\(option.name) of \(command.words)")
        } catch {
          #expect(
            !option.collects && error.onCommandLine.hasPrefix("\(option.name): it is given twice"),
            "\(option.name) of \(command.words): \(error.onCommandLine)")
        }
      }
    }
  }

  private static let samples = [
    "3", "mm", "4G", "0:2", "0,0.05,1", "0.1,4", "0.87,0.10,0.03", "2.5mad", "808080", "fathom", "scene",
    "centres",
    "none",
    "constant", "raw", "stored", "decoded", "app", "confident", "top-left", "png", "html", "demo", "lidar",
    "0.5:5",
    "whole-pixels", "clockwise", "metric", "net=maps", "drop", "centre", "detect=45ms",
    "stray", "1/2", "tsv", "json", "planar", "net=3", "stretch", "0.002m", "1.000m,2.000m", "wall", "0.5%",
    "perpendicular", "npy", "tune", "charuco:11x8,square=0.022m,marker=0.017m,dictionary=6x6",
  ]

  @Test("the parser declares no option that is not found, and the other way round")
  func complete() throws {
    let names = DeclaredOption.all(of: Evaluate.self).map(\.name)
    for name in [
      "--seed", "--scenes", "--min-depth", "--plane-tilt", "--no-figures", "--quiet", "--protocol",
    ] {
      #expect(names.contains(name.replacing("--no-", with: "--")), "\(name)")
    }
    let help = Evaluate.helpMessage(includeHidden: true)
    for name in names {
      #expect(help.contains(name) || help.contains("--no-" + name.dropFirst(2)), "\(name)")
    }
  }

  @Test("the help of evaluate is short, and says where the rest is")
  func shortHelp() {
    let help = Evaluate.helpMessage(columns: 80)
    #expect(help.split(separator: "\n", omittingEmptySubsequences: false).count <= 135)
    #expect(help.contains("--help-all") && help.contains("--methods") && !help.contains("--plane-tilt"))
  }

  @Test(
    "what is wrong with a value is said, not that it is missing",
    arguments: [
      (["--seed", "-1"], "--seed: '-1' is not a whole number of at least 0"),
      (["--seed=-1"], "--seed: '-1' is not a whole number of at least 0"),
      (["--box-points", "-1"], "--box-points: -1 is out of range; write a whole number of at least 3"),
      (["--max-truth", "-inf"], "--max-truth: -inf is out of range; write a number above 0 m"),
      (["--max-depth", "5cm"], "--max-depth: '5cm' is not a number; write it without a unit"),
      (["--frames", "0-1"], "--frames: '0-1' is not A:B for frames A to B-1"),
      (["--frames", "-1:2"], "--frames: '-1:2' is not A:B"),
      (["--seed"], "--seed: a value is missing; it needs a whole number"),
      (["--seed", "--quiet"], "--seed: a value is missing"),
      (["--seed", "1", "--seed", "2"], "--seed: it is given twice, as '1' and as '2'; give it once"),
      (["--seed", "1", "--seed=1"], "--seed: it is given twice, '1' each time"),
      (["--protocol", "fathm"], "--protocol: 'fathm' is unknown; did you mean 'fathom'?"),
      (["--methods", "hubber"], "no method is called 'hubber'; did you mean 'huber'?"),
      (["--methods", "OLS"], "no method is called 'OLS'; did you mean 'ols'?"),
      (["--box-methods", "autoo"], "did you mean 'auto'?"),
    ])
  func messages(_ words: [String], _ message: String) async throws {
    let failure = await run(["evaluate", sample, "--output", "/nonexistent/run", "--no-figures"] + words)
    #expect(failure?.code == Failure.usage, "\(failure?.message ?? "it ran")")
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "it ran")")
    #expect(failure?.message.hasSuffix("see 'fathom evaluate --help'") == true)
    #expect(failure?.message.contains("SUBCOMMAND") == false)
  }

  @Test("an unknown command is answered with the nearest one")
  func commands() async {
    let near = await run("evalute", "data.h5")
    #expect(near?.message == "there is no command 'evalute'; did you mean 'evaluate'? see 'fathom --help'")
    let far = await run("xyzzy")
    #expect(far?.message.contains("there are evaluate, merge, plan") == true)
    #expect(near?.code == Failure.usage && far?.code == Failure.usage)
  }

  @Test("keys of a configuration file are explained like options, lists in it keep working")
  func configuration() throws {
    let folder = try TemporaryFolder()
    func settings(_ yaml: String) throws -> EvaluationSettings {
      let path = folder.path("config.yaml")
      try Data(yaml.utf8).write(to: URL(fileURLWithPath: path))
      let options = try ConfigurationFile(path).options(EvaluationFlags.self, of: "fathom evaluate")
      return EvaluationSettings([options])
    }
    let read = try settings(
      "methods: [ols, huber]\nseed: 7\nbox-methods: [auto, pca-xz, auto]\nobject-range: [0.1, 4]\n")
    #expect(read.methods == "ols,huber" && read.seed == 7)
    #expect(read.objects.boxMethods == ["auto", "pca-xz"] && read.objects.points.depthRange == 0.1...4)
    let worded = try settings("object-flips: conventions\nmax-truth: inf\nconfidence-weights: [0, 0.1, 1]\n")
    #expect(worded.objects == ObjectPlan() && worded.rules.maxDepth == nil)
    #expect(worded.options.confidenceWeights == [0, 0.1, 1] && worded.namesConfidenceWeights)
    for (yaml, isOn) in [("objects: false", false), ("no-objects: true", false), ("no-objects: false", true)]
    {
      #expect(try settings(yaml).looksAtObjects == isOn, "\(yaml)")
    }
    for (yaml, message) in [
      ("seed: -1", "seed: '-1' is not a whole number of at least 0"),
      (
        "max-depth: 5cm",
        "max-depth: '5cm' is not a number; write it without a unit; lengths are in metres: 0.05"
      ),
      ("objects: perhaps", "The option 'objects' does not take any value, but 'perhaps' was specified"),
      ("min-confidance: 1", "there is no key 'min-confidance' (did you mean 'min-confidence'?)"),
      ("colours-of-boxes: 1", "there is no key 'colours-of-boxes'"),
      ("colours-of-boxes: 1\nseed: x", "seed: 'x' is not a whole number of at least 0"),
      ("confidence-weights: [0, 1]", "confidence-weights: '0,1' is not \(WeightTable.grammar)"),
    ] {
      #expect { _ = try settings(yaml) } throws: { ($0 as? FathomError)?.reason == message }
    }
  }

  @Test("a flag overrides the file, and what only both together break is the file's fault")
  func precedence() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("config.yaml")
    try Data("max-depth: 3\nmin-pairs: 30\n".utf8).write(to: URL(fileURLWithPath: path))
    let merged = try PlannedEvaluation(EvaluationFlags.parse(["--max-depth=5"]), config: path)
    #expect(merged.plan.options.maxDepth == 5 && merged.plan.options.minPairs == 30)
    #expect {
      _ = try PlannedEvaluation(EvaluationFlags.parse(["--min-depth=3.5"]), config: path)
    } throws: { ($0 as? FathomError)?.reason == "max-depth: 3 is not above min-depth 3.5" }
    #expect {
      _ = try PlannedEvaluation(EvaluationFlags.parse(["--min-depth=20"]), config: path)
    } throws: { ($0 as? OptionProblem)?.option == "max-depth" }
    let weights = folder.path("weights.yaml")
    try Data("weights: calibration\n".utf8).write(to: URL(fileURLWithPath: weights))
    let fault = #expect(throws: FathomError.self) {
      try PlannedEvaluation(EvaluationFlags.parse([]), config: weights)
    }
    #expect(fault?.reason == "weights: calibration needs calibration FILE.yaml")
  }

  @Test("lists are the same in one word or in several")
  func lists() throws {
    func settings(_ words: String...) throws -> EvaluationSettings {
      EvaluationSettings([GivenOptions(try EvaluationFlags.parse(words))])
    }
    let (one, many) = (
      try settings("--methods=ols,huber", "--box-methods=auto,pca-xz", "--object-depths=lidar,truth"),
      try settings(
        "--methods=ols", "--methods=huber", "--box-methods=auto", "--box-methods=pca-xz,auto",
        "--object-depths=lidar", "--object-depths=truth")
    )
    #expect(one.methods == many.methods && one.methods == "ols,huber")
    #expect(one.objects == many.objects)
    let tuned = try TuneFlags.parse(["--min-depth=0.1", "--min-depth=0.3,0.5"])
    #expect(GivenOptions(tuned).axes == ["min-depth": ["0.1", "0.3", "0.5"]])
  }
}

@Suite("--scenes")
struct SceneChoiceTests {
  static let names = ["room-01", "room-02", "hall", "a,b", "[x]", "b"]

  static let choices: [([String], Set<String>)] = [
    ([], Set(names)), (["room-01", "room-02"], ["room-01", "room-02"]),
    (["room-01,room-02"], ["room-01", "room-02"]), (["room-*, hall"], ["room-01", "room-02", "hall"]),
    (["a,b"], ["a,b"]), (["a?b"], ["a,b"]), (["[x]"], ["[x]"]), (["b,hall"], ["b", "hall"]),
    (["*"], Set(names)),
  ]

  @Test(
    "names and patterns, with commas or one by one; a name with a comma or a bracket is taken whole",
    arguments: choices)
  func chosen(_ words: [String], _ expected: Set<String>) throws {
    #expect(try SceneChoice(words).chosen(among: Self.names) == expected)
  }

  @Test(
    "a word that no scene matches is refused, also beside one that a scene does",
    arguments: [["room-03"], ["room-01,room-33"], ["room-01", "nothing"], ["room-01,"]])
  func unknown(_ words: [String]) {
    #expect {
      _ = try SceneChoice(words).chosen(among: Self.names)
    } throws: { Failure($0)?.message.contains("--scenes: no scene matches '") == true }
  }

  @Test("every scene that was asked for is in a run")
  func run() async throws {
    let folder = try TemporaryFolder()
    for (index, words) in [["--scenes", "room-01", "--scenes", "room-02"], ["--scenes", "room-01,room-02"]]
      .enumerated()
    {
      let output = folder.path("\(index)")
      let failure = await fathomTests.run(
        [
          "evaluate", sample, "--output", output, "--methods", "ols", "--no-figures", "--no-gallery",
          "--quiet",
        ]
          + words)
      #expect(failure == nil, "\(failure?.message ?? "")")
      let text = try String(contentsOfFile: output + "/run.json", encoding: .utf8)
      #expect(text.contains("\"room-01\"") && text.contains("\"room-02\""))
      #expect(text.contains("\"scenePattern\" : \"room-01,room-02\""))
    }
  }
}
