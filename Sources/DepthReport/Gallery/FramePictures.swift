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
      ("error", "Fused minus true depth", errors, error),
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
  var errors: DepthMap? {
    guard var errors = truth, let map = fused else { return nil }
    for row in 0..<errors.height {
      let fusedRow = NearestPixel.index(row, of: errors.height, in: map.height)
      for column in 0..<errors.width {
        let truth = errors[row, column]
        let fused = map[fusedRow, NearestPixel.index(column, of: errors.width, in: map.width)]
        let isKnown = truth.isFinite && truth > 0 && fused.isFinite && fused > 0
        errors[row, column] = isKnown ? fused - truth : .nan
      }
    }
    return errors
  }
}
