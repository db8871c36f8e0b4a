import DepthVerdicts
import FathomRuns

let result = try await EvaluateJob(DataSelection(["recording.h5"])).run()
if let best = result.verdict.ranking.placed.first { print(best.method, best.error) }  // metres
