import FathomDocuments
public import DepthEvaluation
import DepthGraphics

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

  /// The colour bars of the scales that pictures have, each for a light and for a dark page, and their PNG files.
  /// - Parameter stem: What their names begin with: "gallery/scale-".
  /// - Parameter depthRoles: Roles of the pictures of depth.
  /// - Parameter tallies: Of every picture of a role.
  func bars(
    _ stem: String, _ depthRoles: [String], _ tallies: (String) -> [GalleryScale.Tally]
  ) throws(GraphicsError) -> (blocks: [GalleryBlock.Scale], files: [(name: String, bytes: [UInt8])]) {
    var bars: (blocks: [GalleryBlock.Scale], files: [(name: String, bytes: [UInt8])]) = ([], [])
    for (name, scale, roles) in [("depth", depth, depthRoles), ("error", error, ["error"])] {
      let shown = roles.flatMap(tallies)
      guard !shown.isEmpty else { continue }
      let (file, dark) = ("\(stem)\(name).png", "\(stem)\(name)-dark.png")
      bars.files += [(file, try scale.bar(shown)), (dark, try scale.bar(shown, on: .darkPage))]
      bars.blocks.append(.init(roles: roles, title: scale.title(shown), file: file, darkFile: dark))
    }
    return bars
  }
}
