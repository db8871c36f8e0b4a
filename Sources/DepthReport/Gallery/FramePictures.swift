public import DepthCore
import DepthExport
public import DepthFusion
import DepthGraphics
public import DepthObjects

/// The views of a frame that pages show side by side, all of one size.
public struct FramePictures: Sendable {
  /// What the map of the method in question is; the raw value is the role of its picture.
  public enum Map: String, Sendable {
    /// Of a LiDAR and a relative map, or the sensor's own.
    case fused
    /// Of a network.
    case prediction
    public init(of method: MethodSelection) { self = method.role == .stored ? .prediction : .fused }
    private var participle: String { self == .fused ? "fused" : "predicted" }
    /// "Depth fused by auto"
    func description(_ method: String) -> String { "Depth \(participle) by \(method)" }
    var errorDescription: String { "\(participle.capitalizedFirst) minus true depth" }
  }

  private(set) var image: Raster<RGB>?
  /// nil where the frame has none.
  let lidar: DepthMap?
  /// The map of the method in question, metres.
  private(set) var shown: DepthMap?
  private(set) var truth: DepthMap?
  /// Errors that ``reduced(to:hasCloud:)`` took from the whole maps.
  private var reducedErrors: [DepthMap] = []
  let map: Map
  /// Where the frame's camera stands; nil where that is not known.
  let camera: PosedCamera?
  private let intrinsics: CameraIntrinsics?

  /// - Parameter shown: Metres; nil where the method refused the frame.
  /// - Parameter camera: Of the frame in its world; nil where that is not known.
  public init(_ frame: DepthFrame, shown: DepthMap?, as map: Map, seenBy camera: PosedCamera? = nil) {
    (image, lidar, truth) = (frame.image, frame.hasLidar ? frame.lidar : nil, frame.truth)
    (self.shown, self.map, self.camera, intrinsics) = (shown, map, camera, frame.intrinsics)
  }

  /// The same with those pixels alone that its pictures and clouds show: twelve frames of a large truth wait for each other's scales.
  /// - Parameter hasCloud: Whether ``clouds(_:most:seenBy:)`` will be asked for, which needs every pixel of the shown map.
  func reduced(to width: Int = standardWidth, hasCloud: Bool) -> FramePictures {
    guard let size = size(width) else { return self }
    var reduced = self
    reduced.reducedErrors = ([size] + (hasCloud ? [shown?.size].compactMap(\.self) : [])).compactMap(errors)
    reduced.truth = truth?.resampledNearest(to: size)
    guard !hasCloud else { return reduced }
    reduced.shown = shown?.resampledNearest(to: size)
    reduced.image = image.flatMap { try? $0.resized(to: size) }
    return reduced
  }

  struct Picture {
    var role: String  // "image", "LiDAR", "fused" or "prediction", "truth", "error".
    var what: String  // In words.
    var raster: Raster<RGB>
    /// nil for the camera's image, which has no scale.
    var tally: GalleryScale.Tally?
  }

  /// Roles of the pictures of depth that such frames can have, in their order.
  static func depthRoles(_ map: Map, hasLidar: Bool) -> [String] {
    (hasLidar ? ["LiDAR"] : []) + [map.rawValue, "truth"]
  }

  /// Width of the pictures of a report, pixels: enough to see an edge, little enough for a page.
  package static let standardWidth = 560
  /// What was measured says what there is to see; a map that fails must not take the colours from it.
  var measured: [DepthMap] { [truth, lidar].compactMap(\.self) }

  /// - Parameter method: Name of whose map is shown, for descriptions.
  func drawn(by method: String, _ scales: GalleryScales, width: Int = standardWidth) -> [Picture] {
    guard let size = size(width) else { return [] }
    let image = (try? self.image?.resized(to: size)).map {
      Picture(role: "image", what: "Camera image", raster: $0)
    }
    let maps: [(String, String, DepthMap?, GalleryScale)] = [
      ("LiDAR", "LiDAR depth", lidar, scales.depth),
      (map.rawValue, map.description(method), shown, scales.depth),
      ("truth", "True depth", truth, scales.depth),
      ("error", map.errorDescription, errors(size), scales.error),
    ]
    return (image.map { [$0] } ?? [])
      + maps.compactMap { role, what, map, scale in
        map.map { map in
          let drawn = scale.picture(of: map, size)
          return Picture(role: role, what: what, raster: drawn.raster, tally: drawn.tally)
        }
      }
  }

  /// Points of a cloud at most: with the cloud of a scene less than half of a megabyte of a page as text.
  static let mostPoints = 11_000

  /// Every so many pixels of the shown map as points, coloured by error and, where there are such, by the source of a fused map's depth
  /// and by the image; nil without truth or intrinsics.
  /// - Parameter camera: Of the frame; nil for points before the camera.
  func clouds(
    _ error: GalleryScale, most: Int = mostPoints, seenBy camera: PosedCamera? = nil
  ) -> [(colour: String, points: PointCloud)]? {
    guard let shown, let intrinsics, let errors = errors(shown.size) else { return nil }
    let step = Int((Double(shown.size.count) / Double(most)).squareRoot().rounded(.up))
    var thinned = shown
    for index in thinned.values.indices
    where (index / shown.width) % step != step / 2 || (index % shown.width) % step != step / 2 {
      thinned.values[index] = .nan
    }
    let camera = camera ?? PosedCamera(intrinsics, .identity, .arkit)
    let source = map == .fused ? lidar.map { DepthOrigin.picture(of: thinned, lidar: $0) } : nil
    let colours =
      [("error", error.picture(of: errors, shown.size).raster)] + (source.map { [("source", $0)] } ?? [])
      + (image.map { [("image", $0)] } ?? [])
    return colours.map { name, raster in
      (name, PointCloud(of: thinned, seenBy: camera, confidence: nil, .init(), colouring: .image(raster)))
    }
  }

  /// Of pictures; nil where there is nothing to draw.
  private func size(_ width: Int) -> RasterSize? {
    (image?.size ?? truth?.size ?? shown?.size ?? lidar?.size).map {
      RasterSize(width: width, height: max(1, (width * $0.height + $0.width / 2) / $0.width))
    }
  }

  /// The shown map minus true depth on the truth's pixels; NaN where either is missing, nil without one of the maps.
  var errors: DepthMap? { truth.flatMap { errors($0.size) } }

  /// The same at the nearest pixels of a picture.
  private func errors(_ size: RasterSize) -> DepthMap? {
    if let known = reducedErrors.first(where: { $0.size == size }) { return known }
    guard let truth, let shown else { return nil }
    func places(_ count: Int, _ trueLength: Int, _ ownLength: Int) -> [(truth: Int, own: Int)] {
      (0..<count).map {
        let place = NearestPixel.index($0, of: count, in: trueLength)
        return (place, NearestPixel.index(place, of: trueLength, in: ownLength))
      }
    }
    let columns = places(size.width, truth.width, shown.width)
    let rows = places(size.height, truth.height, shown.height)
    let values = [Float](unsafeUninitializedCapacity: size.count) { values, count in
      truth.values.withUnsafeBufferPointer { truths in
        shown.values.withUnsafeBufferPointer { maps in
          for row in rows {
            let (start, own) = (row.truth * truth.width, row.own * shown.width)
            for column in columns {
              let (truth, depth) = (truths[start + column.truth], maps[own + column.own])
              let isKnown = truth.isFinite && truth > 0 && depth.isFinite && depth > 0
              values[count] = isKnown ? depth - truth : .nan
              count += 1
            }
          }
        }
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }
}
