import DepthVerdicts
import Foundation
import FathomRuns
import FathomStudies
import FathomStatistics
import FathomStorage
import FathomTestSupport
import Testing

@testable import FathomCommandLine

@Suite("samples")
struct SamplesCommandTests {
  @Test("A stored run is a pilot; its scenes and frames are those of frames.csv")
  func pilot() async throws {
    let folder = try TemporaryFolder()
    let output = folder.path("run")
    #expect(
      await run(
        "evaluate", sample, "--output", output, "--methods", "ols,auto", "--no-figures",
        "--no-gallery",
        "--no-objects", "--quiet") == nil)
    var job = SamplesJob(output)
    job.difference = .relative(0.05)
    let plan = try job.run()
    #expect(plan.method == "auto" || plan.method?.hasPrefix("ols") == true)
    #expect(plan.reference == "lidar-bilinear")
    #expect(plan.difference.map { $0 > 0 } == true && plan.byFrames.count == 4)
    #expect(plan.byFrames.last?.times == nil)
    #expect(plan.byScenes.contains { $0.scenes == plan.scenes })
    (job.method, job.difference) = ("auto", nil)
    let own = try job.run()
    #expect(own.reference == nil && own.difference == nil && own.scenesNeeded == nil)
    #expect(own.byFrames.allSatisfy { $0.scenes == nil })
    for words in [["--method", "autoo"], ["--metric", "mae"], ["--method", "auto", "--against", "auto"]] {
      let failure = await run(["samples", output] + words)
      #expect(failure?.code == Failure.usage, "\(words)")
    }
    #expect(await run("samples", output, "--detect", "2mm", "--json", "--quiet") == nil)
  }

  @Test("Standard deviations by hand take the place of a run")
  func byHand() async {
    #expect(
      await run(
        "samples", "--detect", "2mm", "--between-scenes", "0.004m", "--within-scenes", "6mm", "--frames", "9",
        "--quiet") == nil)
    for words in [
      [], ["--detect", "2mm"], ["--between-scenes", "1", "--within-scenes", "1", "--detect", "5%"],
      ["run", "--frames", "3"], ["--between-scenes", "1", "--within-scenes", "1", "--metric", "mae_m"],
      ["--between-scenes", "-1", "--within-scenes", "1"], ["run", "--detect", "0"],
    ] {
      let failure = await run(["samples"] + words)
      #expect(failure?.code == Failure.usage, "\(words)")
    }
  }

  @Test("More frames help where scenes do not differ")
  func plan() {
    let components = VarianceComponents(betweenScenes: 3, withinScenes: 8, framesPerScene: 4)
    let plan = SamplePlan(components, isEstimate: false, detecting: 5)
    // Standard deviations of scenes 5, then √(9 + 8), √(9 + 4) and 3: scenes by statsmodels' solve_power.
    #expect(plan.byFrames.map(\.scenes) == [10, 8, 7, 6])
    #expect(plan.scenesNeeded == 10 && plan.scenesNeededLow == nil && plan.intervalScenes == 10)
    #expect(plan.byScenes.map(\.scenes) == [4, 6, 8, 10, 12, 20, 50])
  }
}
