import DepthEvaluation
import Runs

// best-method FILE.h5: evaluates a data set and prints the best method.
var job = EvaluateJob(DataSelection(Array(CommandLine.arguments.dropFirst())))
job.paintsGallery = false
if let best = try await job.run().run.bestMethod {
  let (error, lidar) = (best.entry.comparison.value, best.entry.comparison.referenceValue)
  print("\(best.entry.selection): MAE \(1000 * error) mm, the raw LiDAR \(1000 * lidar) mm")
} else {
  print("no frame could be scored")
}
