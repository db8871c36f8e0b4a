import DepthEvaluation
import FathomRunFolders
import DepthFusion
import DepthReport
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite(
  "Names and values of hostile files",
  .enabled(if: PackageFiles.realData != nil, Comment(rawValue: PackageFiles.noRealData)))
struct HostileNamesTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func evaluate(_ name: String) async -> Failure? {
    await run(
      "evaluate", PackageFiles.realDataPath("hostile/" + name), "--output", folder.path("run"), "--methods",
      "ols",
      "--no-figures", "--no-gallery", "--no-diagnosis", "--quiet")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path("run/" + name), encoding: .utf8)
  }

  @Test("a scene called like a formula is text to a spreadsheet, and itself to every reader of ours")
  func formula() async throws {
    let failure = await evaluate("scene_cmd.h5")
    #expect(failure == nil, "\(failure?.message ?? "")")
    for name in ["frames.csv", "scenes.csv"] {
      let rows = try text(name).split(separator: "\n").dropFirst()
      #expect(!rows.isEmpty && rows.allSatisfy { $0.hasPrefix("'=cmd(),") }, "\(name)")
    }
    let stored = try StoredRun(readingFrom: folder.path("run"))
    #expect(Set(stored.frames.records.map(\.scene)) == ["=cmd()"])
    #expect(try text("run.json").contains("\"=cmd()\""))
  }

  @Test("a frame whose relative error is the same everywhere has an AUSE of 0, and the run is whole")
  func constant() async throws {
    let failure = await evaluate("constant-relative-error.h5")
    #expect(failure == nil, "\(failure?.message ?? "")")
    let records = try StoredRun(readingFrom: folder.path("run")).frames.records
    #expect(records.contains { $0.value(.ause) == 0 })
    #expect(records.allSatisfy { ($0.value(.ause) ?? 0) >= 0 && $0.fusion.status != .impossible })
  }
}
