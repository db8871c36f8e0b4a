package import DepthCore

/// The scene and frames that a user names.
package struct FramePicker {
  package let scene: SceneHeader
  /// Indices from 0; at least one.
  package let frames: Range<Int>

  /// - Parameters:
  ///   - scene: nil for the first.
  ///   - frame: Its id, or its index where the scene has no ids; nil for the first.
  /// - Throws: `OptionProblem` that names what exists.
  init(_ scenes: [SceneHeader], scene: String?, frame: String?, all: Bool) throws(OptionProblem) {
    guard let chosen = scene == nil ? scenes.first : scenes.first(where: { $0.name == scene }) else {
      throw OptionProblem(
        "scene", "there is no '\(scene ?? "")'; there are \(scenes.map(\.name).firstNames(atMost: 12))")
    }
    self.scene = chosen
    if all {
      frames = 0..<chosen.frameCount
      return
    }
    let ids = (0..<chosen.frameCount).map { chosen.frameID($0) }
    guard let index = frame == nil ? 0 : ids.firstIndex(where: { $0 == frame }) else {
      throw OptionProblem(
        "frame", "scene '\(chosen.name)' has no '\(frame ?? "")'; there are \(ids.firstNames(atMost: 12))")
    }
    frames = index..<index + 1
  }
}
