import DepthEvaluation
import Runs

// best-method FILE.h5: evaluates a data set and prints the best method, or why there is none.
var job = EvaluateJob(DataSelection(Array(CommandLine.arguments.dropFirst())))
job.paintsGallery = false
do {
  let best = try await job.run().run.bestMethod?.entry
  print(best.map { "\($0.selection): MAE \(1000 * $0.comparison.value) mm" } ?? "no frame could be scored")
} catch {
  print(error)
}
