import FathomDocuments
import DepthCore
import DepthEvaluation
import DepthFusion
import DepthVerdicts

extension ComparisonBasis {
  /// A method as people call it: `stored:mynet` is "mynet" where there is nothing but networks' maps.
  func name(of method: String) -> String {
    hasLidar ? method : StoredPredictionScoring.name(inID: method) ?? method
  }

  var frameWord: String { hasLidar ? "frame" : "image" }  // "frame", or without a recording "image".
}

extension EvaluationRun {
  /// A method as people call it.
  func name(of method: String) -> String { basis.name(of: method) }

  /// A method in a table of errors, which leads to what it is and says what its numbers are not.
  /// - Parameter note: What is said of it besides: "(oracle)".
  func cell(of method: String, _ note: String? = nil) -> DisplayTable.Cell {
    var cell = DisplayTable.Cell(method: method)
    let marks = [note, isFittedToTruth(method) ? Self.fittedMark : nil].compactMap(\.self)
    cell.number = ([name(of: method)] + marks).joined(separator: " ")
    return cell
  }

  /// Whether there are no sequences: every scene is one image.
  var isOfSingleImages: Bool { !basis.hasLidar && scenes.allSatisfy { $0.header.frameCount == 1 } }
  /// A frame as people call it; an image that is a scene of its own has that one name.
  func place(_ scene: String, _ frame: String) -> String {
    isOfSingleImages && scene == frame ? scene : "\(scene)/\(frame)"
  }
  /// What the sample consists of: "scene", or "image" where these are the same.
  var sceneWord: String { isOfSingleImages ? "image" : "scene" }
  var frameWord: String { basis.frameWord }  // "frame", or without a recording "image".
  /// Networks' maps that are compared, as people call them, in the order of the run.
  var networks: [String] { plan.methods.compactMap(\.storedName) }

  /// What the maps of a network are; several where scenes differ.
  func kinds(of network: String) -> [StoredPrediction.Kind] {
    scenes.compactMap { scene in scene.header.predictions.first { $0.name == network }?.kind }
      .firstAppearances
  }
}
