import DepthEvaluation
import Runs

// best-method FILE.h5: evaluates a data set and prints the best method, or why there is none.
var job = EvaluateJob(DataSelection(Array(CommandLine.arguments.dropFirst())))
job.galleryFrames = 0
do {
  let ranking = try await job.run().verdict.ranking
  let best = ranking[ranking.best]
  print(best.map { "\($0.method): MAE \(1000 * $0.error) mm" } ?? "no frame could be scored")
} catch {
  print(error)
}
