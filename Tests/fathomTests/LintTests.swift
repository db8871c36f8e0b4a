import ArgumentParser
import Foundation
import FathomTestSupport
import Testing

@testable import FathomCommandLine
@testable import FathomRunCommands

@Suite("fathom evaluate --lint and --aggregation")
struct LintTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func exitCode(_ arguments: String...) async -> Int32 {
    do {
      let command = try Evaluate.parse(arguments)
      try await command.run()
      return 0
    } catch {
      return (Failure(error)?.code ?? Evaluate.exitCode(for: error)).rawValue
    }
  }

  private func file(_ text: String) throws -> String {
    let path = folder.path("table.csv")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("0 possible, 1 impossible, 65 no table of results, 66 missing, 64 with data")
  func exitCodes() async throws {
    #expect(await exitCode("--lint", try file("mae,rmse\n0.1,0.2\n"), "--quiet") == 0)
    #expect(await exitCode("--lint", try file("mae,rmse\n0.3,0.2\n"), "--quiet") == 1)
    #expect(await exitCode("--lint", try file("city,people\nUlm,126000\n"), "--quiet") == 65)
    #expect(await exitCode("--lint", try file("mae,rmse\n\"0.3,0.2\n"), "--quiet") == 65)
    #expect(await exitCode("--lint", folder.path("none.csv"), "--quiet") == 66)
    #expect(await exitCode("--lint", try file("mae\n1"), "data.h5", "--quiet") == 64)
    #expect(await exitCode("--quiet") == 64)
    #expect(await exitCode("data.h5", "--aggregation", "median") == 64)
  }

  @Test("a run's own files pass, pooled or not; pooling is said")
  func ownFiles() async throws {
    for mode in ["scene", "pooled"] {
      let output = folder.path(mode)
      #expect(
        await exitCode(sample, "--aggregation", mode, "--methods", "ols", "--output", output, "--quiet") == 0)
      for name in ["frames", "scenes", "summary", "ranges", "confidence"] {
        #expect(await exitCode("--lint", "\(output)/\(name).csv", "--quiet") == 0, "\(name).csv")
      }
      let manifest = try String(contentsOfFile: output + "/run.json", encoding: .utf8)
      #expect(manifest.contains("pooled over all pixels") == (mode == "pooled"))
    }
  }
}
