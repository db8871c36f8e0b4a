import DepthEvaluation
import FathomPlainText
import DepthCore
package import DepthFusion
import DepthVerdicts

extension EvaluationPlan {
  /// Takes away what some scenes cannot have, and adds what a comparison needs: the baseline, the question's methods, and where a
  /// scene has a LiDAR, `lidar-bilinear` and `spec`.
  /// - Parameter wanted: Method that gains are compared with; nil for the raw LiDAR, and for the first prediction where no scene has
  ///   a LiDAR.
  /// - Returns: That method.
  /// - Throws: `OptionProblem` where somebody named a method that needs a LiDAR, and no scene has one; where a prediction has standard
  ///   deviations in some scenes and confidences in others, which cannot be summarised together.
  mutating func adapt(
    to scenes: [SceneContext], baseline wanted: MethodSelection?
  ) throws(OptionProblem) -> MethodSelection {
    let asked = contrast.map { [$0.method, $0.reference] } ?? []
    let certainties = Dictionary(grouping: scenes.flatMap(\.header.predictions), by: \.name).mapValues {
      Set($0.compactMap(\.certainty))
    }
    if let name = certainties.keys.sorted().first(where: { certainties[$0]?.count == 2 }) {
      throw OptionProblem(
        "scenes",
        "'\(name)' has standard deviations in some of these and confidences in others; evaluate them separately"
      )
    }
    guard !ComparisonBasis(scenes).hasLidar else {
      let baseline = wanted ?? .lidarBilinear
      require([baseline, .lidarBilinear, .spec] + asked)
      return baseline
    }
    // "all" names nothing in particular.
    if MethodCatalogue.everything.allSatisfy(methods.contains) { named = [] }
    let choices: [(OptionName, [MethodSelection])] = [
      ("methods", named), ("contrast", asked), ("baseline", [wanted].compactMap(\.self)),
    ]
    for (option, methods) in choices {
      if let method = methods.first(where: \.role.needsLidar) {
        throw OptionProblem(option, "'\(method)' needs a LiDAR, and these data have none")
      }
    }
    let names = scenes.flatMap { $0.header.predictions.map(\.name) }.firstAppearances
    guard let baseline = wanted ?? MethodSelection.everyStored.resolved(stored: names).first else {
      throw OptionProblem(
        "methods", "these data have neither a LiDAR nor predictions: nothing can be evaluated")
    }
    let hasRelative = scenes.contains { $0.header.relativeSize != nil }
    methods.removeAll { $0.role.needsLidar || $0.role == .oracle && !hasRelative }
    require([baseline] + asked)
    return baseline
  }

  /// Puts methods in front that are not there yet.
  package mutating func require(_ needed: [MethodSelection]) {
    for method in needed.reversed() where !methods.contains(method) { methods.insert(method, at: 0) }
  }
}
