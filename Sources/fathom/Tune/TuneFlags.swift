import ArgumentParser
import DepthTuning
import Foundation

/// What is searched and how. The same names are the keys of `--grid` files; a flag overrides the file.
struct TuneFlags: ParsableArguments {
  @Option(help: "Estimators, say ols,huber,lad@log (default, where nothing is varied: ols,wls,lad).")
  var methods: [String] = []
  @Option(help: "Forms of the fit: natural, depth, disparity, log.") var space: [String] = []
  @Option(help: "Lowest confidences (default, where nothing is varied: 0,1,2).") var minConfidence: [String] =
    []
  @Option(help: "Nearest fitted depths, metres (default, where nothing is varied: 0.1,0.3,0.5,0.8).")
  var minDepth: [String] = []
  @Option(
    help: "Farthest fitted depths, metres (default, where nothing is varied: 2,2.5,3,3.5,4,5,6,8,10).")
  var maxDepth: [String] = []
  @Option(help: "Fewest pairs (default, where nothing is varied: 20,100).") var minPairs: [String] = []
  @Option(help: "Position mappings (default, where nothing is varied: corners,centres).")
  var positionMapping: [String] = []
  @Option(help: "Weights: own, none, confidence, range, calibration.") var weights: [String] = []
  @Option(help: "Inlier thresholds of ransac and lo-ransac: 0.05m, 0.02/m, 2.5mad, target-mad.")
  var inlierThreshold: [String] = []
  @Option(help: "Guards: smallest |slope| that passes, or none.") var minScale: [String] = []
  @Option(help: "Guards: largest |slope| that passes, or none.") var maxScale: [String] = []

  @Option(
    help:
      "What is made small: a column of frames.csv, or placement_m for effects on boxes (default: mae_m_measured)."
  )
  var objective: String?
  @Option(help: "Only configurations that cover at least this share of the truth.") var coverageFloor: Double?
  @Flag(inversion: .prefixedNo, help: "Make the worst scene good instead of the mean over scenes.")
  var worstScene: Bool?
  @Option(help: "Hold scenes out in so many parts (default: one scene at a time).") var folds: Int?
  @Option(help: "Truth pixels of a frame that the search scores, or all (default: 4096).")
  var searchPixels: SampleLimit?
  @Option(
    help:
      "Pairs of a frame that methods other than least squares fit during the search, or all (default: 4096)."
  )
  var searchPairs: SampleLimit?

  /// Values of the axes that are given, by dimension id.
  var axes: [String: [String]] {
    let texts = [
      "methods": methods, "space": space, "min-confidence": minConfidence, "min-depth": minDepth,
      "max-depth": maxDepth, "min-pairs": minPairs, "position-mapping": positionMapping, "weights": weights,
      "inlier-threshold": inlierThreshold, "min-scale": minScale, "max-scale": maxScale,
    ]
    return texts.filter { !$0.value.isEmpty }.mapValues { lists in
      lists.joined(separator: ",").split(separator: ",", omittingEmptySubsequences: false).map {
        $0.trimmingCharacters(in: .whitespaces)
      }
    }
  }

  func validate() throws {
    if let folds, folds < 2 { throw ValidationError("--folds: at least 2 are needed") }
  }
}

/// A number of pixels or pairs, or `all`.
struct SampleLimit: ExpressibleByArgument {
  /// nil for all.
  let limit: Int?

  init?(argument: String) {
    limit = Int(argument)
    guard argument == "all" || (limit ?? 0) >= 16 else { return nil }
  }
}
