import DepthCore
import FathomStatistics
import FathomStorage
import Statistics

// Fathom's modules beside a package whose modules have the words of their names: an error is caught by its type, and both are used.
do throws(FathomError) {
  try AtomicFile.check("/nowhere/depth.csv", overwrite: false)
} catch {
  let critical = StudentDistribution.criticalValue(0.05, freedom: 5)
  print(
    error.kind, DepthKind.allCases.count > 0, (critical * 1000).rounded(), StatisticsOfTheNeighbour.isHere)
}
