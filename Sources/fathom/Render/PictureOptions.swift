import DepthCore
import DepthGraphics

/// How frames are drawn as pictures, every choice made.
struct PictureOptions {
  /// Layers of each picture, bottom to top.
  var panels: [[LayerName]]
  /// Ends of ramp, metres.
  var rampRange: ClosedRange<Double>
  /// Ends of turbo and viridis, metres.
  var mapRange: ClosedRange<Double>
  /// nil for each layer's own.
  var opacity: Double?
  var fogColour = RGB(red: 128, green: 128, blue: 128)
  /// Metres.
  var fogMax = 4.0
  /// Pixels of the LiDAR's map.
  var fogSigma = 5.0
  /// Metres.
  var errorLimit = 0.1
  /// What each picture fits into, as it is shown; nil for the default.
  var size: RasterSize?
  var isPortrait = false
  var isAnnotated = true
  var quality = 90
  var frameRate = 5.0

  /// - Parameters:
  ///   - flags: Checked.
  ///   - sceneRange: The scene's depths, metres.
  ///   - hasImage: Whether the default shows one.
  init(_ flags: PictureFlags, panels chosen: [[LayerName]], sceneRange: ClosedRange<Double>, hasImage: Bool) {
    panels = (chosen.isEmpty ? [hasImage ? [.image, .turbo] : [.turbo]] : chosen).map {
      $0[0].needsPicture ? [.image] + $0 : $0
    }
    func range(_ standard: ClosedRange<Double>) -> ClosedRange<Double> {
      let near = flags.near ?? min(standard.lowerBound, (flags.far ?? .infinity) / 2)
      return near...(flags.far ?? max(standard.upperBound, 2 * near))
    }
    (rampRange, mapRange) = (range(0.5...5), range(sceneRange))
    opacity = flags.opacity
    fogColour = flags.fogColor?.rgb ?? fogColour
    fogMax = flags.fogMax ?? fogMax
    fogSigma = flags.fogSigma ?? fogSigma
    errorLimit = flags.errorLimit ?? errorLimit
    (size, isPortrait, isAnnotated) = (flags.size?.size, flags.portrait, !flags.noColorBar)
    quality = flags.quality ?? quality
    frameRate = flags.frameRate ?? frameRate
  }

  /// Every layer of every picture.
  var layers: Set<LayerName> { Set(panels.joined()) }

  /// Of a layer that stands at a position from the bottom.
  func opacity(of layer: LayerName, at position: Int) -> Float {
    if let opacity { return Float(opacity) }
    // The app's for its own ramps; an analysis shows all of the colour unless there is something below.
    return layer == .ramp || layer == .bands ? 0.4 : (position == 0 ? 1 : 0.6)
  }

  /// The picture's pixels in the camera's landscape for an image of these sides.
  func pictureSize(of image: RasterSize) -> RasterSize {
    var room = size ?? RasterSize(width: 960, height: 960)
    if isPortrait { room = RasterSize(width: room.height, height: room.width) }
    let scale = min(
      Double(room.width) / Double(image.width), Double(room.height) / Double(image.height))
    func side(_ length: Int, _ most: Int) -> Int {
      min(max(Int((Double(length) * scale).rounded()), 1), most)
    }
    return RasterSize(width: side(image.width, room.width), height: side(image.height, room.height))
  }
}
