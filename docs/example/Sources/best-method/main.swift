import DepthEvaluation
import Runs

// best-method FILE.h5: evaluates a data set and prints the best method.
var job = EvaluateJob(DataSelection(Array(CommandLine.arguments.dropFirst())))
job.paintsGallery = false
let result = try await job.run()
guard let best = result.run.bestMethod else { fatalError("nothing could be scored") }
let error = best.entry.comparison
print("\(best.entry.selection): MAE \(error.value) m over \(error.frames) frames, \(error.referenceValue) m of the raw LiDAR")
