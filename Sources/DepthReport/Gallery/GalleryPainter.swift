import DepthEvaluation
public import DepthFusion
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

  /// Pictures are this wide, pixels; enough to see an edge, little enough for a page.
  private static let width = 560
  /// What stands for a missing value; no colour of either map is grey.
  private static let missing = RGB(red: 205, green: 205, blue: 205)

  private let views: [Views]
  private let method: String
  private let depth: ColourScale
  private let error: ColourScale

  /// - Parameter method: Its name, for alt texts.
  public init(_ views: [Views], method: String) {
    (self.views, self.method) = (views, method)
    let depths = views.flatMap {
      Self.sampled($0.truth.values).filter { $0.isFinite && $0 > 0 }.map(Double.init)
    }
    let span = ColourScale(.viridis, spanning: depths, label: "depth", unit: "m").range
    let (near, far) = ((span.lowerBound * 10).rounded(.down) / 10, (span.upperBound * 10).rounded(.up) / 10)
    depth = ColourScale(.viridis, range: near...max(far, near + 0.1), label: "depth", unit: "m")
    let errors = views.flatMap { view in
      zip(Self.sampled(Self.errors(of: view).values), 0...).map(\.0).filter(\.isFinite).map {
        abs(Double($0))
      }
    }.sorted()
    let large = errors.isEmpty ? 0.1 : errors[Int(0.95 * Double(errors.count - 1))]
    let limit = Self.round(large)
    error = ColourScale(.vik, range: -limit...limit, label: "fused − truth", unit: "m")
  }

  /// The gallery, with the bytes of its pictures by file name.
  ///
  /// - Throws: `GraphicsError`.
  public func paint() throws(GraphicsError) -> (block: GalleryBlock, files: [(name: String, bytes: [UInt8])])
  {
    var frames: [GalleryBlock.Frame] = []
    var files: [(name: String, bytes: [UInt8])] = []
    for (number, view) in views.enumerated() {
      var pictures: [GalleryBlock.Picture] = []
      let record = view.pick.record
      let title = "\(record.scene)/\(record.frame)"
      for (role, stem, raster, what) in rasters(of: view) {
        let name = "gallery/\(number + 1)-\(stem).jpg"
        files.append((name, try JPEG.encode(raster, quality: 88)))
        pictures.append(.init(role: role, file: name, alt: "\(what), \(title)"))
      }
      frames.append(.init(rank: view.pick.rank, title: title, caption: caption(view), pictures: pictures))
    }
    let scales = [
      ("gallery/scale-depth.png", depth, ["LiDAR", "fused", "truth"]),
      ("gallery/scale-error.png", error, ["error"]),
    ]
    for (name, scale, _) in scales { files.append((name, try Self.bar(scale))) }
    let blocks = scales.map { name, scale, roles in
      let (low, high) = (scale.range.lowerBound, scale.range.upperBound)
      return GalleryBlock.Scale(
        roles: roles,
        title:
          "\(scale.label), \(Rounded.number(low, digits: 3)) to \(Rounded.number(high, digits: 3)) m; grey: no value",
        file: name)
    }
    return (GalleryBlock(frames: frames, scales: blocks), files)
  }

  private func caption(_ view: Views) -> String {
    let record = view.pick.record
    func value(_ column: String) -> String { Rounded.number(record.value(column), digits: 3) }
    return
      "\(method): AbsRel \(value("abs_rel")), MAE \(value("mae_m")) m, RMSE \(value("rmse_m")) m, bias \(value("bias_m")) m, "
      + "coverage \(value("coverage"))"
  }

  private func rasters(of view: Views) -> [(role: String, stem: String, raster: Raster<RGB>, what: String)] {
    let size = Self.size(like: view.image?.size ?? view.truth.size)
    let image = view.image.flatMap { image in
      (try? image.resized(to: size)).map { [("image", "image", $0, "Camera image")] }
    }
    return (image ?? []) + [
      ("LiDAR", "lidar", Self.coloured(view.lidar, depth, size), "LiDAR depth"),
      ("fused", "fused", Self.coloured(view.fused, depth, size), "Depth fused by \(method)"),
      ("truth", "truth", Self.coloured(view.truth, depth, size), "True depth"),
      ("error", "error", Self.coloured(Self.errors(of: view), error, size), "Fused minus true depth"),
    ]
  }

  private static func size(like size: RasterSize) -> RasterSize {
    RasterSize(width: width, height: max(1, (width * size.height + size.width / 2) / size.width))
  }

  /// Nearest values, because a map's pixels are measurements.
  private static func coloured(_ map: DepthMap, _ scale: ColourScale, _ size: RasterSize) -> Raster<RGB> {
    var picture = Raster(width: size.width, height: size.height, filledWith: missing)
    let isError = scale.range.lowerBound < 0
    for row in 0..<size.height {
      let source = NearestPixel.index(row, of: size.height, in: map.height)
      for column in 0..<size.width {
        let value = map[source, NearestPixel.index(column, of: size.width, in: map.width)]
        guard value.isFinite, isError || value > 0, let colour = scale.colour(of: Double(value)) else {
          continue
        }
        picture[row, column] = colour
      }
    }
    return picture
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

  /// Every 37th value: enough for a scale.
  private static func sampled(_ values: [Float]) -> [Float] {
    stride(from: 0, to: values.count, by: 37).map { values[$0] }
  }

  /// Up to 1, 2 or 5 times a power of ten.
  private static func round(_ value: Double) -> Double {
    var power = 1e-6
    while power < 1e6 {
      for digit in [1.0, 2, 5] where digit * power >= value * 0.999 { return digit * power }
      power *= 10
    }
    return power
  }

  private static func bar(_ scale: ColourScale) throws(GraphicsError) -> [UInt8] {
    let height = 240.0
    let measuring = try Canvas(width: 1, height: 1)
    let bar = ColourBar(scale)
    let canvas = try Canvas(width: Int(bar.width(on: measuring)) + 12, height: Int(height) + 24)
    bar.draw(on: canvas, at: [6, 12], height: height)
    return try canvas.png()
  }
}
