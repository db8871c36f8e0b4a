import DepthCore
public import DepthEvaluation
import PlainText

/// The command that draws a frame of a run.
public struct RenderCommand: Sendable {
  private let files: [String: String]
  private let scenes: [String: SceneContext]

  /// - Parameter contexts: The scenes of the run.
  public init(_ contexts: [SceneContext], _ manifest: RunManifest) {
    let byDigest = Dictionary(
      manifest.inputs.map { ($0.sha256, $0.file) }, uniquingKeysWith: { first, _ in first })
    let only = manifest.inputs.count == 1 ? manifest.inputs.first?.file : nil
    files = manifest.scenes.reduce(into: [:]) { files, scene in
      files[scene.name] = scene.data.flatMap { byDigest[$0] } ?? only
    }
    scenes = Dictionary(contexts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// "fathom render demo.h5 --scene room-03 --frame 5 --source auto --panel image,depth --panel error", for a shell.
  public func text(scene: String, frame: String, method: String) -> String {
    let header = scenes[scene]?.header
    let panels =
      [header?.colourSize == nil ? "depth" : "image,depth"] + (header?.truthSize == nil ? [] : ["error"])
    let words =
      [
        "fathom", "render", files[scene] ?? "DATA", "--scene", header?.name ?? scene, "--frame", frame,
        "--source", method,
      ]
      + panels.flatMap { ["--panel", $0] }
    return words.map(\.shellQuoted).joined(separator: " ")
  }
}
