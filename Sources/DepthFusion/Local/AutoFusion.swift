public import DepthCore

/// Chooses form and estimator frame by frame from held-out LiDAR, and mixes the map with the LiDAR by what both are
/// found to be worth. No truth is used.
///
/// 0. Where earlier frames have poses, and their mean is found to predict the present map clearly better than the newest of
///    them (``TemporalFilter/Smoothed/isSupported``), the LiDAR is averaged with them by what they are found to be worth
///    (``SteadiedLidar``). All that follows is of that map.
///    What is independent from pixel to pixel of its error is then lowered by the pixels about it (``DenoisedLidar``).
/// 1. Forms whose slope fits the scene's kind are compared by the held-out error of the residual field, then the
///    estimators in the chosen form: the global line, residual fields of three widths, local regression, guided filter.
///    What is simpler stays unless it is clearly worse. `knn-affine` is not among them: it interpolates the LiDAR, noise
///    included.
/// 2. The chosen one's held-out residuals give σ_map. σ_LiDAR is the calibration's noise model at the return's confidence and
///    depth, or ``LocalOptions/lidarDeviations``, or what is found in the map by confidence and range (``LidarNoise``): how much a pixel differs
///    from the plane through its neighbours. A sensor whose map is smooth is so left alone, however far the whole is off.
///    A map that predicts held-out returns hardly better than the LiDAR about them does has no weight, and none has where the LiDAR's noise
///    cannot be found.
/// 3. A measured pixel gets the inverse-variance mean (``LidarBlend``), a missing one the map. A map with
///    σ_map ≥ 2σ_LiDAR everywhere leaves the LiDAR as it is, to the last bit where nothing is missing.
/// 4. At depth steps the LiDAR's part is read with the camera image as a guide in place of bilinearly, where the image is found to place
///    them better (``PlacedSteps``); also without a network.
///
/// Tuned on what ``LocalOptions`` names; `large` was kept out.
public struct AutoFusion: FusionMethod {
  public init() {}
  public var id: String { "auto" }
  public var role: MethodRole { .automatic }
  /// Earlier frames are averaged in where they are found to help.
  public var needsHistory: Bool { true }
  public var isLiteral: Bool { false }
  public var givesDeviation: Bool { true }
  public func minConfidence(under options: FusionOptions) -> UInt8? { options.minConfidence }
  /// For depth steps that the LiDAR draws wide.
  public var needsImage: Bool { true }
  /// Chosen frame by frame; the result says which.
  public var space: Space? { nil }

  public func fuse(
    _ frame: DepthFrame, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    var frame = frame, remarks: [String] = []
    if let steadied = SteadiedLidar(frame, context) {
      frame.lidar = steadied.map
      remarks.append("the LiDAR is averaged with \(steadied.frames) earlier frames")
    }
    var noise = context.noise(of: frame)
    if let denoised = DenoisedLidar(frame.lidar, noise) {
      frame.lidar = denoised.map
      noise = noise.lowered(to: denoised.deviations)
      remarks.append(
        "the noise is independent from pixel to pixel: neighbours take \(percent(denoised.gain)) of that part of the LiDAR's variance"
      )
    }
    var result = fuse(frame, noise, in: context, using: &generator)
    result.reason = ([result.reason].compactMap { $0 } + remarks).joined(separator: "; ")
    return result
  }

  private func fuse(
    _ frame: DepthFrame, _ noise: LidarNoise, in context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    let options = context.options
    guard let relative = frame.relative
    else { return untouched(frame, noise, context, because: "no relative map", using: &generator) }
    let anchors = LidarAnchors(frame, relative: relative, options: options, noise: noise)
    let forms = AutoForm.candidates(anchors, context)
    guard !forms.isEmpty else {
      return untouched(
        frame, noise, context, because: "\(anchors.count) anchors do not determine a line", using: &generator)
    }
    let choice = AutoChoice(anchors, forms, options)
    let model = choice.best.fit(anchors, choice.form.fit.line, choice.form.space, options)
    let deviation = MapDeviation(
      choice.best.residuals, choice.anchors, deconvolving: frame.confidence != nil && noise.isKnown)
    // Where returns lie too far apart to show their noise, nothing shows that the map is better than they are.
    let mayCorrect = choice.errorWithoutMap == nil && noise.isKnown
    let blend = LidarBlend(
      frame.lidar, anchors.deviation, scatter: anchors.scatter, levels: frame.confidence?.values,
      map: model.apply(to: anchors.relative), mayCorrect ? deviation : .infinite(anchors),
      correlation: options.local.correlation(in: frame.lidar.size))

    var result = FusionResult(status: .ok)
    (result.space, result.pairs) = (choice.form.space, anchors.count)
    (result.line, result.inliers) = (choice.form.fit.line, choice.form.fit.inliers)
    result.design = choice.form.fit.design
    let size = context.outputSize ?? relative.size
    let offset = options.offsetIntoLidar(frame.lidar.size, from: size)
    let steps = frame.image.map {
      PlacedSteps(frame.lidar, $0, at: size, offset: offset, registration: options.registration)
    }
    let sharpened = steps?.depths
    if !blend.usesMap && blend.isComplete && options.registration == nil && sharpened == nil {
      let raw = raw(frame, noise, context, using: &generator)
      result.prediction = raw.prediction
      (result.deviation, result.deviationParts) = (raw.deviation, raw.deviationParts)
    } else {
      let fused = model.apply(
        to: relative, offset: options.offsetIntoLidar(frame.lidar.size, from: relative.size))
      let depth = blend.blended(with: fused, sharpened: sharpened, at: size, offset: offset)
      result.prediction = Prediction(depth: depth)
      if context.wantsDeviation {
        let whole = noise.whole(of: frame.lidar)
        result.state(
          FusedDeviation.blend(
            blend, depth, of: frame.lidar, whole, map: deviation,
            tails: FusedDeviation.tails(choice.best.residuals, choice.anchors, deviation),
            copied: choice.best.noiseGain, offset: offset))
      }
    }
    let lidar = noise.isKnown ? "LiDAR \(percent(Double(anchors.bestDeviation))) at best" : "LiDAR unknown"
    let byDepth = anchors.bestNoise.map { " (found: \($0.words))" } ?? ""
    let idle =
      choice.errorWithoutMap.map {
        "the map says little that the LiDAR does not (\(percent($0)) without it): "
      }
      ?? (noise.isKnown ? nil : "too few returns side by side to find the LiDAR's noise: ")
    let verdict =
      blend.usesMap
      ? "mixed with the LiDAR"
      : (idle ?? "") + "the LiDAR stays\(blend.isComplete ? "" : ", gaps are filled")"
    result.reason =
      "\(choice.summary); σ map \(percent(deviation.overall)), \(lidar)\(byDepth): \(verdict)"
    if let steps { result.reason? += "; \(steps.words)" }
    return result
  }

  private func untouched(
    _ frame: DepthFrame, _ noise: LidarNoise, _ context: FusionContext, because reason: String,
    using generator: inout SplitMix64
  ) -> FusionResult {
    var result = raw(frame, noise, context, using: &generator)
    var reasons = ["\(reason): the LiDAR stays", result.reason].compactMap { $0 }
    if let image = frame.image {
      let options = context.options, size = context.outputSize ?? image.size
      let offset = options.offsetIntoLidar(frame.lidar.size, from: size)
      let steps = PlacedSteps(
        frame.lidar, image, at: size, offset: offset, registration: options.registration)
      reasons.append(steps.words)
      if let depth = steps.depths?.completed(with: frame.lidar, offset: offset) {
        result.prediction = Prediction(depth: depth)
        if context.wantsDeviation {
          result.state(
            FusedDeviation.lidar(
              depth, of: frame.lidar, noise, offset: offset))
        }
      }
    }
    result.reason = reasons.joined(separator: "; ")
    return result
  }

  /// The LiDAR alone. What is left of the noise does not show in a map that was averaged, so that its deviation is of what was found before.
  private func raw(
    _ frame: DepthFrame, _ noise: LidarNoise, _ context: FusionContext, using generator: inout SplitMix64
  ) -> FusionResult {
    var plain = context
    plain.wantsDeviation = false
    var result = RawLiDAR(.bilinear).fuse(frame, in: plain, using: &generator)
    if context.wantsDeviation, let map = result.prediction?.depth {
      result.state(
        FusedDeviation.lidar(map, noise))
    }
    return result
  }
}

/// A form with its global line.
struct AutoForm {
  let space: Space, fit: LineFit

  /// The forms that can be fitted and whose slope fits the kind; all that can be fitted where none does.
  static func candidates(_ anchors: LidarAnchors, _ context: FusionContext) -> [AutoForm] {
    let natural = Space(natural: context.relativeKind)
    let spaces = [natural] + Space.allCases.filter { $0 != natural }
    let fitted = spaces.compactMap { space in
      (try? AnchorLine.fit(anchors, in: space, context.options)).map { AutoForm(space: space, fit: $0) }
    }
    let fitting = fitted.filter {
      $0.space.expectedSlopeSign(for: context.relativeKind).map { [sign = $0.fit.line.scale.sign] in
        $0 == sign
      } ?? true
    }
    return fitting.isEmpty ? fitted : fitting
  }
}

/// Share as "0.52 %".
func percent(_ share: Double) -> String {
  guard share.isFinite else { return "unknown" }
  return "\((share * 10_000).rounded() / 100) %"
}
