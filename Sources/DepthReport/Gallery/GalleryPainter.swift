import PlainText
public import DepthCore
public import DepthEvaluation
public import DepthGraphics

/// Draws picked frames, all with the same scales of colours.
public struct GalleryPainter: Sendable {
  /// What of a frame is shown.
  public struct Views: Sendable {
    let pick: GallerySelection.Pick
    let pictures: FramePictures

    /// nil for a frame without truth.
    public init?(_ pick: GallerySelection.Pick, _ frame: DepthFrame, fused: DepthMap) {
      guard frame.truth != nil else { return nil }
      self.pick = pick
      pictures = FramePictures(frame, fused: fused)
    }
  }

  /// The gallery, with the bytes of its pictures by file name.
  public typealias Pictures = (block: GalleryBlock, files: [(name: String, bytes: [UInt8])])

  private let views: [Views]
  private let method: String
  private let units: LengthUnit
  private let depth: GalleryScale
  private let error: GalleryScale

  /// - Parameters:
  ///   - method: Its name, for alt texts.
  ///   - units: Of lengths in captions.
  public init(_ views: [Views], method: String, units: LengthUnit) {
    (self.views, self.method, self.units) = (views, method, units)
    // What was measured says what there is to see; a map that fails must not take the colours from it.
    depth = GalleryScale(depths: views.flatMap(\.pictures.measured))
    error = GalleryScale(errors: views.compactMap(\.pictures.errors), units: units)
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
      for picture in view.pictures.drawn(by: method, depth, error) {
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
      ("gallery/scale-depth", depth, ["LiDAR", "fused", "truth"]),
      ("gallery/scale-error", error, ["error"]),
    ]
    let blocks = try scales.map { (name, scale, roles) throws(GraphicsError) in
      let shown = roles.flatMap { tallies[$0] ?? [] }
      let (file, darkFile) = ("\(name).png", "\(name)-dark.png")
      files.append((file, try scale.bar(shown)))
      files.append((darkFile, try scale.bar(shown, on: .darkPage)))
      return GalleryBlock.Scale(roles: roles, title: scale.title(shown), file: file, darkFile: darkFile)
    }
    return (GalleryBlock(frames: frames, scales: blocks), files)
  }

  private func caption(_ view: Views) -> String {
    let record = view.pick.record
    func value(_ column: MetricColumn) -> String {
      let display = units.display(column.metric)
      return Quantity(
        record.value(column), .supported(times: display.scale, unit: display.symbol ?? "")
      ).text
    }
    return
      "\(method.literal): AbsRel \(value(.absRel)), MAE \(value(.mae)), RMSE \(value(.rmse)), bias \(value(.bias)), "
      + "coverage \(value(.coverage))"
  }
}
