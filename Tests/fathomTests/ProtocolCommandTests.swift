import ArgumentParser
import DepthCore
import DepthDataset
import DepthEvaluation
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("fathom evaluate: protocols and stored predictions")
struct ProtocolCommandTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path("run/" + name), encoding: .utf8)
  }

  private func evaluate(_ data: String, _ options: String...) async -> Failure? {
    await run(
      [
        "evaluate", data, "--frames", "0:1", "--output", folder.path("run"), "--overwrite", "--no-objects",
        "--quiet",
      ] + options)
  }

  @Test("a protocol is on every table, and an oracle says so first")
  func preset() async throws {
    #expect(await evaluate(sample, "--protocol", "marigold", "--methods", "ols", "--max-truth", "4") == nil)
    let report = try text("report.md")
    #expect(report.contains("**Oracle protocol (marigold, changed)"))
    #expect(report.contains("truth 0.001 < g < 4.0 m") && report.contains("g = α·d + β"))
    #expect(try text("run.json").contains("\"protocolStatement\" : \"marigold, changed: "))
    // The limits of predictions are the protocol's range, and follow it.
    #expect(report.contains("predictions clipped to 0.001–4.0 m"))
  }

  @Test("--align changes the protocol, is an oracle, and is said in its words")
  func alignment() async throws {
    #expect(await evaluate(sample, "--align", "median", "--align-over", "scene", "--methods", "ols") == nil)
    let report = try text("report.md")
    #expect(report.contains("**Oracle protocol (fathom, changed)"))
    #expect(report.contains("g = α·d with the ratio of medians, one fit for all frames of a scene"))
    #expect(try text("run.json").contains("\"alignment\" : \"median,scene\""))
    // With a LiDAR rows keep its lines, and none is as good as an oracle's word.
    let rows = try text("frames.csv").split(separator: "\n")
    #expect(rows.contains { $0.contains(",lidar-bilinear,,ok,,,,,,,,,") })
    let failure = try #require(await evaluate(sample, "--align", "shift"))
    #expect(failure.code.rawValue == 64 && failure.message.contains("depth:scale-shift"))
  }

  @Test("a data set that a protocol is not defined on is refused, and nothing is written")
  func refused() async throws {
    let failure = try #require(await evaluate(sample, "--protocol", "nyu-eigen"))
    #expect(failure.code.rawValue == 65 && failure.message.contains("640×480"))
    #expect(folder.names.isEmpty)
  }

  @Test("--protocol-diff writes the steps and says what makes the difference")
  func differences() async throws {
    #expect(await evaluate(sample, "--protocol-diff", "--methods", "lidar-bilinear") == nil)
    let table = try text("protocols.csv")
    for preset in EvaluationProtocol.presets where ![.nyuEigen, .marigoldNYU, .iBims].contains(preset) {
      #expect(table.contains("\n\(preset.name),0,"))
    }
    let report = try text("report.md")
    #expect(report.contains("`nyu-eigen` is skipped: "))
    #expect(report.contains("`lidar-bilinear`: AbsRel") && report.contains("the largest part is resampling"))
    // The main tables stay those of the run's own protocol.
    #expect(report.contains("Protocol fathom: "))
  }

  @Test("stored predictions are scored beside the methods")
  func stored() async throws {
    let path = folder.path("stored.h5")
    try sampleCopy(to: path) { header in
      header.predictions = [
        StoredPrediction(
          name: "net", kind: .metric, size: header.truthSize ?? RasterSize(width: 1, height: 1))
      ]
    } frame: { frame in
      guard let truth = frame.truth else { return }
      frame.predictions = [(StoredPrediction(name: "net", kind: .metric, size: truth.size), truth)]
    }
    #expect(await evaluate(path) == nil)
    let rows = try text("summary.csv").split(separator: "\n").filter { $0.hasPrefix("stored:net,") }
    #expect(rows.contains { $0.hasPrefix("stored:net,mean,,,coverage,all,1.0,") })
    #expect(try text("report.md").contains("predictions/net/depth of the data"))
    let failure = try #require(await evaluate(path, "--methods", "stored:other"))
    #expect(failure.code.rawValue == 64 && failure.message.contains("there are net"))
  }

  @Test(
    "wrong values are wrong usage",
    arguments: [
      ["--protocol", "kitti"], ["--max-truth", "0.05"], ["--min-truth=-1"], ["--aggregation", "frames"],
      ["--align", "scale"], ["--align-over", "video"],
    ])
  func usage(_ options: [String]) async throws {
    let failure = try #require(
      await run(["evaluate", sample, "--output", folder.path("run"), "--quiet"] + options))
    #expect(failure.code.rawValue == 64 && !failure.message.contains("\n"))
  }
}
