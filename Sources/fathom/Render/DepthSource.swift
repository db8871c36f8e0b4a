import ArgumentParser
import DepthCore
import DepthFusion

/// Whose depth is drawn.
enum DepthSource: Hashable, CustomStringConvertible {
  case lidar, truth
  /// A fusion method's map.
  case fused(MethodSelection)

  /// - Throws: `ValidationError` for a word that names nothing, or more than one map.
  init(_ word: String) throws {
    switch word {
    case "lidar": self = .lidar
    case "truth": self = .truth
    default:
      let methods: [MethodSelection]
      do { methods = try MethodCatalogue.parse(word) } catch {
        let names = MethodCatalogue.families.map(\.id).joined(separator: ", ")
        throw ValidationError(
          "--source: there is no '\(word)'; there are lidar, truth, \(names), stored:NAME")
      }
      guard methods.count == 1, word != "stored" else {
        throw ValidationError("--source: '\(word)' is not one method; name one, such as auto or stored:NAME")
      }
      self = .fused(methods[0])
    }
  }

  /// Whether it is a fusion method's map.
  var isFused: Bool { if case .fused = self { true } else { false } }

  /// Whether it is fitted to the LiDAR's returns, and so leaves residuals at them.
  var isFittedToReturns: Bool {
    guard case .fused(let selection) = self else { return false }
    return ![.oracle, .sensor, .stored].contains(selection.role)
  }

  var description: String {
    switch self {
    case .lidar: "lidar"
    case .truth: "truth"
    case .fused(let method): method.description
    }
  }
}
