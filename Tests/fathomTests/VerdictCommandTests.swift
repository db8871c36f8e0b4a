import DepthFusion
import DepthVerdicts
import Foundation
import FathomTestSupport
import Testing

@Suite("verdict.json")
struct VerdictCommandTests {
  @Test(
    "sentences, pictures and the stored verdict name one best fitted method, also where averaged LiDAR is best"
  )
  func oneAnswer() async throws {
    let folder = try TemporaryFolder()
    let (data, output) = (folder.path("few.h5"), folder.path("run"))
    #expect(
      await run("synthesize", data, "--preset", "few-pairs", "--scenes", "1", "--frames", "4", "--quiet")
        == nil)
    #expect(
      await run(
        "evaluate", data, "--output", output, "--methods", "smoothed,ols,residual,auto", "--no-diagnosis",
        "--quiet")
        == nil)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: output + "/verdict.json"))
    let ranking = try JSONDecoder().decode(RunVerdict.self, from: bytes).ranking
    let best = try #require(ranking.bestFitted)
    #expect(best != "smoothed" && ranking[best]?.role.isFitted == true)
    let report = try String(contentsOfFile: output + "/report.md", encoding: .utf8)
    #expect(report.contains("frames of `\(best)`, the best "))
    #expect(report.contains("**\(try #require(ranking.best))**"))
  }
}
