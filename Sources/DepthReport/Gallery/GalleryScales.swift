public import DepthEvaluation

/// Ends of the colour scales that pictures of several frames share, gathered frame by frame.
public struct GalleryScales: Sendable {
  private var spans: [ClosedRange<Double>] = [], limits: [Double] = []
  private let units: LengthUnit
  let map: FramePictures.Map  // What the errors are of.

  /// - Parameter units: In which the bar of errors is labelled.
  public init(units: LengthUnit = .millimetres, map: FramePictures.Map = .fused) {
    (self.units, self.map) = (units, map)
  }

  public mutating func add(_ found: Found) {
    spans += found.spans
    limits += found.limits
  }

  /// What one frame says of the scales.
  public struct Found: Sendable {
    let spans: [ClosedRange<Double>], limits: [Double]

    public init(_ pictures: FramePictures) {
      // What was measured says what there is to see; a map that fails must not take the colours from it.
      spans = pictures.measured.compactMap(GalleryScale.depthSpan)
      limits = pictures.errors.flatMap(GalleryScale.errorLimit).map { [$0] } ?? []
    }
  }

  var depth: GalleryScale { GalleryScale(depthSpans: spans) }
  var error: GalleryScale { GalleryScale(errorLimits: limits, of: map, units: units) }
}
