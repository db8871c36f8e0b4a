import ArgumentParser
import DepthReport
import Foundation
import FathomTestSupport
import Testing
import Yams

@testable import FathomCommandLine
@testable import fathom

@Suite("fathom compare")
struct CompareCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The committed run of six scenes.
  private let demo = PackageFiles.root.appendingPathComponent("Reports/kept/demo").path

  private func compare(_ arguments: String...) async -> Failure? {
    await run(["compare"] + arguments + ["--quiet"])
  }

  private func evaluated(_ name: String, _ options: String...) async -> String {
    let path = folder.path(name)
    #expect(
      await run(
        ["evaluate", sample, "--methods", "ols,ransac", "--no-objects", "--output", path, "--quiet"] + options
      )
        == nil)
    return path
  }

  /// A copy of the demo with a column of a method changed; rows with a quoted reason stay as they are.
  private func demo(_ name: String, _ method: String, _ column: String, _ change: (Double) -> Double) throws
    -> String
  {
    let path = folder.path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try UnrecordedManifest.copy(from: demo, to: path)
    let text = try String(contentsOfFile: demo + "/frames.csv", encoding: .utf8)
    var lines = text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    let (index, place) = (
      try #require(lines[0].firstIndex(of: column)), try #require(lines[0].firstIndex(of: "method"))
    )
    for row in lines.indices.dropFirst()
    where lines[row].count == lines[0].count && lines[row][place] == method {
      if let value = Double(lines[row][index]) { lines[row][index] = "\(change(value))" }
    }
    let changed = lines.map { $0.joined(separator: ",") }.joined(separator: "\n") + "\n"
    try Data(changed.utf8).write(to: URL(fileURLWithPath: path + "/frames.csv"))
    return path
  }

  @Test("writes its folder, the same bytes each time")
  func outputFolder() async throws {
    let (a, b) = (await evaluated("a"), await evaluated("b", "--max-depth", "2"))
    let (first, second) = (folder.path("first"), folder.path("second"))
    #expect(await compare(a, b, "--output", first) == nil)
    #expect(await compare(a, b, "--output", second) == nil)
    let names = try FileManager.default.subpathsOfDirectory(atPath: first).sorted()
    #expect(
      names == [
        "compare.json", "differences.csv", "figures", "figures/difference-mae-m-measured.csv",
        "figures/difference-mae-m-measured.narrow.svg", "figures/difference-mae-m-measured.svg",
        "figures/scenes.csv", "figures/scenes.narrow.svg", "figures/scenes.svg", "options.csv",
        "report.html", "report.json", "report.md", "scenes.csv", "tables.json", "verdict.json",
      ])
    for name in names where name.contains(".") {
      let files = (
        FileManager.default.contents(atPath: first + "/" + name),
        FileManager.default.contents(atPath: second + "/" + name)
      )
      #expect(files.0 == files.1 && files.0 != nil, "\(name)")
    }
    let options = try String(contentsOfFile: first + "/options.csv", encoding: .utf8)
    #expect(options == "run,option,reference_value,value\nb,options.maxDepth,4,2\n")
    // Exists; replaced only when told to, and only if it is a comparison.
    #expect(await compare(a, b, "--output", first)?.code == Failure.cannotCreate)
    #expect(await compare(a, b, "--output", first, "--overwrite", "--no-figures") == nil)
    #expect(await compare(a, b, "--output", a, "--overwrite")?.code == Failure.cannotCreate)
  }

  @Test(
    "a run of any protocol is read back",
    arguments: ["marigold", "moge-disparity", "kitti-eigen", "arkitscenes"])
  func protocols(_ name: String) async throws {
    let output = folder.path(name)
    let evaluated = await run(
      "evaluate", sample, "--protocol", name, "--methods", "lidar-bilinear,ols", "--frames", "0:1",
      "--no-objects",
      "--no-figures", "--no-gallery", "--no-diagnosis", "--output", output, "--quiet")
    #expect(evaluated == nil)
    #expect(await run("compare", output, output, "--quiet") == nil)
  }

  @Test("the gate: 0 for the same, 1 for worse, tolerance and better pass")
  func gate() async throws {
    let worse = try demo("worse", "residual", "mae_m_measured") { $0 * 1.05 + 0.001 }
    #expect(await compare(demo, demo, "--fail-if-worse", "mae_m_measured", "--fail-if-unknown") == nil)
    let failure = await compare(demo, worse, "--fail-if-worse", "mae_m_measured")
    #expect(failure?.code == .failure)
    let message = failure?.message ?? ""
    #expect(
      message.wholeMatch(
        of: /mae_m_measured: worse: residual by 1\.9\d? (mm )?.*\[.*\] mm.*/.dotMatchesNewlines()) != nil,
      "\(message)")
    #expect(await compare(demo, worse, "--fail-if-worse", "mae_m_measured:0.003") == nil)
    #expect(await compare(demo, worse, "--fail-if-worse", "mae_m_measured:3mm") == nil)
    let limits = folder.path("limits.yaml")
    try "mae_m_measured: 1mm\n".write(toFile: limits, atomically: true, encoding: .utf8)
    #expect(await compare(demo, worse, "--limits", limits)?.code == .failure)
    #expect(await compare(demo, demo, "--limits", limits) == nil)
    try "mae_m_measured: 3 apples\n".write(toFile: limits, atomically: true, encoding: .utf8)
    #expect(await compare(demo, demo, "--limits", limits)?.message.contains("is not a tolerance") == true)
    try "# none\n".write(toFile: limits, atomically: true, encoding: .utf8)
    #expect(await compare(demo, demo, "--limits", limits)?.message.contains("'mae_m_measured: 1%'") == true)
    #expect(await compare(demo, worse, "--fail-if-worse", "mae_m_measured:15%") == nil)
    #expect(
      await compare(demo, worse, "--fail-if-worse", "rmse_m", "--fail-if-worse", "frames_solved") == nil)
    #expect(await compare(worse, demo, "--fail-if-worse", "mae_m_measured") == nil)
    #expect(await compare(demo, worse, "--fail-if-worse", "mae_m_measured", "--methods", "auto") == nil)
    // Oracles and the raw LiDAR are judged where they are named.
    let oracle = try demo("oracle", "oracle@disparity", "mae_m_measured") { $0 * 2 }
    #expect(await compare(demo, oracle, "--fail-if-worse", "mae_m_measured") == nil)
    #expect(
      await compare(demo, oracle, "--fail-if-worse", "mae_m_measured", "--methods", "oracle")?.code
        == .failure)
    // One method against another.
    #expect(
      await compare(demo, demo, "--fail-if-worse", "mae_m_measured", "--methods", "auto=ols@disparity")?.code
        == .failure)
  }

  @Test("two scenes cannot tell: passes, unless that is not enough")
  func unknown() async throws {
    let (a, b) = (await evaluated("a"), await evaluated("b", "--max-depth", "1.5"))
    #expect(await compare(a, b, "--fail-if-worse", "mae_m_measured") == nil)
    let failure = await compare(a, b, "--fail-if-worse", "mae_m_measured", "--fail-if-unknown")
    #expect(failure?.code == .failure && failure?.message.contains("2 scenes, at least 5 are needed") == true)
  }

  @Test("other data and other protocols are refused unless told to")
  func refusals() async throws {
    let (a, b) = (await evaluated("a"), await evaluated("b", "--max-truth", "5"))
    let refused = await compare(a, b)
    #expect(
      refused?.code == Failure.badData && refused?.message.contains("protocol.maxDepth 10 and 5") == true)
    let output = folder.path("out")
    #expect(await compare(a, b, "--allow-different-protocol", "--output", output, "--no-figures") == nil)
    let page = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
    #expect(page.contains("**Compared although b was scored by another protocol than a"))

    let other = folder.path("other.h5")
    try sampleCopy(to: other)
    let c = folder.path("c")
    #expect(
      await run("evaluate", other, "--methods", "ols,ransac", "--no-objects", "--output", c, "--quiet") == nil
    )
    let data = await compare(a, c)
    #expect(data?.code == Failure.badData && data?.message.contains("--allow-different-data") == true)
    #expect(await compare(a, c, "--allow-different-data") == nil)
    // A part of the same data is the same data.
    let part = await evaluated("part", "--frames", "0:1")
    #expect(await compare(a, part) == nil)
  }

  @Test("missing runs are 66, other folders 65, wrong words 64")
  func faults() async throws {
    #expect(await compare(demo, folder.path("none"))?.code == Failure.noInput)
    #expect(await compare(demo, folder.url.path)?.code == Failure.badData)
    #expect(await compare(demo)?.code == Failure.usage)
    #expect(await compare(demo, demo, "--metric", "mae")?.code == Failure.usage)
    #expect(await compare(demo, demo, "--fail-if-worse", "mae_m:-1")?.code == Failure.usage)
    #expect(await compare(demo, demo, "--fail-if-worse", "bias_m")?.code == Failure.usage)
    #expect(await compare(demo, demo, "--fail-if-unknown")?.code == Failure.usage)
    let method = await compare(demo, demo, "--methods", "nothing")
    #expect(
      method?.code == Failure.usage && method?.message.contains("has no method 'nothing'; it has") == true)
    #expect(folder.names.isEmpty)
  }

  @Test("the example workflow is YAML, and its commands are commands")
  func workflow() async throws {
    let path = PackageFiles.root.appendingPathComponent("Reports/ci-example.yml").path
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let document = try #require(try Yams.load(yaml: text) as? [String: Any])
    let job = try #require((document["jobs"] as? [String: Any])?["accuracy"] as? [String: Any])
    let steps = try #require(job["steps"] as? [[String: Any]])
    let commands = steps.compactMap { $0["run"] as? String }.flatMap { $0.split(separator: "\n") }
      .filter { $0.hasPrefix("fathom ") }.map { $0.split(separator: " ").dropFirst().map(String.init) }
    #expect(commands.map(\.first) == ["synthesize", "evaluate", "compare"])
    for command in commands { #expect(throws: Never.self) { try Fathom.parseAsRoot(command) } }
    // The last one, on runs that are here.
    let places = [
      "Reports/baseline": demo, "Reports/candidate": demo, "Reports/comparison": folder.path("out"),
    ]
    let last = try #require(commands.last).map { places[$0] ?? $0 }
    #expect(await run(last + ["--quiet"]) == nil)
    #expect(folder.exists("out/report.html"))
  }
}
