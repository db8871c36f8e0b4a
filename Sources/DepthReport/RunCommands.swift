public import FathomRunFolders
import DepthCalibration
import DepthCore
public import DepthEvaluation
import DepthFusion
import Foundation
import FathomPlainText

/// Commands that continue from a run: they read its data in the same way, and a shell takes them as they stand in the folder where the
/// run was made.
public struct RunCommands: Sendable {
  private let data: DataCommands, manifest: RunManifest, scenes: [String: SceneContext]
  private let folder: String?

  /// - Parameter contexts: The scenes of the run.
  /// - Parameter data: nil for the files' names alone.
  /// - Parameter folder: Of the run, where it is known: a page says the same wherever it lies.
  public init(
    _ contexts: [SceneContext], _ manifest: RunManifest, _ data: RunData? = nil, folder: String? = nil
  ) {
    (self.manifest, self.folder) = (manifest, folder)
    self.data = DataCommands(
      data ?? RunData(manifest), inputs: manifest.inputs, scenePattern: manifest.scenePattern)
    scenes = Dictionary(contexts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: Commands

  var readsMaps: Bool { manifest.maps != nil }  // Whether the data are maps in folders.

  /// "fathom frames Reports/mynet", and what its words mean.
  var drawingFrames: (command: String, meaning: String) {
    (
      ["fathom", "frames", folder ?? DataCommands.pageFolder].map(\.shellQuoted).joined(separator: " "),
      folder == nil ? DataCommands.meaningOfFolder : ""
    )
  }

  /// Whether a reference can be made from the frames of a scene, and was not yet.
  var canUseMultiview: Bool {
    manifest.multiview == nil && scenes.values.contains { (try? MultiviewReference($0.header)) != nil }
  }

  var usesMultiview: Bool { manifest.multiview != nil }  // Whether one was asked for.

  /// "fathom evaluate demo.h5 --truth multiview --output Reports/demo-multiview"
  var evaluatingMultiview: String {
    data.command(
      "evaluate", data.inputs,
      ["\(flag: "truth")", "multiview"] + data.chosen + [
        "\(flag: "output")", "Reports/\(data.data.name)-multiview",
      ])
  }

  /// "fathom evaluate demo.h5 MORE.h5"
  var evaluatingMore: String { data.command("evaluate", data.inputs + ["MORE.h5"], data.truth) }
  /// "fathom calibrate demo.h5"
  var calibrating: String { data.command("calibrate", data.inputs, data.truth + data.chosen) }

  /// "fathom attach demo.h5 --prediction NAME:metric=FOLDER"; to a recording nothing can be added, so that a data set is made.
  var addingPrediction: (command: String, makesFile: Bool) {
    let prediction = ["\(flag: "prediction")", "NAME:metric=FOLDER"]
    return data.isDataset
      ? (data.command("attach", [data.only], prediction), false)
      : (data.command("import", [data.only, "OUT.h5"], prediction), true)
  }

  /// "fathom render demo.h5 --scene room-03 --frame 5 --source auto --panel image,depth --panel error"
  /// - Parameter method: One that gave depth in the frame; nil for the LiDAR's own map.
  /// - Returns: nil where `render`, which reads data sets and fuses with the specified options, would not draw what was scored.
  public func render(scene: String, frame: String, method: String?) -> String? {
    guard !readsMaps, method == nil || manifest.options == FusionOptions(),
      let header = scenes[scene]?.header, let path = data.path(of: scene)
    else { return nil }
    let panels =
      [header.colourSize == nil ? "depth" : "image,depth"] + (header.truthSize == nil ? [] : ["error"])
    let seed = manifest.seed == 0 ? [] : ["\(flag: "seed")", "\(manifest.seed)"]
    return data.command(
      "render", [path],
      (header.truthSize == nil ? [] : data.truth) + DataCommands.option("scene", header.name)
        + DataCommands.option("frame", frame)
        + (method.map { DataCommands.option("source", $0) + seed } ?? [])
        + panels.flatMap { ["\(flag: "panel")", $0] })
  }
}
