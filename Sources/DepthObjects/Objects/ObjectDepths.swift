public import DepthCore

/// The depths of one detected object: the pixels of a depth map in its box, under its mask.
///
/// Any map of the image's field of view will do, so that one object can be measured in the raw LiDAR, in a fused map
/// and in the truth.
public struct ObjectDepths: Sendable, Hashable {
  /// One pixel of the depth map.
  public struct Sample: Sendable, Hashable {
    public var row: Int, column: Int
    /// Planar, metres.
    public var depth: Double
    /// Whether it is on the mask's rim, which ``PointSelection/eroded`` leaves out: there the mask may show what is behind.
    public var isRim = false
  }

  /// Row by row.
  public let samples: [Sample]
  /// The same depths, ascending, metres; at least one.
  public let sorted: [Double]
  /// False where the mask left too few, so that all depths of the box count.
  public let isMasked: Bool
  /// The box, pixels of the camera's image, rows counted from the top.
  public let imageBox: PixelRectangle
  /// Metres; the mean of the middle two.
  public var median: Double { (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2 }

  /// Takes the depths that count.
  ///
  /// The box goes to depth pixels as the app has it: scaled and truncated in Float, last row and column included.
  /// - Parameter depth: Planar, metres, any resolution.
  /// - Parameter confidence: At the depth map's resolution; nil counts as high.
  /// - Parameter imageSize: The image that the box belongs to.
  /// - Parameter mask: The object's with the same options, where it was made before.
  /// - Precondition: `confidence` has the depth map's size.
  public init(
    of object: DetectedObject, in depth: DepthMap, confidence: Raster<UInt8>? = nil, imageSize: RasterSize,
    conventions: DetectionConventions, options: ObjectOptions = ObjectOptions(), mask: ErodedMask? = nil
  ) throws(ObjectPointsError) {
    precondition(confidence.map { $0.size == depth.size } ?? true, "one confidence per depth")
    guard object.box.isFinite else { throw .boxNotFinite }
    let flips = options.flips ?? RowFlips(for: conventions)
    let box = flips.boxToDepth ? object.box.flipped(imageHeight: imageSize.height) : object.box
    let inBox = Self.samples(
      in: depth, confidence, columns: Self.pixels(box.minX, box.maxX, imageSize.width, depth.width),
      rows: Self.pixels(box.minY, box.maxY, imageSize.height, depth.height), options)
    let mask =
      mask ?? ErodedMask(of: object, imageSize: imageSize, conventions: conventions, options: options)
    let masked = mask.map { mask -> [Sample] in
      func sampler(_ mask: Raster<Float>) -> MaskSampler {
        MaskSampler(
          mask, imageSize: imageSize, stride: conventions.maskStride, flipsRows: flips.depthToMask,
          rounding: options.letterboxRounding)
      }
      let (whole, inner) = (sampler(mask.whole), sampler(mask.inner))
      let taps = whole.taps(of: depth.size)
      return inBox.compactMap { sample -> Sample? in
        let (column, row) = (taps.columns[sample.column], taps.rows[sample.row])
        guard whole.value(column, row) > options.maskThreshold else { return nil }
        var sample = sample
        sample.isRim = !(inner.value(column, row) > options.maskThreshold)
        return sample
      }
    }
    isMasked = masked.map { $0.count >= options.fewestMaskedDepths } ?? false
    samples = isMasked ? (masked ?? inBox) : inBox
    guard !samples.isEmpty else { throw .noDepth }
    sorted = RadixOrder.sorted(samples.map { $0.depth })
    imageBox = box
  }

  /// Depth pixels from `low` to `high`, truncated and inclusive.
  private static func pixels(_ low: Float, _ high: Float, _ imageLength: Int, _ length: Int) -> Range<Int> {
    let scale = Float(length) / Float(imageLength)
    func pixel(_ edge: Float) -> Int { Int(saturating: min(max(edge * scale, -1), Float(length))) }
    let (first, last) = (max(0, pixel(low)), min(length - 1, pixel(high)))
    return first..<max(first, last + 1)
  }

  private static func samples(
    in depth: DepthMap, _ confidence: Raster<UInt8>?, columns: Range<Int>, rows: Range<Int>,
    _ options: ObjectOptions
  ) -> [Sample] {
    var samples: [Sample] = []
    for row in rows {
      for column in columns {
        let value = depth[row, column]
        // A value that is not a number is in no range.
        guard options.depthRange.contains(value) else { continue }
        if let confidence, confidence[row, column] < options.minimumConfidence { continue }
        samples.append(Sample(row: row, column: column, depth: Double(value)))
      }
    }
    return samples
  }
}
