public import ArgumentParser
import DepthCore
public import DepthTuning
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

  @Option(SearchSettings.rule("objective")) var objective: String?
  @Option(SearchSettings.rule("coverage-floor")) var coverageFloor: Double?
  @Flag(SearchSettings.rule("worst-scene")) var worstScene: Bool?
  @Option(SearchSettings.rule("folds")) var folds: Int?
  @Option(SearchSettings.rule("search-pixels")) var searchPixels: SampleLimit?
  @Option(SearchSettings.rule("search-pairs")) var searchPairs: SampleLimit?
}

extension GivenOptions {
  /// Values of the axes of a search, by dimension id.
  var axes: [String: [String]] {
    values.compactMapValues { $0 as? String }
      .filter { given in SearchDimension.all.contains { $0.id == given.key } }
      .mapValues { list in
        list.split(separator: ",", omittingEmptySubsequences: false).map {
          $0.trimmingCharacters(in: .whitespaces)
        }
      }
  }
}

extension SampleLimit: ExpressibleByArgument {
  public init?(argument: String) {
    guard let limit = SampleLimit.reading(argument) else { return nil }
    self = limit
  }
}
