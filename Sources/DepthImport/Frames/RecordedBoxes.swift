private import Foundation
internal import DepthCore
internal import DepthDataset
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomStorage

/// True boxes that a recording has, each by itself in the world.
struct RecordedBoxes: Sendable {
  struct Box: Sendable {
    var label: String, box: OrientedBox
  }

  private(set) var boxes: [Box] = []
  /// Why others were skipped.
  private(set) var dropped: [(label: String, reason: String)] = []
  /// Whether the recorder says that no boxes were drawn here.
  private(set) var isUnlabelled = false

  /// ARKitScenes' annotation.
  /// - Throws: `PictureFault` where the text is none.
  init(arkitscenes text: String) throws(PictureFault) {
    guard let json = try? JSONValue(text: text), case .list(let entries)? = json["data"]
    else { throw PictureFault("it is not a box annotation: it has no list 'data'") }
    if case .bool(true)? = json["skipped"] {
      isUnlabelled = true
      return
    }
    for (index, entry) in entries.enumerated() {
      var label = "box \(index)"
      if case .text(let name)? = entry["label"], !name.isEmpty { label = name }
      let box = entry.value(at: "segments.obbAligned")
      do throws(PictureFault) { boxes.append(Box(label: label, box: try Self.box(box))) } catch {
        dropped.append((label, error.reason))
      }
    }
  }

  /// Rows of `normalizedAxes` are the box's axes in the world, and `axesLengths` the whole lengths along them.
  private static func box(_ json: JSONValue?) throws(PictureFault) -> OrientedBox {
    guard let center = json?["centroid"]?.numbers, let lengths = json?["axesLengths"]?.numbers,
      let axes = json?["normalizedAxes"]?.numbers, center.count == 3, lengths.count == 3, axes.count == 9,
      (center + lengths + axes).allSatisfy({ $0.isFinite && abs($0) <= 1e6 })
    else { throw PictureFault("it has no centroid, axesLengths and normalizedAxes of 3, 3 and 9 numbers") }
    guard lengths.allSatisfy({ $0 > 0 }) else { throw PictureFault("one of its sides is not above 0") }
    let rows = (0..<3).map { SIMD3(axes[3 * $0], axes[3 * $0 + 1], axes[3 * $0 + 2]) }
    // An upright box has one axis along the world's z; its length axis is the next one in the file.
    guard let upright = (0..<3).max(by: { abs(rows[$0].z) < abs(rows[$1].z) }), abs(rows[upright].z) > 0.999,
      rows.allSatisfy({ abs(($0 * $0).sum() - 1) < 0.01 })
    else { throw PictureFault("it does not stand upright") }
    let (length, width) = upright == 0 ? (1, 2) : upright == 1 ? (0, 2) : (0, 1)
    let axis = rows[length]
    return OrientedBox(
      center: SIMD3(center[0], center[1], center[2]),
      size: SIMD3(lengths[length], lengths[upright], lengths[width]), yaw: atan2(-axis.y, axis.x))
  }

  /// The boxes that a camera sees, as detections of its frame: the rectangle around their corners, cut at the edge of the picture.
  /// - Parameter pose: World from camera.
  /// - Parameter axes: Of the pose; undeclared ones are taken as ARKit's.
  func detections(
    frame: Int, _ camera: CameraIntrinsics, _ pose: RigidTransform, axes: CameraConvention
  ) -> [DetectedObject] {
    let toCamera = pose.inverse
    let (width, height) = (Double(camera.imageSize.width), Double(camera.imageSize.height))
    return boxes.compactMap { entry in
      var (low, high) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
      for corner in Self.corners(entry.box) {
        let p = toCamera(corner)
        let (right, down, ahead) = axes == .opencv ? (p.x, p.y, p.z) : (p.x, -p.y, -p.z)
        // A box that reaches behind the camera has no rectangle.
        guard ahead > 0.05 else { return nil }
        let pixel = SIMD2(camera.cx + camera.fx * right / ahead, camera.cy + camera.fy * down / ahead)
        (low, high) = (pointwiseMin(low, pixel), pointwiseMax(high, pixel))
      }
      let whole = (high - low).x * (high - low).y
      low = pointwiseMax(low, .zero)
      high = pointwiseMin(high, SIMD2(width, height))
      let side = high - low
      // Where less than a tenth is in the picture, nothing there could be called the object.
      guard side.x > 1, side.y > 1, side.x * side.y >= 0.1 * whole else { return nil }
      return DetectedObject(
        frame: frame, label: entry.label, score: 1,
        box: PixelRectangle(minX: Float(low.x), minY: Float(low.y), maxX: Float(high.x), maxY: Float(high.y)),
        truth: entry.box)
    }
  }

  /// In a world whose z points up.
  private static func corners(_ box: OrientedBox) -> [SIMD3<Double>] {
    let along = SIMD3(cos(box.yaw), -sin(box.yaw), 0), across = SIMD3(sin(box.yaw), cos(box.yaw), 0)
    return [-0.5, 0.5].flatMap { x in
      [-0.5, 0.5].flatMap { y in
        [-0.5, 0.5].map { z in
          let planar = box.center + along * (x * box.size.x) + across * (z * box.size.z)
          return planar + SIMD3(0, 0, y * box.size.y)
        }
      }
    }
  }
}
