internal import CFathomKernels
public import DepthCore
public import FathomPlainText
import DepthFusion

/// Depth of a frame from what the frames around it measured: a truth for posed recordings without a laser.
///
/// High-confidence returns of neighbouring frames are carried into the frame by the poses (``FrameWarp``, with a z-buffer).
/// A pixel's reference is their median where enough of them agree; the frame itself takes no part, so that its own noise
/// is not in it.
///
/// It cannot see what all frames have in common (a wrong scale, an offset, multipath that stays with a surface), nor what
/// wrong poses do; and pixels on which the frames agree are the easier ones, so errors of the sensor come out too small
/// rather than too large.
public struct MultiviewReference: Sendable {
  /// Which returns count, and when they agree.
  public struct Options: Sendable, Hashable, Codable {
    /// Frames before and after, at most this far away.
    public var reach = 30
    /// Of these, as many, evenly spread.
    public var mostViews = 24
    /// Views that a pixel needs.
    public var fewestViews = 6
    /// Median absolute deviation of the views, as a share of their median, from which on they do not agree.
    public var largestSpread = 0.02
    /// Lowest confidence of a return that is carried over; without confidence map all count.
    public var leastConfidence: UInt8 = 2
    public init() {}
  }

  public let options: Options
  private let convention: CameraConvention

  /// - Throws: ``MultiviewFailure`` where the scene lacks what it takes.
  public init(_ scene: SceneHeader, options: Options = Options()) throws(MultiviewFailure) {
    guard scene.lidarSize != nil else { throw .noLidar }
    guard scene.hasPoses else { throw .noPoses }
    guard scene.cameraConvention != .unknown else { throw .unknownConvention }
    guard scene.intrinsics != nil else { throw .noIntrinsics }
    guard scene.frameCount > options.fewestViews
    else { throw .tooFewFrames(scene.frameCount, needed: options.fewestViews + 1) }
    (self.options, convention) = (options, scene.cameraConvention)
  }

  /// What the header of the scene says once its truth is this reference.
  public static func header(of scene: SceneHeader) -> SceneHeader {
    var header = scene
    (header.truthSize, header.truthKind, header.truthIndependence) = (scene.lidarSize, .planar, .multiview)
    header.hasTruthDeviation = false
    return header
  }

  /// The frame with this reference as its truth; unknown throughout where its camera is.
  public func applied(to frame: DepthFrame, from others: [DepthFrame]) -> DepthFrame {
    var frame = frame
    frame.truth =
      depth(of: frame, from: others)
      ?? DepthMap(width: frame.lidar.width, height: frame.lidar.height, filledWith: .nan)
    return frame
  }

  /// The reference at the LiDAR's resolution, metres; NaN where it is unknown.
  /// - Parameter others: Frames around; `frame` itself is passed over, and so are those without usable camera.
  /// - Returns: nil where the frame's own pose or intrinsics are missing.
  public func depth(of frame: DepthFrame, from others: [DepthFrame]) -> DepthMap? {
    guard let pose = frame.worldFromCamera, pose.isUsable, let camera = frame.intrinsics else { return nil }
    let size = frame.lidar.size
    let seen = others.compactMap { other -> (DepthFrame, CameraIntrinsics, RigidTransform)? in
      guard other.index != frame.index, let own = other.worldFromCamera, own.isUsable,
        let otherCamera = other.intrinsics
      else { return nil }
      return (other, otherCamera, .cameraMotion(from: own, to: pose, convention))
    }
    var result = DepthMap(width: size.width, height: size.height, filledWith: .nan)
    guard seen.count >= options.fewestViews else { return result }
    // One map after the other.
    let views = [Float](unsafeUninitializedCapacity: seen.count * size.count) { maps, count in
      for (other, otherCamera, motion) in seen {
        FrameWarp.carry(
          options.trusted(other), otherCamera, to: size, camera, targetFromSource: motion,
          into: UnsafeMutableBufferPointer(rebasing: maps[count..<count + size.count]))
        count += size.count
      }
    }
    var room = [Float](repeating: 0, count: view_agreement_room(seen.count))
    view_agreement(
      views, seen.count, size.count, options.fewestViews, Float(options.largestSpread), &room, &result.values)
    return result
  }
}

extension MultiviewReference.Options {
  /// Returns of sufficient confidence; the others are none.
  func trusted(_ frame: DepthFrame) -> DepthMap {
    guard let confidence = frame.confidence else { return frame.lidar }
    var map = frame.lidar
    for index in map.values.indices where confidence.values[index] < leastConfidence {
      map.values[index] = .nan
    }
    return map
  }
}

/// Why a scene has no multi-view reference.
public enum MultiviewFailure: Error, Sendable, Equatable, CustomStringConvertible {
  case noLidar, noPoses, unknownConvention, noIntrinsics, tooFewFrames(Int, needed: Int)

  public var description: String {
    switch self {
    case .noLidar: "it has no LiDAR depth"
    case .noPoses: "it has no poses, so its frames cannot be carried into each other"
    case .unknownConvention: "the axes of its poses are not declared"
    case .noIntrinsics: "it has no intrinsics, so its depth cannot be carried into other frames"
    case .tooFewFrames(let count, let needed): "it has \(count) frames, at least \(needed) are needed"
    }
  }

  public var advice: Wording {
    switch self {
    case .noLidar: "choose other scenes with \(option: "scenes")"
    case .unknownConvention: "find them with 'fathom diagnose' and set the attribute 'convention'"
    case .noIntrinsics:
      "give them to 'fathom import' with \(option: "intrinsics") fx,fy,cx,cy, or choose other scenes with \(option: "scenes")"
    case .noPoses: "record them, or choose other scenes with \(option: "scenes")"
    case .tooFewFrames:
      "record more frames of the same place, or choose other scenes with \(option: "scenes")"
    }
  }
}
