import FathomDrawingScales
import FathomPlainText
import FathomStorage
import DepthCore
import DepthExport
import DepthFusion
import DepthGraphics

/// Makes the layers of a picture that are pixels, with what their colours mean.
struct PixelLayers {
  let options: PictureOptions, selection: GeometryOptions, view: FrameView
  private var quantity: String { selection.source.quantity }  // What the chosen depth is called.

  /// - Parameter position: From the bottom, from 0.
  /// - Throws: `FathomError` `.badData` where the frame lacks what it shows; `GraphicsError`.
  func layer(_ name: LayerName, at position: Int) throws -> (layer: any PictureLayer, legends: [Legend]) {
    let opacity = options.opacity(of: name, at: position)
    switch name {
    case .image: return (try image(), [])
    case .ramp:
      let (depth, range) = (depth, options.rampRange)
      let ramp = DepthRamp(
        depth, near: Float(range.lowerBound), far: Float(range.upperBound), opacity: opacity)
      return (
        ramp,
        [
          bar(
            ColourScale(.redBlue, range: range, label: quantity, unit: "m"), of: depth,
            Veil(opacity, at: position))
        ]
      )
    case .bands: return (BandedRamp(depth, opacity: opacity), [bands(Veil(opacity, at: position))])
    case .turbo, .viridis:
      let depth = depth
      let scale = ColourScale(
        name == .turbo ? .turbo : .viridis, range: options.mapRange, label: quantity, unit: "m")
      return (
        PerceptualDepth(depth, scale: scale, opacity: opacity),
        [bar(scale, of: depth, Veil(opacity, at: position))]
      )
    case .confidence: return (ConfidenceTint(try confidence()), [Self.levels])
    case .fog: return fog
    case .error, .residual: return difference(try differences(name), name, position, opacity)
    case .deviation: return deviationLayer(opacity, position)
    case .standardizedError: return try standardized(opacity, position)
    case .validity: return validity(opacity, Veil(opacity, at: position))
    case .detections, .wireframe: preconditionFailure("marks are not pixels")
    }
  }

  /// What a layer of differences shows, metres, NaN where there is none.
  /// - Parameter name: `error`, `residual` or `deviation`.
  /// - Throws: `FathomError` `.badData` where the frame has no truth.
  func differences(_ name: LayerName) throws(FathomError) -> Raster<Float> {
    switch name {
    case .residual: residual()
    case .deviation: deviation
    default: try error()
    }
  }

  /// The source's map without what the user leaves out.
  private var depth: DepthMap {
    guard selection.minimumConfidence != nil || selection.depthRange != nil else {
      return view.prediction.depth
    }
    var map = view.prediction.depth
    let confidence = view.frame.confidence?.resampledNearest(to: map.size)
    for (index, depth) in map.values.enumerated() {
      let isConfident = (confidence?.values[index] ?? 2) >= selection.minimumConfidence ?? 0
      if !isConfident || selection.depthRange?.contains(Double(depth)) == false { map.values[index] = .nan }
    }
    return map
  }

  /// A colour bar that says whether depths lie beyond its ends.
  private func bar(_ scale: ColourScale, of depth: DepthMap, _ veil: Veil?) -> Legend {
    let known = depth.values.lazy.filter { $0 > 0 && $0.isFinite }
    return .bar(scale, passedEnds: ScaleEnds(passedBy: known, of: scale.range), veil: veil)
  }

  private func image() throws -> CameraImage {
    guard let image = view.frame.image else {
      throw view.lacks(
        "image/rgb", "there is none", "name layers that need no image, such as \(option: "layer") turbo")
    }
    return try CameraImage(image, size: view.size)
  }

  private func confidence() throws(FathomError) -> Raster<UInt8> {
    guard let confidence = view.frame.confidence else {
      throw view.lacks("lidar/confidence", "there is none", "leave confidence out of the layers")
    }
    return confidence
  }

  private var fog: (layer: any PictureLayer, legends: [Legend]) {
    // The sample's blur is counted in pixels of the LiDAR's map, whichever map is drawn.
    let sigma = options.request.fogSigma * Double(depth.width) / Double(view.frame.lidar.width)
    let layer = Fog(
      depth, sigma: sigma, colour: options.request.fogColour, depthOfFullFog: Float(options.request.fogMax))
    let (most, colour) = (options.request.fogMax, options.request.fogColour)
    let entries = [
      Legend.Entry("none at 0 m", Colour(colour, alpha: 0)),
      Legend.Entry("half at \(Self.number(most / 2)) m", Colour(colour, alpha: 0.5)),
      Legend.Entry("full from \(Self.number(most)) m", Colour(colour)),
    ]
    return (layer, [.entries(title: "fog", entries)])
  }

  private func error() throws(FathomError) -> Raster<Float> {
    guard let truth = view.frame.truth else {
      throw view.lacks("truth/depth", "there is none", "leave error out of the layers")
    }
    return SignedError.differences(of: depth, from: truth, isNearest: view.prediction.sampling == .nearest)
  }

  private func residual() -> Raster<Float> {
    FitResidual.residuals(
      of: view.prediction.depth, at: view.frame.lidar, confidence: view.frame.confidence,
      minimumConfidence: selection.minimumConfidence ?? 2, depthRange: selection.depthRange ?? 0.1...4)
  }

  /// Of the pixels whose depth counts.
  private var deviation: DepthMap {
    let depth = depth
    var map = view.deviation ?? depth
    for index in map.values.indices where depth.values[index].isNaN { map.values[index] = .nan }
    return map
  }

  private func deviationLayer(_ opacity: Float, _ position: Int) -> (
    layer: any PictureLayer, legends: [Legend]
  ) {
    var map = deviation
    let isShort = options.limit(of: .deviation) < 1
    let factor = isShort ? 1000.0 : 1
    map.values = map.values.map { $0 * Float(factor) }
    let scale = ColourScale(
      .viridis, range: 0...factor * options.limit(of: .deviation), label: "standard deviation",
      unit: isShort ? "mm" : "m")
    return (
      PerceptualDepth(map, scale: scale, opacity: opacity), [bar(scale, of: map, Veil(opacity, at: position))]
    )
  }

  /// |d − g|/σ, of a normal error below 3 in 99.7 % of the pixels.
  private func standardized(
    _ opacity: Float, _ position: Int
  ) throws(FathomError) -> (layer: any PictureLayer, legends: [Legend]) {
    var ratios = try error()
    guard let deviation = view.deviation else { return (PerceptualDepth(ratios, scale: Self.ratios), []) }
    BilinearSampler(source: ratios.size, target: deviation.size).forEachSample(of: deviation) {
      index, sigma in
      // A layer of depths leaves out what is not above 0.
      ratios.values[index] = sigma > 0 ? max(abs(ratios.values[index]) / Float(sigma), 1e-6) : .nan
    }
    return (
      PerceptualDepth(ratios, scale: Self.ratios, opacity: opacity),
      [bar(Self.ratios, of: ratios, Veil(opacity, at: position))]
    )
  }

  private static let ratios = ColourScale(.viridis, range: 0...4, label: "|error|/σ")

  private func difference(
    _ values: Raster<Float>, _ name: LayerName, _ position: Int, _ opacity: Float
  ) -> (layer: any PictureLayer, legends: [Legend]) {
    // Over a picture what has no value may show it; alone it must not look like zero.
    let missing = position == 0 ? SignedError.noValue : nil
    let limit = options.limit(of: name)
    let scale = SignedError.scale(limit: limit, label: name.rawValue)
    return (
      SignedError(values, limit: limit, opacity: opacity, missing: missing),
      [
        .bar(
          scale, noValue: missing, passedEnds: ScaleEnds(passedBy: values.values, of: -limit...limit),
          veil: Veil(opacity, at: position))
      ]
    )
  }

  /// The LiDAR's returns are judged as the specified fit does, other maps by what the user asks for.
  private func validity(_ opacity: Float, _ veil: Veil?) -> (layer: any PictureLayer, legends: [Legend]) {
    let isLidar = selection.source == .lidar
    let range = selection.depthRange ?? (isLidar ? 0.1...4 : 0...Double.infinity)
    let level = selection.minimumConfidence ?? (isLidar ? 2 : 0)
    let map = view.prediction.depth
    let relative = isLidar ? view.frame.relative : nil
    let states = Validity.states(
      of: map, confidence: view.frame.confidence?.resampledNearest(to: map.size), minimumConfidence: level,
      depthRange: range, relative: relative)
    let names: [(Validity.State, String?)] = [
      (.used, "counts"), (.noRelative, relative == nil ? nil : "no relative depth"),
      (
        .outOfRange,
        isLidar || selection.depthRange != nil
          ? "outside \(Self.number(range.lowerBound))–\(Self.number(range.upperBound)) m" : nil
      ), (.lowConfidence, level > 0 && view.frame.confidence != nil ? "confidence below \(level)" : nil),
      (.missing, isLidar ? "no return" : "no depth"),
    ]
    let entries = names.compactMap { state, name in name.map { Legend.Entry($0, Colour(state.colour)) } }
    return (Validity(states, opacity: opacity), [.entries(title: "validity", entries, veil: veil)])
  }

  private func bands(_ veil: Veil?) -> Legend {
    .entries(
      title: quantity,
      BandedRamp.bands.reversed().map { Legend.Entry($0.name, Colour($0.first), Colour($0.last)) }, veil: veil
    )
  }

  private static let levels = Legend.entries(
    title: "confidence",
    [
      .init("2 high", Colour(ConfidenceTint.colour, alpha: 0)),
      .init("1 medium", Colour(ConfidenceTint.colour, alpha: 0.5)),
      .init("0 low", Colour(ConfidenceTint.colour)),
    ])

  /// Without decimals that say nothing.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e6 ? String(Int(value)) : "\(value)"
  }
}
