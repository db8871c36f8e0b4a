import ArgumentParser
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthObjects
import FathomPlainText
import Foundation
import Testing

@testable import FathomCommandLine
@testable import FathomRunCommands
@testable import fathom

@Suite("Options that are declared once")
struct DeclaredOptionTests {
  /// Every struct of options of `evaluate`.
  static let structs: [any DeclaredOptions.Type] = [
    EvaluationSettings.self, EvaluationProtocol.self, FusionOptions.self, TemporalOptions.self,
    LocalOptions.self, ObjectPlan.self, DecodingOptions.self, ObjectOptions.self, BoxOptions.self,
    PlaneOptions.self, EffectOptions.self,
  ]

  @Test("every flag is a rule, every rule is a flag, and no name is used twice")
  func names() {
    func names<Root: DeclaredOptions>(_: Root.Type) -> [String] { Root.rules.map { "--\($0.name)" } }
    let rules = Self.structs.flatMap { names($0) }
    #expect(rules.sorted() == DeclaredOption.all(of: EvaluationFlags.self).map(\.name).sorted())
    #expect(Set(rules).count == rules.count && rules.count > 75)
  }

  @Test("defaults and the ends of ranges pass, what lies beyond is refused by name")
  func ranges() {
    func check<Root: DeclaredOptions>(_: Root.Type) {
      for rule in Root.rules {
        #expect(rule.problem(Root()) == nil, "\(rule.name)")
        guard let bounds = rule.bounds else { continue }
        for (end, isIncluded, step) in [
          (bounds.lower, bounds.includesLower, -1.0), (bounds.upper, bounds.includesUpper, 1),
        ] {
          // No whole number is infinite.
          #expect(
            end.isInfinite || isAccepted(end, rule) == isIncluded, "\(rule.name) \(end)")
          #expect(isAccepted(end, rule) != !isIncluded, "\(rule.name) \(end)")
          #expect(end.isInfinite || isAccepted(end + step, rule) != true, "\(rule.name) beyond \(end)")
        }
        #expect(isAccepted(.nan, rule) != true, "\(rule.name)")
      }
    }
    for type in Self.structs { check(type) }
  }

  /// Whether a number is in range; nil where the option cannot hold it.
  private func isAccepted<Root: DeclaredOptions>(_ number: Double, _ rule: OptionRule<Root>) -> Bool? {
    var root = Root()
    let text = number.typed
    guard rule.read(text, &root) || rule.read("\(text),\(text)", &root) else { return nil }
    guard let problem = rule.problem(root) else { return true }
    #expect(problem.option == OptionName(rule.name))
    #expect(problem.description.contains("; write \(rule.expects)"))
    #expect(root.firstOutOfRange == problem)
    return false
  }

  @Test("help states every option with its default")
  func help() {
    let help = Self.singleSpaced(Evaluate.helpMessage(includeHidden: true))
    func check<Root: DeclaredOptions>(_: Root.Type) {
      for rule in Root.rules where rule.name != "objects" {
        #expect(rule.help.hasSuffix("(default: \(rule.standard)).") || rule.name == "calibration")
        // The parser lists protocols behind it.
        let listed = ": " + EvaluationProtocol.allValueStrings.joined(separator: ", ")
        let words = rule.help.replacing(listed, with: "")
        #expect(help.contains("--\(rule.name) <\(rule.name)> \(words)"), "\(rule.help)")
      }
    }
    for type in Self.structs { check(type) }
    for text in [
      "--objects/--no-objects Fit boxes to the detected objects, if there are any (default: --objects).",
      "--min-depth <min-depth> Depths to fit must be above this, metres (default: 0.1).",
      "raw or smoothed (default: raw).", "degrees (default: 15).", "(default: lidar,spec,auto,truth).",
    ] {
      #expect(help.contains(text), "\(text)")
    }
  }

  @Test("tune states what it varies by default, and what an axis takes")
  func tune() {
    let help = Self.singleSpaced(Tune.helpMessage())
    for text in [
      "a number from 0 to 1000000 m (default, where nothing is varied: 0.1,0.3,0.5,0.8).",
      "Weights: none, confidence, range or calibration, or own.",
    ] {
      #expect(help.contains(text), "\(text)")
    }
  }

  private static func singleSpaced(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test("every flag sets its option: it is parsed as what the rule takes")
  func types() throws {
    // Parsing is slow in a debug build: one command line holds them all.
    let options = DeclaredOption.all(of: EvaluationFlags.self)
    func words<Root: DeclaredOptions>(_: Root.Type) -> [String] {
      Root.rules.map { rule in
        guard rule.name != "objects" else { return "--no-objects" }
        let type = options.first { $0.name == "--\(rule.name)" }?.value as? any ExpressibleByArgument.Type
        let word = [rule.standard, "1", "none", "scene", "stored", "1,1,1", "0.002m"].first { word in
          var root = Root()
          return !word.isEmpty && rule.read(word, &root)
            && type.map { objection(to: word, as: $0) == nil } == true
        }
        return "--\(rule.name)=\(word ?? "")"
      }
    }
    let given = GivenOptions(try EvaluationFlags.parse(Self.structs.flatMap { words($0) }))
    func check<Root: DeclaredOptions>(_: Root.Type) {
      var root = Root()
      given.apply(to: &root)
      for rule in Root.rules { #expect(given.values[rule.name] != nil, "\(rule.name)") }
    }
    for type in Self.structs { check(type) }
  }

  @Test("what others call our options is understood")
  func synonyms() {
    for (word, option) in [("--gt", "--truth"), ("--out", "--output")] {
      let unknown = UnknownOption(in: ["scene.h5", word, "x"], of: Evaluate.self)
      #expect(unknown?.description == "there is no option '\(word)' here; did you mean '\(option)'?")
    }
  }

  @Test("every option that a library names is one of the command's")
  func named() throws {
    let known = Set(Fathom.configuration.subcommands.flatMap { UnknownOption.options(of: $0) })
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var named: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      named.formUnion(text.matches(of: #/\\\((?:option|flag): "([a-z0-9-]+)"/#).map { "--" + $0.1 })
    }
    #expect(named.subtracting(known).isEmpty && named.count > 40)
  }

  @Test(
    "two options that contradict each other are refused by the name of the second",
    arguments: [
      (["--min-depth=5"], "--max-depth: 4 is not above min-depth 5"),
      (["--clamp-min=200"], "--clamp-max: 100 is not above clamp-min 200"),
      (["--min-scale=2", "--max-scale=2"], "--max-scale: 2 is not above min-scale 2"),
      (
        ["--min-scale-ratio=2", "--max-scale-ratio=1"], "--max-scale-ratio: 1 is not above min-scale-ratio 2"
      ),
      (["--min-truth=20"], "--max-truth: 10 is not above min-truth 20; inf takes the limit away"),
      (["--weights=calibration"], "--weights: calibration needs --calibration FILE.yaml"),
    ])
  func contradictions(_ words: [String], _ message: String) throws {
    let settings = EvaluationSettings([GivenOptions(try EvaluationFlags.parse(words))])
    #expect { _ = try settings.selections() } throws: { Failure($0)?.message.contains(message) == true }
  }

  @Test("what is infinite where that means something passes")
  func infinite() throws {
    let settings = EvaluationSettings([
      GivenOptions(
        try EvaluationFlags.parse(["--max-truth=inf", "--smoothing-age=inf", "--local-max-depth=inf"]))
    ])
    _ = try settings.selections()
    #expect(settings.rules.maxDepth == nil && settings.options.temporal.maxAgeSeconds == .infinity)
  }
}
