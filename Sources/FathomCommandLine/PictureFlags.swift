package import DepthRendering
import FathomPlainText
public import ArgumentParser
public import DepthCore

/// What `render` takes for pictures only.
package struct PictureFlags: ParsableArguments {
  package init() {}
  @Option(
    help:
      "Layers of a picture, comma-separated or repeated, from bottom to top: \(LayerName.allCases.map(\.rawValue).joined(separator: ", ")) ; depth is turbo (default: image,turbo, or turbo without an image)."
  ) package var layer: [String] = []
  @Option(help: "Instead of --layer, repeated: layers of one picture each, side by side.") package var panel:
    [String] = []
  @Option(PictureRequest.rule("near")) package var near: Double?
  @Option(PictureRequest.rule("far")) package var far: Double?
  @Option(PictureRequest.rule("opacity")) package var opacity: Double?
  @Option(PictureRequest.rule("fog-color")) package var fogColor: RGB?
  @Option(PictureRequest.rule("fog-max")) package var fogMax: Double?
  @Option(PictureRequest.rule("fog-sigma")) package var fogSigma: Double?
  @Option(PictureRequest.rule("error-limit")) package var errorLimit: Double?
  @Option(
    help:
      "Size in pixels that each picture fits into: 1920x1440, a side from 16 to 8192 (default: 960 on the longer side).",
    transform: PixelSize.init) var size: PixelSize?
  @Flag(help: "Turn the camera's landscape image upright, 90° clockwise.") package var portrait = false
  @Flag(help: "Only the pictures, without colour bars, legends and captions.") package var noColorBar = false
  @Option(PictureRequest.rule("quality")) package var quality: Int?
  @Option(PictureRequest.rule("frame-rate")) package var frameRate: Double?

  /// The first option that only pictures have; nil where none is given.
  package var firstGiven: String? {
    let given: [(String, Bool)] = [
      ("--layer", !layer.isEmpty), ("--panel", !panel.isEmpty), ("--near", near != nil),
      ("--far", far != nil), ("--opacity", opacity != nil), ("--fog-color", fogColor != nil),
      ("--fog-max", fogMax != nil), ("--fog-sigma", fogSigma != nil), ("--error-limit", errorLimit != nil),
      ("--size", size != nil), ("--portrait", portrait), ("--no-color-bar", noColorBar),
      ("--quality", quality != nil), ("--frame-rate", frameRate != nil),
    ]
    return given.first { $0.1 }?.0
  }

  /// How pictures are to be drawn.
  /// - Throws: `ValidationError`.
  package func request() throws -> PictureRequest {
    var request = PictureRequest()
    request.panels = try layers()
    request.size = size?.size
    (request.isPortrait, request.isAnnotated) = (portrait, !noColorBar)
    GivenOptions(self).apply(to: &request)
    return request
  }

  /// Layers of each picture, bottom to top; empty for the default.
  /// - Throws: `ValidationError`.
  package func layers() throws -> [[LayerName]] {
    if !layer.isEmpty && !panel.isEmpty { throw ValidationError("--layer and --panel exclude each other") }
    if !layer.isEmpty { return [try LayerName.parse(layer.joined(separator: ","), "layer")] }
    return try panel.map { try LayerName.parse($0, "panel") }
  }

  /// Every layer of every picture; without a word about layers, turbo is drawn.
  /// - Throws: `ValidationError`.
  package func drawnLayers() throws -> [LayerName] {
    let chosen = try layers()
    return chosen.isEmpty ? [.image, .turbo] : chosen.flatMap { $0 }
  }

  /// - Throws: `ValidationError` for the first value or combination that makes no sense.
  package func check(_ format: RenderFormat, source: DepthSource) throws {
    try checkUse(try drawnLayers(), format, source)
    if let problem = try request().firstProblem { throw ValidationError(problem.onCommandLine) }
  }

  private func checkUse(_ all: [LayerName], _ format: RenderFormat, _ source: DepthSource) throws {
    let uses: [(String, Bool, String, Bool)] = [
      ("--near", near != nil, "ramp, turbo or viridis", all.contains(where: \.hasDepthRange)),
      ("--far", far != nil, "ramp, turbo or viridis", all.contains(where: \.hasDepthRange)),
      ("--opacity", opacity != nil, "depth, error or validity", all.contains(where: \.hasOpacity)),
      ("--fog-color", fogColor != nil, "fog", all.contains(.fog)),
      ("--fog-max", fogMax != nil, "fog", all.contains(.fog)),
      ("--fog-sigma", fogSigma != nil, "fog", all.contains(.fog)),
      (
        "--error-limit", errorLimit != nil, "error, residual or deviation",
        all.contains(where: \.isDifference)
      ),
    ]
    if let (option, _, layer, _) = uses.first(where: { $0.1 && !$0.3 }) {
      throw ValidationError("\(option): there is no layer of \(layer) to use it")
    }
    if quality != nil && format != .jpg { throw ValidationError("--quality: only jpg has one") }
    if frameRate != nil && format != .webp { throw ValidationError("--frame-rate: only webp moves") }
    if all.contains(.error), source == .truth {
      throw ValidationError("--layer error: the truth has no error against itself; choose another --source")
    }
    if let layer = all.first(where: \.needsDeviation), !source.isFused {
      throw ValidationError(
        "--layer \(layer.rawValue): \(source) states no standard deviations; name a method with --source, such as auto or lidar-bilinear"
      )
    }
    if all.contains(.residual), !source.isFittedToReturns {
      throw ValidationError(
        "--layer residual: \(source) is not fitted to the LiDAR's returns; name a fit with --source, such as ols"
      )
    }
  }
}

extension RGB: ExpressibleByArgument {
  public init?(argument: String) {
    guard let colour = RGB.reading(argument) else { return nil }
    self = colour
  }
}

/// "1920x1440".
package struct PixelSize {
  package let size: RasterSize
  /// Of a side, pixels. A picture with its legends must stay below Cairo's 32,767.
  private static let sides = 16...8192

  /// - Throws: `ValidationError` for what is not a size, or one beyond the limits.
  package init(_ text: String) throws {
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1],
      Self.sides.contains(width), Self.sides.contains(height)
    else {
      throw ValidationError(
        "give width and height, each \(Self.sides.lowerBound) to \(Self.sides.upperBound) pixels, as in 1920x1440"
      )
    }
    size = RasterSize(width: width, height: height)
  }
}
