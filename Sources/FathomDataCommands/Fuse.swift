import FathomCommandLine
public import ArgumentParser
import DepthCore
import DepthFusion
public import DepthRendering
import FathomPlainText
import FathomRunFolders
import FathomRuns
import Foundation

/// Writes fused depth and how sure it is.
package struct Fuse: AsyncParsableCommand {
  package init() {}
  package static let configuration = CommandConfiguration(
    abstract: "Fuse LiDAR and relative depth, and write the maps with the standard deviation of each pixel.",
    discussion: """
      No ground truth is needed, and none is read. The output is named: OUT.h5 is one HDF5 file with scenes/NAME/fused/depth and \
      fused/deviation, any other name a folder with a file for each frame. auto, the fitted lines and the raw LiDAR say how sure they are; \
      other methods write depth alone. Where a method refuses a frame, its depth is missing and the reason is written. The same data, \
      options and seed give the same bytes.

      'fathom fuse --help-all' lists all options.
      """)

  @Argument(
    help: "HDF5 data set, or the folder of a recording that import knows.",
    completion: .file(extensions: ["h5"])) var data: String
  @Option(
    help: "Fusion method that needs no truth, as evaluate names it, such as auto, lidar-bilinear or ols.")
  var method = "auto"
  @OptionGroup(title: "What determines the maps") var flags: FuseFlags
  @Option(help: "Only these scenes: names or patterns (*, ?, [a-z]), comma-separated or repeated.")
  var scenes: [String] = []
  @Option(
    help: "Only these frames of every scene: A:B from A up to before B, or one, by name or counted from 0.")
  var frames: FrameRange?
  @Option(help: "File (OUT.h5) or folder to write.", completion: .file()) var output: String
  @Option(
    help:
      "h5, npy or exr (32-bit numbers in metres), png16 (depth in mm, deviation in 0.1 mm; 0 where missing) (default: h5 if --output ends so, else npy)."
  ) var format: FusedFormat?
  @OptionGroup var files: DataFlags
  @Flag(help: "Replace an existing file or folder.") var overwrite = false
  @Option(help: "Frames processed at once (default: the number of cores).") var jobs: JobCount?
  @OptionGroup var console: Console

  private var isNamedHDF5: Bool {
    ["h5", "hdf5"].contains(URL(fileURLWithPath: output).pathExtension.lowercased())
  }

  package func validate() throws {
    if output.isEmpty { throw ValidationError("--output: a name is needed") }
    if let format, (format == .h5) != isNamedHDF5 {
      throw ValidationError("--output: '\(output)' is not named as --format \(format.rawValue)")
    }
    let ending = URL(fileURLWithPath: output).pathExtension.lowercased()
    if format == nil, ["npy", "exr", "png"].contains(ending) {
      throw ValidationError(
        "--output: '\(output)' names one file; give a folder, and --format \(ending == "png" ? "png16" : ending)"
      )
    }
    _ = try selection()
  }

  /// - Throws: `ValidationError`.
  private func selection() throws -> MethodSelection {
    do {
      let methods = try MethodCatalogue.parse(method)
      guard methods.count == 1 else { throw ValidationError("--method: '\(method)' is not one method") }
      return methods[0]
    } catch let unknown as UnknownMethod {
      throw ValidationError("--method: \(unknown)")
    }
  }

  package func run() async throws {
    var settings = EvaluationSettings([GivenOptions(flags)])
    try settings.readCalibration()
    console.question(settings.options.doubts)
    console.warnOfOmissions(in: [data], mapping: files.mapping)
    var job = FuseJob(data, by: try selection())
    job.data = files.selection([data], scenes: scenes, frames: frames)
    (job.options, job.seed, job.overwrite) = (settings.options, settings.seed, overwrite)
    job.calibration = try settings.calibration.map { try RunManifest.Input(ofFile: $0) }
    if let jobs { job.jobs = jobs.count }
    let result = try await job.run(to: output, as: format ?? (isNamedHDF5 ? .h5 : .npy), console.observe)
    for scene in result.scenes {
      try console.show(
        "\(scene.name.visible): \(scene.fused) of \(counted(scene.frames, "frame")), \(scene.width)×\(scene.height) pixels"
          + (scene.firstReason.map { "; without depth for example \($0.visible)" } ?? ""), beside: output)
    }
    try console.show(
      "\(output.visible): depth \(result.hasDeviation ? "and its standard deviation" : "alone: \(result.method) does not say how sure it is")",
      beside: output)
  }
}

/// What determines fused maps; the names are those of ``EvaluationFlags``.
struct FuseFlags: ParsableArguments {
  @Option(EvaluationSettings.rule("seed")) var seed: UInt64?
  @Option(FusionOptions.rule("min-confidence")) var minConfidence: UInt8?
  @Option(FusionOptions.rule("min-depth")) var minDepth: Double?
  @Option(FusionOptions.rule("max-depth")) var maxDepth: Double?
  @Option(EvaluationSettings.rule("calibration"), completion: .file(extensions: ["yaml"]))
  var calibration: String?
  @OptionGroup(title: "Fits, smoothing", visibility: .hidden) var fits: FitFlags
  @OptionGroup(title: "Local methods and auto", visibility: .hidden) var local: LocalFlags
}

extension FusedFormat: ExpressibleByArgument {}
