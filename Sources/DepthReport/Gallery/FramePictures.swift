public import DepthCore
import DepthEvaluation
import DepthGraphics

/// The views of a frame that pages show side by side, all of one size.
public struct FramePictures: Sendable {
  let image: Raster<RGB>?
  let lidar: DepthMap
  let fused: DepthMap?
  let truth: DepthMap?

  /// - Parameter fused: nil where the method refused the frame.
  public init(_ frame: DepthFrame, fused: DepthMap?) {
    (image, lidar, truth) = (frame.image, frame.lidar, frame.truth)
    self.fused = fused
  }

  /// One picture of a frame.
  struct Picture {
    /// "image", "LiDAR", "fused", "truth", "error".
    var role: String
    /// In words.
    var what: String
    var raster: Raster<RGB>
    /// nil for the camera's image, which has no scale.
    var tally: GalleryScale.Tally?
  }

  /// Width of the pictures of a report, pixels: enough to see an edge, little enough for a page.
  static let standardWidth = 560

  /// What was measured says what there is to see; a map that fails must not take the colours from it.
  var measured: [DepthMap] { [truth, lidar].compactMap(\.self) }

  /// - Parameter method: Name of what fused, for descriptions.
  func drawn(
    by method: String, _ depth: GalleryScale, _ error: GalleryScale, width: Int = standardWidth
  ) -> [Picture] {
    let size = Self.size(like: image?.size ?? truth?.size ?? fused?.size ?? lidar.size, width: width)
    let image = (try? self.image?.resized(to: size)).map {
      Picture(role: "image", what: "Camera image", raster: $0)
    }
    let maps: [(String, String, DepthMap?, GalleryScale)] = [
      ("LiDAR", "LiDAR depth", lidar, depth),
      ("fused", "Depth fused by \(method)", fused, depth),
      ("truth", "True depth", truth, depth),
      ("error", "Fused minus true depth", errors(size), error),
    ]
    return (image.map { [$0] } ?? [])
      + maps.compactMap { role, what, map, scale in
        map.map { map in
          let drawn = scale.picture(of: map, size)
          return Picture(role: role, what: what, raster: drawn.raster, tally: drawn.tally)
        }
      }
  }

  private static func size(like size: RasterSize, width: Int) -> RasterSize {
    RasterSize(width: width, height: max(1, (width * size.height + size.width / 2) / size.width))
  }

  /// Fused minus true depth on the truth's pixels; NaN where either is missing, nil without one of the maps.
  var errors: DepthMap? { truth.flatMap { errors($0.size) } }

  /// The same at the nearest pixels of a picture.
  private func errors(_ size: RasterSize) -> DepthMap? {
    guard let truth, let fused else { return nil }
    func places(_ count: Int, _ trueLength: Int, _ fusedLength: Int) -> [(truth: Int, fused: Int)] {
      (0..<count).map {
        let place = NearestPixel.index($0, of: count, in: trueLength)
        return (place, NearestPixel.index(place, of: trueLength, in: fusedLength))
      }
    }
    let columns = places(size.width, truth.width, fused.width)
    let rows = places(size.height, truth.height, fused.height)
    let values = [Float](unsafeUninitializedCapacity: size.count) { values, count in
      truth.values.withUnsafeBufferPointer { truths in
        fused.values.withUnsafeBufferPointer { maps in
          for row in rows {
            let (start, own) = (row.truth * truth.width, row.fused * fused.width)
            for column in columns {
              let (truth, fused) = (truths[start + column.truth], maps[own + column.fused])
              let isKnown = truth.isFinite && truth > 0 && fused.isFinite && fused > 0
              values[count] = isKnown ? fused - truth : .nan
              count += 1
            }
          }
        }
      }
    }
    return DepthMap(width: size.width, height: size.height, values: values)
  }
}
