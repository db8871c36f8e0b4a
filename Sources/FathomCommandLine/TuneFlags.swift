public import ArgumentParser
import DepthCore
public import DepthTuning
import Foundation

/// What is searched and how. The same names are the keys of `--grid` files; a flag overrides the file.
package struct TuneFlags: ParsableArguments {
  package init() {}
  @Option(SearchDimension.methods) package var methods: [String] = []
  @Option(SearchDimension.space) package var space: [String] = []
  @Option(SearchDimension.minConfidence) package var minConfidence: [String] = []
  @Option(SearchDimension.minDepth) package var minDepth: [String] = []
  @Option(SearchDimension.maxDepth) package var maxDepth: [String] = []
  @Option(SearchDimension.minPairs) package var minPairs: [String] = []
  @Option(SearchDimension.positionMapping) package var positionMapping: [String] = []
  @Option(SearchDimension.weights) package var weights: [String] = []
  @Option(SearchDimension.inlierThreshold) package var inlierThreshold: [String] = []
  @Option(SearchDimension.minScale) package var minScale: [String] = []
  @Option(SearchDimension.maxScale) package var maxScale: [String] = []

  @Option(SearchSettings.rule("objective")) package var objective: String?
  @Option(SearchSettings.rule("coverage-floor")) package var coverageFloor: Double?
  @Flag(SearchSettings.rule("worst-scene")) package var worstScene: Bool?
  @Option(SearchSettings.rule("folds")) package var folds: Int?
  @Option(SearchSettings.rule("search-pixels")) package var searchPixels: SampleLimit?
  @Option(SearchSettings.rule("search-pairs")) package var searchPairs: SampleLimit?
}

extension GivenOptions {
  /// Values of the axes of a search, by dimension id.
  package var axes: [String: [String]] {
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
