import PlainText
public import DepthCore
import DepthEvaluation
public import DepthGraphics

/// Draws picked frames, all with the same scales of colours.
public struct GalleryPainter: Sendable {
  /// What of a frame is shown.
  public struct Views: Sendable {
    let pick: GallerySelection.Pick
    let image: Raster<RGB>?
    let lidar: DepthMap
    let fused: DepthMap
    let truth: DepthMap

    /// nil for a frame without truth.
    public init?(_ pick: GallerySelection.Pick, _ frame: DepthFrame, fused: DepthMap) {
      guard let truth = frame.truth else { return nil }
      (self.pick, image, lidar) = (pick, frame.image, frame.lidar)
      (self.fused, self.truth) = (fused, truth)
    }
  }

  /// The gallery, with the bytes of its pictures by file name.
  public typealias Pictures = (block: GalleryBlock, files: [(name: String, bytes: [UInt8])])

  /// Pictures are this wide, pixels; enough to see an edge, little enough for a page.
  private static let width = 560

  private let views: [Views]
  private let method: String
  private let depth: GalleryScale
  private let error: GalleryScale

  /// - Parameter method: Its name, for alt texts.
  public init(_ views: [Views], method: String) {
    (self.views, self.method) = (views, method)
    // What was measured says what there is to see; a map that fails must not take the colours from it.
    depth = GalleryScale(depths: views.flatMap { [$0.truth, $0.lidar] })
    error = GalleryScale(errors: views.map(Self.errors))
  }

  /// - Throws: `GraphicsError`.
  public func paint() throws(GraphicsError) -> Pictures {
    var frames: [GalleryBlock.Frame] = []
    var files: [(name: String, bytes: [UInt8])] = []
    var tallies: [String: [GalleryScale.Tally]] = [:]
    for (number, view) in views.enumerated() {
      var pictures: [GalleryBlock.Picture] = []
      let record = view.pick.record
      let title = "\(record.scene)/\(record.frame)"
      for picture in self.pictures(of: view) {
        let name = "gallery/\(number + 1)-\(picture.role.lowercased()).jpg"
        files.append((name, try JPEG.encode(picture.raster, quality: 70)))
        pictures.append(.init(role: picture.role, file: name, alt: "\(picture.what), \(title)"))
        if let tally = picture.tally { tallies[picture.role, default: []].append(tally) }
      }
      frames.append(
        .init(
          rank: view.pick.rank, title: title, caption: caption(view), pictures: pictures,
          anchor: FrameStrip.galleryAnchor(view.pick.number)))
    }
    let scales = [
      ("gallery/scale-depth.png", depth, ["LiDAR", "fused", "truth"]),
      ("gallery/scale-error.png", error, ["error"]),
    ]
    let blocks = try scales.map { (name, scale, roles) throws(GraphicsError) in
      let shown = roles.flatMap { tallies[$0] ?? [] }
      files.append((name, try scale.bar(shown)))
      return GalleryBlock.Scale(roles: roles, title: scale.title(shown), file: name)
    }
    return (GalleryBlock(frames: frames, scales: blocks), files)
  }

  private func caption(_ view: Views) -> String {
    let record = view.pick.record
    func value(_ column: MetricColumn) -> String { Quantity(record.value(column), .significant(3)).text }
    return
      "\(method.literal): AbsRel \(value(.absRel)), MAE \(value(.mae)) m, RMSE \(value(.rmse)) m, bias \(value(.bias)) m, "
      + "coverage \(value(.coverage))"
  }

  /// One picture of a frame.
  private struct Picture {
    var role: String
    var what: String
    var raster: Raster<RGB>
    /// nil for the camera's image, which has no scale.
    var tally: GalleryScale.Tally?
  }

  private func pictures(of view: Views) -> [Picture] {
    let size = Self.size(like: view.image?.size ?? view.truth.size)
    let image = (try? view.image?.resized(to: size)).map {
      Picture(role: "image", what: "Camera image", raster: $0)
    }
    let maps = [
      ("LiDAR", "LiDAR depth", view.lidar, depth),
      ("fused", "Depth fused by \(method)", view.fused, depth),
      ("truth", "True depth", view.truth, depth),
      ("error", "Fused minus true depth", Self.errors(of: view), error),
    ]
    return (image.map { [$0] } ?? [])
      + maps.map { role, what, map, scale in
        let drawn = scale.picture(of: map, size)
        return Picture(role: role, what: what, raster: drawn.raster, tally: drawn.tally)
      }
  }

  private static func size(like size: RasterSize) -> RasterSize {
    RasterSize(width: width, height: max(1, (width * size.height + size.width / 2) / size.width))
  }

  /// Fused minus true depth on the truth's pixels; NaN where either is missing.
  private static func errors(of view: Views) -> DepthMap {
    var errors = view.truth
    for row in 0..<errors.height {
      let fusedRow = NearestPixel.index(row, of: errors.height, in: view.fused.height)
      for column in 0..<errors.width {
        let truth = errors[row, column]
        let fused = view.fused[fusedRow, NearestPixel.index(column, of: errors.width, in: view.fused.width)]
        let isKnown = truth.isFinite && truth > 0 && fused.isFinite && fused > 0
        errors[row, column] = isKnown ? fused - truth : .nan
      }
    }
    return errors
  }
}
