import DepthReport
import FathomRuns

let result = try await EvaluateJob(DataSelection(["recording.h5"])).run()
try await result.write(to: "Reports/recording")  // what `fathom evaluate` writes
