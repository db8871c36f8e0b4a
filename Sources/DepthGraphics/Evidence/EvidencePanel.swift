public import DepthCore

extension EvidencePicture {
  /// One view of a frame under one hypothesis, "declared" or "supported".
  public struct Panel: Sendable {
    /// One line above it: "declared: world from camera".
    public var title: String
    public var background: Background
    /// Drawn in this order, later ones over earlier ones.
    public var points: [ProjectedPoint]
    /// What it shows, in words; broken into lines below it.
    public var caption: String

    public init(title: String, background: Background, points: [ProjectedPoint] = [], caption: String = "") {
      (self.title, self.background, self.points, self.caption) = (title, background, points, caption)
    }
  }

  /// What lies under the points. Every raster covers the whole field of view, at any resolution.
  public enum Background: Sendable {
    /// The camera image, in grey and softened, so that only points are coloured.
    case image(Raster<RGB>)
    /// A depth map in metres as grey, near light and far dark, for frames without an image; missing depth is white.
    case depth(DepthMap)
    /// A relative map in eight bands of as many pixels each, coloured by rank, and over it, as lines, the depths in metres
    /// that divide the LiDAR's pixels likewise. Where the two maps agree, each line runs along the border of two bands;
    /// where one is mirrored or turned, lines cross them. Take ``ColourScale/ranks(_:)`` for the picture's scale.
    case relative(DepthMap, contours: DepthMap?)
  }

  /// A point over a panel.
  public struct ProjectedPoint: Sendable, Hashable {
    /// Pixels of the picture's ``EvidencePicture/imageSize``, from the outer corner of its top-left pixel; what lies
    /// outside is not drawn.
    public var u: Double, v: Double
    /// In the unit of the picture's scale; NaN, no value, is drawn white.
    public var value: Double
    public init(u: Double, v: Double, value: Double) { (self.u, self.v, self.value) = (u, v, value) }
  }
}
