import FathomRuns
import FathomPlainText
package import DepthCore

/// The scene and frames that a user names.
package struct FramePicker {
  package let scene: SceneHeader
  package let frames: Range<Int>  // Indices from 0; at least one.

  /// - Parameter scene: nil for the first.
  /// - Parameter frame: Its identifier or its position; nil for the first.
  /// - Parameter several: Frames that make several files; nil for `frame` alone.
  /// - Parameter all: Whether every frame does.
  /// - Throws: `OptionProblem` that names what exists.
  init(
    _ scenes: [SceneHeader], scene: String?, frame: String?, several: FrameRange? = nil, all: Bool
  ) throws(OptionProblem) {
    guard let chosen = scene == nil ? scenes.first : scenes.first(where: { $0.name == scene }) else {
      throw OptionProblem(
        "scene", "there is no '\(scene ?? "")'; there are \(scenes.map(\.name).firstNames(atMost: 12))")
    }
    self.scene = chosen
    if all {
      frames = 0..<chosen.frameCount
      return
    }
    if let several {
      frames = several.frames(of: chosen)
      guard !frames.isEmpty else { throw Self.unknown("frames", several.description, chosen) }
      return
    }
    guard let index = frame.map({ FrameRange.index(of: $0, in: chosen) }) ?? 0 else {
      throw Self.unknown("frame", frame ?? "", chosen)
    }
    frames = index..<index + 1
  }

  private static func unknown(_ option: OptionName, _ word: String, _ scene: SceneHeader) -> OptionProblem {
    let ids = (0..<scene.frameCount).map { scene.frameID($0) }
    let positions = scene.frameIDs == nil ? "" : ", or by position 0 to \(scene.frameCount - 1)"
    return OptionProblem(
      option, "scene '\(scene.name)' has no '\(word)'; there are \(ids.firstNames(atMost: 12))\(positions)")
  }
}
