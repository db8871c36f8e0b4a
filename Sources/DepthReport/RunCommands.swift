public import FathomRunFolders
import DepthCalibration
import DepthCore
public import DepthEvaluation
import DepthFusion
import Foundation
import FathomPlainText
public import FathomStorage

/// Commands that continue from a run: they read its data in the same way, and a shell takes them as they stand in the folder where the
/// run was made.
public struct RunCommands: Sendable {
  /// How commands name the data of a run.
  public struct Data: Sendable {
    /// What a job over these data is called.
    public var name: String
    /// Paths of the data sets, in the order of the manifest's inputs.
    public var paths: [String]
    /// Of ``paths``, the position of the one that a scene of the run lies in.
    public var positions: [String: Int]
    /// File of the mapping that says what every path holds; nil where there is none.
    public var mapping: String?
    /// Where the data sets are followed to other files.
    public var external: ExternalFolders

    public init(
      name: String, paths: [String], positions: [String: Int], mapping: String? = nil,
      external: ExternalFolders = ExternalFolders()
    ) {
      (self.name, self.paths, self.positions) = (name, paths, positions)
      (self.mapping, self.external) = (mapping, external)
    }

    /// The files by their names alone, where nothing else is known.
    public init(_ manifest: RunManifest) {
      let inputs = manifest.inputs
      let byDigest = Dictionary(
        inputs.enumerated().map { ($1.sha256, $0) }, uniquingKeysWith: { first, _ in first })
      self.init(
        name: inputs.first.map { URL(fileURLWithPath: $0.file).deletingPathExtension().lastPathComponent }
          ?? "", paths: inputs.map(\.file),
        positions: manifest.scenes.reduce(into: [:]) { positions, scene in
          positions[scene.name] = scene.data.flatMap { byDigest[$0] } ?? (inputs.count == 1 ? 0 : nil)
        })
    }

    /// With paths from the folder of the process: a page that others read names no folder above what is shared.
    public var relative: Data {
      var data = self
      data.paths = paths.map { RelativePath.to($0) }
      data.mapping = mapping.map { RelativePath.to($0) }
      data.external.named = external.named.map { RelativePath.to($0) }
      return data
    }
  }

  /// Stands for data sets that are too many to name.
  private static let several = "DATA"
  private static let mostPaths = 8

  private let data: Data
  private let manifest: RunManifest
  private let scenes: [String: SceneContext]
  /// Of the data sets that can be read.
  private let inputs: [String]

  /// - Parameters:
  ///   - contexts: The scenes of the run.
  ///   - data: nil for the files' names alone.
  public init(_ contexts: [SceneContext], _ manifest: RunManifest, _ data: Data? = nil) {
    let data = data ?? Data(manifest)
    (self.data, self.manifest) = (data, manifest)
    scenes = Dictionary(contexts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let readable = zip(data.paths, manifest.inputs).filter { $1.unreadable == nil }.map(\.0)
    inputs = (1...Self.mostPaths).contains(readable.count) ? readable : [Self.several]
  }

  // MARK: Commands

  /// Whether a reference can be made from the frames of a scene, and was not yet.
  var canUseMultiview: Bool {
    manifest.multiview == nil && scenes.values.contains { (try? MultiviewReference($0.header)) != nil }
  }

  /// "fathom evaluate demo.h5 --truth multiview --output Reports/demo-multiview"
  var evaluatingMultiview: String {
    command(
      "evaluate", inputs, ["\(flag: "truth")", "multiview"] + chosen,
      ["\(flag: "output")", "Reports/\(data.name)-multiview"])
  }

  /// "fathom evaluate demo.h5 MORE.h5"
  var evaluatingMore: String { command("evaluate", inputs + ["MORE.h5"], truth) }

  /// "fathom calibrate demo.h5"
  var calibrating: String { command("calibrate", inputs, truth + chosen) }

  /// "fathom attach demo.h5 --prediction NAME:metric=FOLDER"; to a recording nothing can be added, so that a data set is made.
  var addingPrediction: (command: String, makesFile: Bool) {
    let prediction = ["\(flag: "prediction")", "NAME:metric=FOLDER"]
    let file = inputs.count == 1 ? inputs[0] : Self.several
    let isDataset = file == Self.several || [".h5", ".hdf5"].contains { file.lowercased().hasSuffix($0) }
    return isDataset && data.mapping == nil
      ? (Self.text(["attach", file] + external + prediction), false)
      : (command("import", [file, "OUT.h5"], prediction), true)
  }

  /// "fathom render demo.h5 --scene room-03 --frame 5 --source auto --panel image,depth --panel error"
  ///
  /// - Parameter method: One that gave depth in the frame; nil for the LiDAR's own map.
  /// - Returns: nil where `render`, which fuses with the specified options, would not draw what was scored.
  public func render(scene: String, frame: String, method: String?) -> String? {
    guard method == nil || manifest.options == FusionOptions(), let header = scenes[scene]?.header,
      let position = data.positions[scene], data.paths.indices.contains(position)
    else { return nil }
    let panels =
      [header.colourSize == nil ? "depth" : "image,depth"] + (header.truthSize == nil ? [] : ["error"])
    return command(
      "render", [data.paths[position]], header.truthSize == nil ? [] : truth,
      Self.option("scene", header.name) + Self.option("frame", frame)
        + (method.map { Self.option("source", $0) + seed } ?? [])
        + panels.flatMap { ["\(flag: "panel")", $0] })
  }

  // MARK: Words

  private var external: [String] {
    (data.external.includesOwn ? ["\(flag: "allow-external")"] : [])
      + data.external.named.flatMap { Self.option("external-folder", $0) }
  }
  private var truth: [String] { manifest.multiview == nil ? [] : ["\(flag: "truth")", "multiview"] }
  private var seed: [String] { manifest.seed == 0 ? [] : ["\(flag: "seed")", "\(manifest.seed)"] }
  private var chosen: [String] { manifest.scenePattern.map { Self.option("scenes", $0) } ?? [] }

  private func command(
    _ subcommand: String, _ paths: [String], _ options: [String], _ more: [String] = []
  ) -> String {
    Self.text(
      [subcommand] + paths + (data.mapping.map { Self.option("mapping", $0) } ?? []) + external + options
        + more)
  }

  private static func text(_ words: [String]) -> String {
    (["fathom"] + words).map(\.shellQuoted).joined(separator: " ")
  }

  /// A value that begins with a hyphen would be taken for an option.
  private static func option(_ name: OptionName, _ value: String) -> [String] {
    value.hasPrefix("-") ? ["\(flag: name)=\(value)"] : [name.flag, value]
  }
}
