public import FathomDocuments
import FathomDrawingScales
import FathomPlainText
public import DepthCore
public import DepthEvaluation
import DepthExport
import DepthFusion
import Foundation
public import DepthGraphics
public import DepthObjects

/// Draws picked frames, all with the same scales of colours.
public struct GalleryPainter: Sendable {
  /// What of a frame is shown.
  public struct Views: Sendable {
    let pick: GallerySelection.Pick, pictures: FramePictures, found: GalleryScales.Found

    /// nil for a frame without truth.
    /// - Parameter hasCloud: Whether the frame is also shown as points.
    public init?(
      _ pick: GallerySelection.Pick, _ frame: DepthFrame, shown: DepthMap, as map: FramePictures.Map,
      seenBy camera: PosedCamera? = nil, hasCloud: Bool = true
    ) {
      guard frame.truth != nil else { return nil }
      self.pick = pick
      let whole = FramePictures(frame, shown: shown, as: map, seenBy: camera)
      found = GalleryScales.Found(whole)
      pictures = whole.reduced(hasCloud: hasCloud)
    }
  }

  /// The gallery, with the bytes of its pictures by file name.
  public typealias Pictures = (block: GalleryBlock, files: [(name: String, bytes: [UInt8])])
  private let views: [Views], scene: [Views], method: String, units: LengthUnit, scales: GalleryScales

  /// - Parameter scene: Frames of the first view's scene, which become one cloud of points where their poses are known.
  /// - Parameter method: Its name, for alt texts.
  /// - Parameter units: Of lengths in captions.
  public init(_ views: [Views], scene: [Views] = [], method: String, units: LengthUnit) {
    (self.views, self.scene, self.method, self.units) = (views, scene, method, units)
    var scales = GalleryScales(units: units, map: views.first?.pictures.map ?? .fused)
    for view in views { scales.add(view.found) }
    self.scales = scales
  }

  public func paint(jobs: Int) async throws(GraphicsError) -> Pictures {
    var painted: [Result<Painted, GraphicsError>] = []
    await FrameStream(views.indices, jobs: jobs).run { (number) throws(Never) in
      number
    } work: { number in
      Result { () throws(GraphicsError) in try paint(number) }
    } take: { _, frame in
      painted.append(frame)
    }
    var frames: [GalleryBlock.Frame] = []
    var files: [(name: String, bytes: [UInt8])] = []
    var tallies: [String: [GalleryScale.Tally]] = [:]
    for frame in painted {
      let frame = try frame.get()
      frames.append(frame.frame)
      files += frame.files
      for (role, tally) in frame.tallies { tallies[role, default: []].append(tally) }
    }
    let roles = FramePictures.depthRoles(scales.map, hasLidar: views.contains { $0.pictures.lidar != nil })
    let bars = try scales.bars("gallery/scale-", roles) { tallies[$0] ?? [] }
    files += bars.files
    let merged = mergedScene
    if let merged { files.append((merged.block.file, merged.bytes)) }
    return (GalleryBlock(frames: frames, scales: bars.blocks, scene: merged?.block), files)
  }

  private struct Painted: Sendable {
    let frame: GalleryBlock.Frame, files: [(name: String, bytes: [UInt8])]
    let tallies: [String: GalleryScale.Tally]
  }

  private func paint(_ number: Int) throws(GraphicsError) -> Painted {
    let view = views[number]
    var pictures: [GalleryBlock.Picture] = []
    var files: [(name: String, bytes: [UInt8])] = []
    var tallies: [String: GalleryScale.Tally] = [:]
    let record = view.pick.record
    let isImage = record.role == .stored && record.scene == record.frame
    let title = isImage ? record.scene : "\(record.scene)/\(record.frame)"
    for picture in view.pictures.drawn(by: method, scales) {
      let name = "gallery/\(number + 1)-\(picture.role.lowercased()).jpg"
      files.append((name, try JPEG.encode(picture.raster, quality: 70)))
      pictures.append(.init(role: picture.role, file: name, alt: "\(picture.what), \(title)"))
      tallies[picture.role] = picture.tally
    }
    // The worst frame alone: a page has room for one, and for its scene.
    let cloud = number == 0 ? cloud(view, title) : nil
    if let cloud { files.append((cloud.block.file, cloud.bytes)) }
    let frame = GalleryBlock.Frame(
      rank: view.pick.rank, title: title, caption: caption(view), pictures: pictures,
      anchor: FrameStrip.galleryAnchor(view.pick.number), cloud: cloud?.block)
    return Painted(frame: frame, files: files, tallies: tallies)
  }

  private typealias Cloud = (block: GalleryBlock.Cloud, bytes: [UInt8])

  private func cloud(_ view: Views, _ title: String) -> Cloud? {
    guard let clouds = view.pictures.clouds(scales.error), let points = clouds.first?.points.positions,
      let bytes = CloudFile.bytes(points, colours: clouds.map(\.points.colours))
    else { return nil }
    let depths = points.map { -$0.z }.sorted()
    func metres(_ value: Float?) -> String { Quantity.fixed(Double(value ?? 0), 1) }
    let colours = clouds.map(\.colour)
    let block = GalleryBlock.Cloud(
      file: "gallery/cloud.bin", count: points.count, colours: colours,
      alt: "\(view.pictures.map.description(method)), \(title), as \(points.count) points in space, "
        + "\(metres(depths.first)) to \(metres(depths.last)) m from the camera. \(Self.legend(colours))"
    )
    return (block, bytes)
  }

  /// "Colours: error, as in its picture; image."
  private static func legend(_ colours: [String]) -> String {
    let meanings = ["error": ", as in its picture", "source": DepthOrigin.legend]
    return "Colours: \(colours.map { $0 + (meanings[$0] ?? "") }.joined(separator: "; "))."
  }

  /// The frames of the worst frame's scene in their world, each where its pose places it; nil without two such frames.
  private var mergedScene: Cloud? {
    guard let worst = views.first, let viewer = worst.pictures.camera else { return nil }
    let cameras = scene.compactMap { view in view.pictures.camera.map { (view.pictures, camera: $0) } }
    guard cameras.count > 1 else { return nil }
    let ramp = ColourScale(.turbo, range: 0...Double(cameras.count - 1), label: "frame")
    var merged: [(colour: String, points: PointCloud)] = []
    for (number, (pictures, camera)) in cameras.enumerated() {
      guard
        var clouds = pictures.clouds(
          scales.error, most: FramePictures.mostPoints / cameras.count, seenBy: camera),
        let points = clouds.first?.points
      else { continue }
      let colour = ramp.colour(of: Double(number)) ?? RGB(red: 0, green: 0, blue: 0)
      var own = PointCloud()
      for position in points.positions { own.append(SIMD3(position), colour, confidence: 2) }
      clouds.insert(("frame", own), at: 1)
      // What one frame has no colours of, the scene has none of.
      guard !merged.isEmpty else {
        merged = clouds
        continue
      }
      merged = merged.compactMap { known in
        clouds.first { $0.colour == known.colour }.map {
          var points = known.points
          points.append($0.points)
          return (known.colour, points)
        }
      }
    }
    let (points, colours) = (merged.first?.points.positions ?? [], merged.map(\.colour))
    guard let bytes = CloudFile.bytes(points, colours: merged.map(\.points.colours)) else { return nil }
    let forward = viewer.direction(u: viewer.intrinsics.cx, v: viewer.intrinsics.cy)
    let block = GalleryBlock.Cloud(
      file: "gallery/scene.bin", count: points.count, colours: colours,
      alt:
        "\(worst.pictures.map.description(method)), \(cameras.count) frames of \(worst.pick.record.scene), each where its "
        + "pose places it, as \(points.count) points in space. \(Self.legend(colours)) A surface that stands twice has "
        + "wrong depths or poses.",
      yaw: Int((atan2(forward.x, -forward.z) * 180 / .pi).rounded()))
    return (block, bytes)
  }

  private func caption(_ view: Views) -> String {
    let record = view.pick.record
    func value(_ column: MetricColumn) -> String {
      let display = units.display(column.metric)
      return Quantity(record.value(column), .supported(times: display.scale, unit: display.symbol ?? "")).text
    }
    return
      "\(method.literal): AbsRel \(value(.absRel)), MAE \(value(.mae)), RMSE \(value(.rmse)), bias \(value(.bias)), "
      + "coverage \(value(.coverage))"
  }
}
