import DepthEvaluation
import FathomRuns

var job = EvaluateJob(DataSelection(["recording.h5"]))
job.galleryFrames = 0  // no pictures
let result = try await job.run()
if let best = result.verdict.ranking.placed.first { print(best.method, best.error) }  // metres
try result.write(to: "Reports/recording")  // what `fathom evaluate` writes
