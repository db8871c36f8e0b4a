import ArgumentParser
import DepthFusion

/// The scene and frames that a user names.
struct FramePicker {
  let scene: SceneHeader
  /// Indices from 0; at least one.
  let frames: Range<Int>

  /// - Parameters:
  ///   - scene: nil for the first.
  ///   - frame: Its id, or its index where the scene has no ids; nil for the first.
  /// - Throws: `ValidationError` that names what exists.
  init(_ scenes: [SceneHeader], scene: String?, frame: String?, all: Bool) throws {
    guard let chosen = scene == nil ? scenes.first : scenes.first(where: { $0.name == scene }) else {
      throw ValidationError(
        "--scene: there is no '\(scene ?? "")'; there are \(Self.list(scenes.map(\.name)))")
    }
    self.scene = chosen
    if all {
      frames = 0..<chosen.frameCount
      return
    }
    let ids = (0..<chosen.frameCount).map { chosen.frameID($0) }
    guard let index = frame == nil ? 0 : ids.firstIndex(where: { $0 == frame }) else {
      throw ValidationError(
        "--frame: scene '\(chosen.name)' has no '\(frame ?? "")'; there are \(Self.list(ids))")
    }
    frames = index..<index + 1
  }

  /// At most a dozen names, the last one among them.
  private static func list(_ names: [String]) -> String {
    guard names.count > 12, let last = names.last else { return names.joined(separator: ", ") }
    return names.prefix(10).joined(separator: ", ") + ", … \(last) (\(names.count) in all)"
  }
}
