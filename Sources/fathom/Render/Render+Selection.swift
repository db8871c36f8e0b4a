import ArgumentParser
import DepthObjects
import Runs

extension Render {
  /// Refuses options about the source's depth, and about chance, that would change nothing.
  ///
  /// - Parameters:
  ///   - showsDepth: Whether anything but boxes shows the source's depth.
  ///   - drawsBoxes: Whether boxes are drawn.
  /// - Throws: `ValidationError`.
  func checkSelection(showsDepth: Bool, drawsBoxes: Bool) throws {
    let chosen = try boxWords.map { try BoxChoice.parse($0) } ?? [.method("auto")]
    let fitted = drawsBoxes ? chosen.filter { $0 != .truth } : []
    let source = try DepthSource(source)
    let given = [
      ("--source", source != .lidar), ("--min-confidence", minConfidence != nil),
      ("--depth-range", depthRange != nil),
    ]
    if !showsDepth, fitted.isEmpty, let (option, _) = given.first(where: { $0.1 }) {
      throw ValidationError("\(option): there is no layer or point of depth and no fitted box to use it")
    }
    if seed != nil, !source.isFused, !fitted.contains(where: \.isRandom) {
      throw ValidationError(
        "--seed: nothing is drawn at random; name a fusion method with --source, or leave it out")
    }
  }
}
