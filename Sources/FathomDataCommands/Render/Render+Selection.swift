import FathomCommandLine
import DepthRendering
import ArgumentParser
import DepthExport

extension Render {
  /// Whether anything but boxes shows the source's depth, and the boxes that are fitted to it.
  private func uses() throws -> (depth: Bool, boxes: [BoxChoice]) {
    let chosen = try boxWords.map { try BoxChoice.parse($0) } ?? [.method("auto")]
    let fitted = chosen.filter { $0 != .truth }
    if let geometry = resolvedFormat.geometry {
      return (geometry.holdsPoints, geometry.holdsBoxes ? fitted : [])
    }
    let layers = try picture.drawnLayers()
    return (
      layers.contains { $0.showsSource && $0 != .wireframe }, layers.contains(.wireframe) ? fitted : []
    )
  }

  /// The source, if anything shows it; else nil. One that nothing shows is not a mistake: whoever draws several layers, one after
  /// the other, names it each time.
  var shownSource: DepthSource? {
    get throws {
      let (depth, boxes) = try uses()
      return source != nil && (depth || !boxes.isEmpty) ? try askedSource : nil
    }
  }

  /// Refuses options about the source's depth, and about chance, that would change nothing.
  /// - Throws: `ValidationError`.
  func checkSelection() throws {
    let (showsDepth, fitted) = try uses()
    let source = try askedSource
    let given = [("--min-confidence", minConfidence != nil), ("--depth-range", depthRange != nil)]
    if !showsDepth, fitted.isEmpty, let (option, _) = given.first(where: { $0.1 }) {
      throw ValidationError("\(option): there is no layer or point of depth and no fitted box to use it")
    }
    if seed != nil, !source.isFused, !fitted.contains(where: \.isRandom) {
      throw ValidationError(
        "--seed: nothing is drawn at random; name a fusion method with --source, or leave it out")
    }
  }
}
