public import DepthCore
import FathomPlainText
public import DepthFusion

/// Whose depth is drawn.
public enum DepthSource: Sendable, Hashable, CustomStringConvertible {
  case lidar, truth
  /// A fusion method's map.
  case fused(MethodSelection)

  /// - Throws: `OptionProblem` for a word that names nothing, or more than one map.
  public init(_ word: String) throws(OptionProblem) {
    switch word {
    case "lidar": self = .lidar
    case "truth": self = .truth
    default:
      let methods: [MethodSelection]
      do { methods = try MethodCatalogue.parse(word) } catch {
        let names = MethodCatalogue.families.map(\.id).joined(separator: ", ")
        throw OptionProblem("source", "there is no '\(word)'; there are lidar, truth, \(names), stored:NAME")
      }
      guard methods.count == 1, word != "stored" else {
        throw OptionProblem("source", "'\(word)' is not one method; name one, such as auto or stored:NAME")
      }
      self = .fused(methods[0])
    }
  }

  /// What is drawn of a scene where no source is named: the LiDAR; without one the first prediction, and else the truth.
  init(of scene: SceneHeader) {
    let stored = MethodSelection.everyStored.resolved(stored: scene.predictions.map(\.name))
    self = scene.hasLidar ? .lidar : stored.first.map { .fused($0) } ?? .truth
  }

  /// Whether it is a fusion method's map.
  package var isFused: Bool { if case .fused = self { true } else { false } }

  /// Whether it is fitted to the LiDAR's returns, and so leaves residuals at them.
  package var isFittedToReturns: Bool {
    guard case .fused(let selection) = self else { return false }
    return ![.oracle, .sensor, .stored].contains(selection.role)
  }

  public var description: String {
    switch self {
    case .lidar: "lidar"
    case .truth: "truth"
    case .fused(let method): method.description
    }
  }
}
