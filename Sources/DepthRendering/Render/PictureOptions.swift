import FathomPlainText
public import DepthCore
import DepthGraphics

/// How frames are to be drawn as pictures.
public struct PictureRequest: Sendable {
  /// Layers of each picture, bottom to top; empty for the image under turbo, or turbo alone.
  public var panels: [[LayerName]] = []
  /// Ends of ramp, turbo and viridis, metres; nil for 0.5 and 5 of ramp, and else the scene's.
  public var near: Double?, far: Double?
  /// nil for each layer's own.
  public var opacity: Double?
  public var fogColour = RGB(red: 128, green: 128, blue: 128)
  /// Depth from which there is only fog, metres.
  public var fogMax = 4.0
  /// Blur of the fog's depth, pixels of the LiDAR's map.
  public var fogSigma = 5.0
  /// Error with the strongest colour, metres; nil for what holds 95 % of the errors.
  public var errorLimit: Double?
  /// What each picture fits into, as it is shown; nil for 960 on the longer side.
  public var size: RasterSize?
  /// Whether the camera's landscape image is turned upright.
  public var isPortrait = false
  /// Whether there are colour bars, legends and captions.
  public var isAnnotated = true
  /// Of jpg, 1 to 100.
  public var quality = 90
  /// Frames a second of a moving picture.
  public var frameRate = 5.0
  public init() {}
}

extension PictureRequest: DeclaredOptions {
  private static let farthest = 1e6  // Distances beyond this are slips of the keyboard, metres.

  public static let rules: [Rule] = [
    Rule(
      "near", \.near, .from(0, to: farthest), .metres, standard: "0.5 for ramp; else the scene's",
      help: "Nearest depth of ramp, turbo and viridis"),
    Rule(
      "far", \.far, .above(0, to: farthest), .metres, standard: "5 for ramp; else the scene's",
      help: "Farthest depth of ramp, turbo and viridis"),
    Rule(
      "opacity", \.opacity, .from(0, to: 1),
      standard: "0.4 for ramp and bands; else 0.6 over others, 1 alone",
      help: "Opacity of depth, error and validity, 0 to 1"),
    Rule("fog-color", \.fogColour, help: "Colour of the fog"),
    Rule("fog-max", \.fogMax, .from(1e-6, to: farthest), .metres, help: "Depth from which there is only fog"),
    Rule("fog-sigma", \.fogSigma, .from(0, to: 1000), .lidarPixels, help: "Blur of the fog's depth"),
    Rule(
      "error-limit", \.errorLimit, .from(1e-6, to: farthest), .metres, usual: 0.1,
      standard: "covers 95 % of each frame's errors, rounded up", help: "Error with the strongest colour"),
    Rule("quality", \.quality, .from(1, to: 100), help: "Quality of jpg, 1 to 100"),
    Rule("frame-rate", \.frameRate, .from(0.1, to: 60), help: "Frames per second of webp"),
  ]

  /// The first value that makes no sense.
  package var firstProblem: OptionProblem? {
    if let problem = firstOutOfRange { return problem }
    guard let near, let far, near >= far else { return nil }
    return OptionProblem("near", "\(near.typed) m is not nearer than \(option: "far") \(far.typed) m")
  }
}

/// How frames are drawn as pictures, every choice made.
public struct PictureOptions: Sendable {
  package let panels: [[LayerName]]  // Layers of each picture, bottom to top.
  let rampRange: ClosedRange<Double>  // Ends of ramp, metres.
  let mapRange: ClosedRange<Double>  // Ends of turbo and viridis, metres.
  let request: PictureRequest
  /// Error and residual with the strongest colour, metres, where they follow from the data.
  var limits: [LayerName: Double] = [:]

  /// - Parameter sceneRange: The scene's depths, metres.
  /// - Parameter hasImage: Whether the default shows one.
  init(_ request: PictureRequest, sceneRange: ClosedRange<Double>, hasImage: Bool) {
    self.request = request
    panels = (request.panels.isEmpty ? [hasImage ? [.image, .turbo] : [.turbo]] : request.panels).map {
      $0[0].needsPicture ? [.image] + $0 : $0
    }
    func range(_ standard: ClosedRange<Double>) -> ClosedRange<Double> {
      let near = request.near ?? min(standard.lowerBound, (request.far ?? .infinity) / 2)
      return near...(request.far ?? max(standard.upperBound, 2 * near))
    }
    (rampRange, mapRange) = (range(0.5...5), range(sceneRange))
  }

  var layers: Set<LayerName> { Set(panels.joined()) }

  /// Of a layer that stands at a position from the bottom.
  func opacity(of layer: LayerName, at position: Int) -> Float {
    if let opacity = request.opacity { return Float(opacity) }
    // The app's for its own ramps; an analysis shows all of the colour unless there is something below.
    return layer == .ramp || layer == .bands ? 0.4 : (position == 0 ? 1 : 0.6)
  }

  /// Where the magnitude of a difference has its strongest colour, metres.
  func limit(of layer: LayerName) -> Double { request.errorLimit ?? limits[layer] ?? Self.limitOfNothing }
  private static let limitOfNothing = 0.1  // Without any difference to follow, metres.

  /// The picture's pixels in the camera's landscape for an image of these sides.
  func pictureSize(of image: RasterSize) -> RasterSize {
    var room = request.size ?? RasterSize(width: 960, height: 960)
    if request.isPortrait { room = RasterSize(width: room.height, height: room.width) }
    let scale = min(Double(room.width) / Double(image.width), Double(room.height) / Double(image.height))
    func side(_ length: Int, _ most: Int) -> Int {
      min(max(Int(saturating: (Double(length) * scale).rounded()), 1), most)
    }
    return RasterSize(width: side(image.width, room.width), height: side(image.height, room.height))
  }
}
