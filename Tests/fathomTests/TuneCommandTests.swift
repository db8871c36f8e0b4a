import FathomStorage
import FathomRuns
import ArgumentParser
import DepthCore
import DepthDataset
import DepthFusion
import DepthTuning
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom tune")
struct TuneCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private let quick = ["--min-confidence", "1,2", "--max-depth", "3,4", "--quiet"]

  private func tune(_ arguments: String...) async -> Failure? { await run(["tune"] + arguments + quick) }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private func file(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path(name)))
    return folder.path(name)
  }

  @Test("writes its folder; what it recommends is a configuration of evaluate")
  func outputFolder() async throws {
    let output = folder.path("tuned")
    #expect(await tune(sample, "--output", output) == nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: output).sorted()
    #expect(
      names == [
        "figures", "folds.csv", "losses.csv", "report.html", "report.json", "report.md", "scenes.csv",
        "search.json", "tables.json", "timing.csv", "tune.csv", "tune.json", "tuned.yaml", "verdict.json",
        "verdicts.csv",
      ])
    let table = try text(output + "/tune.csv").split(separator: "\n")
    #expect(table.count == 5)
    #expect(table[0].hasPrefix("configuration,min_confidence,max_depth,changes,roles,"))
    #expect(table[1].hasPrefix("0,2,4,0,reference recommended"))
    let report = try text(output + "/report.md")
    let verdict = try CanonicalJSON.value(SearchVerdict.self, from: try text(output + "/verdict.json"))
    #expect(verdict.recommended == 0 && verdict.recommendation.reason != .gains)
    #expect(verdict.recommendation.axes.contains("max-depth"))
    #expect(verdict.configurations == 4 && verdict.questions.allSatisfy { $0.reason != .gains })
    #expect(report.contains("](figures/sensitivity-max-depth.svg)"))
    let evaluated = await run(
      "evaluate", sample, "--config", output + "/tuned.yaml", "--no-objects", "--output", folder.path("run"),
      "--quiet")
    #expect(evaluated == nil)
    #expect(!FileManager.default.fileExists(atPath: output + ".partial"))
  }

  @Test("same bytes for any number of jobs, but for timing.csv")
  func deterministic() async throws {
    let (a, b) = (folder.path("a"), folder.path("b"))
    #expect(await tune(sample, "--methods", "ols,ransac", "--output", a, "--jobs", "1") == nil)
    #expect(await tune(sample, "--methods", "ols,ransac", "--output", b, "--jobs", "3") == nil)
    let names = try FileManager.default.subpathsOfDirectory(atPath: a).filter { $0.contains(".") }
    #expect(names.count > 12)
    for name in names where name != "timing.csv" {
      let (left, right) = (
        FileManager.default.contents(atPath: a + "/" + name),
        FileManager.default.contents(atPath: b + "/" + name)
      )
      #expect(left == right, "\(name)")
    }
  }

  @Test("an interrupted search goes on, to the same bytes")
  func resume() async throws {
    let (whole, broken) = (folder.path("whole"), folder.path("broken"))
    #expect(await tune(sample, "--output", whole) == nil)
    // The first scene is finished when the process ends.
    let settings = try TuneSettings(
      try TuneFlags.parse(Array(quick.dropLast())), grid: nil, config: nil, seed: nil, protocol: nil)
    var job = TuneJob(DataSelection([sample]), plan: settings.plan)
    job.jobs = 1
    let search = try job.open { _ in }
    try FileManager.default.createDirectory(atPath: broken + ".partial", withIntermediateDirectories: true)
    try Data("999999\n".utf8).write(to: URL(fileURLWithPath: broken + ".partial/.fathom-writer"))
    let work = try WorkFolder(in: broken + ".partial", kind: .tuning, task: try await search.fingerprint)
    // The first scene is kept, and then the light goes out.
    await #expect(throws: CancellationError.self) {
      _ = try await search.run(in: work) {
        throw CancellationError()
      } _: { _ in
      }
    }

    let refused = await tune(sample, "--output", broken)
    #expect(refused?.code == Failure.cannotCreate)
    #expect(refused?.message.contains("--resume") == true)
    let other = await tune(sample, "--output", broken, "--resume", "--min-pairs", "50")
    #expect(other?.code == Failure.cannotCreate)
    #expect(other?.message.contains("with other data or options") == true)
    #expect(await tune(sample, "--output", broken, "--resume") == nil)
    for name in ["tune.csv", "losses.csv", "report.html", "tuned.yaml", "tune.json"] {
      #expect(try text(whole + "/" + name) == text(broken + "/" + name), "\(name)")
    }
    // Finished: nothing more is done.
    #expect(await tune(sample, "--output", broken, "--resume") == nil)
  }

  @Test("one scene cannot choose and judge")
  func oneScene() async throws {
    let failure = await tune(sample, "--scenes", "*-01", "--output", folder.path("one"))
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("at least 2 scenes") == true)
    #expect(folder.names.isEmpty)
  }

  @Test("no truth, and truth without a relative map")
  func lacking() async throws {
    let path = folder.path("blind.h5")
    try sampleCopy(to: path) {
      $0.truthSize = nil
    } frame: {
      $0.truth = nil
    }
    let failure = await tune(path, "--output", folder.path("blind"))
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("lack truth") == true)
    #expect(folder.names == ["blind.h5"])
  }

  @Test("without a confidence map every return counts as confident")
  func withoutConfidence() async throws {
    let path = folder.path("plain.h5")
    try sampleCopy(to: path) {
      $0.hasConfidence = false
    } frame: {
      $0.confidence = nil
    }
    #expect(await tune(path, "--output", folder.path("plain")) == nil)
    let rows = try text(folder.path("plain/losses.csv")).split(separator: "\n").dropFirst()
    // min-confidence 1 and 2 are the same: two losses for four configurations, in each scene.
    let scenes = Set(rows.map { $0.split(separator: ",")[1] })
    #expect(Set(rows.map { $0.drop { $0 != "," } }).count == 2 * scenes.count)
  }

  @Test(
    "a grid file that cannot be searched",
    arguments: [
      ("max-deph: [3, 4]", "max-depth"), ("max-depth: []", "has no value"),
      ("max-depth: [3, far]", "'far' is not a value"),
      ("min-depth: [9]\nmax-depth: [0.05]", "no combination"), ("methods: auto", "'auto' is not a value"),
      ("objective: nonsense", "'nonsense' is none"), ("- 3", "not a list of 'name: value'"),
      ("max-depth: {a: 3}", "neither a value nor a list"), ("folds: 1", "at least 2"),
    ])
  func badGrid(_ yaml: String, _ words: String) async throws {
    let grid = try file("grid.yaml", yaml + "\n")
    let failure = await run("tune", sample, "--grid", grid, "--output", folder.path("out"), "--quiet")
    #expect(failure?.code == Failure.badData, "\(failure?.message ?? "")")
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(failure?.message.contains("grid.yaml") == true)
    #expect(!folder.exists("out") && !folder.exists("out.partial"))
  }

  @Test("what is fixed cannot be varied")
  func contradiction() async throws {
    let config = try file("fixed.yaml", "max-depth: 5\n")
    let failure = await tune(sample, "--config", config, "--output", folder.path("out"))
    #expect(failure?.code == Failure.badData)
    #expect(failure?.message.contains("'max-depth' is fixed here and varied") == true)
    let smoothed = try file("smoothed.yaml", "lidar: smoothed\n")
    #expect(await tune(sample, "--config", smoothed, "--output", folder.path("out"))?.code == Failure.badData)
    let handed = try file("clamp.yaml", "clamp-max: 6\n")
    #expect(await tune(sample, "--config", handed, "--output", folder.path("kept")) == nil)
    #expect(try text(folder.path("kept/tuned.yaml")).contains("clamp-max: 6"))
  }

  @Test("every recommended value reaches the file, the command line's seed included")
  func tunedFile() async throws {
    let config = try file("seeded.yaml", "seed: 4\nclamp-max: 20\n")
    let settings = try TuneSettings(
      try TuneFlags.parse(["--methods", "wls,ransac", "--weights", "none,own", "--inlier-threshold", "0.05m"]
      ),
      grid: nil, config: config, seed: 9, protocol: nil)
    let grid = settings.plan.grid
    for index in grid.configurations.indices {
      let text = try TunedFile.text(
        settings.plan, recommended: index, fixed: settings.fixed, headline: "**x**")
      let path = try file("tuned-\(index).yaml", text)
      let read = EvaluationSettings([
        try ConfigurationFile(path).options(EvaluationFlags.self, of: "fathom evaluate")
      ])
      #expect(read.options == grid.configurations[index].options, "\(text)")
      #expect(read.methods == grid.configurations[index].method.description)
      #expect(read.seed == 9 && read.options.clampMax == 20)
    }
  }

  @Test("objectives: worst scene, coverage floor, boxes")
  func objectives() async throws {
    for (index, options) in [
      ["--objective", "rmse_m", "--worst-scene"], ["--objective", "delta_1", "--coverage-floor", "0.9"],
      ["--objective", "placement_m", "--max-depth", "4"],
    ].enumerated() {
      let output = folder.path("objective-\(index)")
      #expect(
        await run(["tune", sample, "--min-confidence", "1,2", "--quiet", "--output", output] + options) == nil
      )
      let losses = try text(output + "/losses.csv").split(separator: "\n").dropFirst()
      #expect(losses.allSatisfy { !$0.contains(",,") })
    }
    let boxes = try text(folder.path("objective-2/tune.csv"))
    #expect(boxes.contains("placement_m"))
    let none = await tune(sample, "--coverage-floor", "2", "--output", folder.path("none"))
    #expect(none?.code == Failure.usage)
  }

  @Test("a folder that exists is not replaced, unless told to")
  func existing() async throws {
    let output = folder.path("tuned")
    #expect(await tune(sample, "--output", output) == nil)
    #expect(await tune(sample, "--output", output)?.code == Failure.cannotCreate)
    #expect(await tune(sample, "--output", output, "--overwrite") == nil)
    #expect(await tune(sample, "--output", output, "--overwrite", "--resume")?.code == Failure.usage)
  }
}
