extension LocalOptions {
  /// The first value that makes no sense, as "name: why"; nil when all do.
  var firstProblem: String? {
    if lidarDeviations.count != 3 || !lidarDeviations.allSatisfy({ $0 > 0 && $0 <= 1e6 }) {
      return
        "lidar-deviations: three positive relative errors up to a million are needed, for confidence 0, 1 and 2"
    }
    if let maxDepth, !(maxDepth > 0) { return "local-max-depth: \(maxDepth) is not a distance" }
    // Half a pixel sees no neighbour; beyond the raster every window is the whole.
    for (name, value) in [
      ("residual-deviation", residualDeviation), ("regression-deviation", regressionDeviation),
    ] where !(value >= 0.5 && value <= 1000) {
      return "\(name): \(value) is not in 0.5–1000 pixels"
    }
    if !(ridge > 0 && ridge <= 1e6) { return "ridge: \(ridge) is not a positive number up to a million" }
    if !(2...1000).contains(neighbours) { return "neighbours: \(neighbours) is not in 2–1000" }
    if !(1...1000).contains(guidedRadius) { return "guided-radius: \(guidedRadius) is not in 1–1000 pixels" }
    if !(guidedSmoothness > 0 && guidedSmoothness <= 1e6) {
      return "guided-smoothness: \(guidedSmoothness) is not a positive number up to a million"
    }
    if !(4...128).contains(blockSide) { return "block-side: \(blockSide) is not in 4–128 pixels" }
    if !(lidarCorrelation >= 0.5 && lidarCorrelation <= 100) {
      return "lidar-correlation: \(lidarCorrelation) is not in 0.5–100 pixels"
    }
    return nil
  }
}
