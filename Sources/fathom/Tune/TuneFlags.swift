import ArgumentParser
import DepthTuning
import Foundation

/// What is searched and how. The same names are the keys of `--grid` files; a flag overrides the file.
struct TuneFlags: ParsableArguments {
  @Option(SearchDimension.methods) var methods: [String] = []
  @Option(SearchDimension.space) var space: [String] = []
  @Option(SearchDimension.minConfidence) var minConfidence: [String] = []
  @Option(SearchDimension.minDepth) var minDepth: [String] = []
  @Option(SearchDimension.maxDepth) var maxDepth: [String] = []
  @Option(SearchDimension.minPairs) var minPairs: [String] = []
  @Option(SearchDimension.positionMapping) var positionMapping: [String] = []
  @Option(SearchDimension.weights) var weights: [String] = []
  @Option(SearchDimension.inlierThreshold) var inlierThreshold: [String] = []
  @Option(SearchDimension.minScale) var minScale: [String] = []
  @Option(SearchDimension.maxScale) var maxScale: [String] = []

  @Option(
    help:
      "What is made small: a column of frames.csv, or placement_m for effects on boxes (default: \(TuningObjective.standard))."
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
    GivenOptions(self).values.compactMapValues { $0 as? String }
      .filter { given in SearchDimension.all.contains { $0.id == given.key } }
      .mapValues { list in
        list.split(separator: ",", omittingEmptySubsequences: false).map {
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
