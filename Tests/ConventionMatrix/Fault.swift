import DepthCore
import DepthDiagnosis
import DepthObjects

/// One convention broken on purpose.
struct Fault: Sendable {
  /// The finding that should name it, what it should support, and a name where that is not enough.
  let test: String
  let truth: String
  private let label: String?
  /// Whether it is about detected objects.
  let concernsObjects: Bool
  /// Makes the sample's declaration false.
  let apply: @Sendable (inout SceneSample) -> Void
  /// Costs that decide whether data can show it; nil where numbers show it without statistics.
  let statistics: (@Sendable (SceneSample) -> [(axis: ConventionAxis, rows: [[Double]])])?
  /// Whether frames are carried into each other to see it.
  var concernsGeometry: Bool { ["pose-convention", "pose-unit", "depth-kind", "intrinsics"].contains(test) }

  /// Other findings that name it where the first cannot.
  var alsoNamedBy: [String] {
    switch test {
    case "pose-convention": ["pose-axes-by-floor"]
    case "intrinsics": ["intrinsics-size"]
    default: []
    }
  }
  /// Fewest frames that can show it at all.
  var fewestFrames: Int { test == "time-order" ? 2 : 1 }

  /// "relative-orientation=rotated-180".
  var id: String { test + "=" + (label ?? truth) }

  init(
    _ test: String, _ truth: String, by statistics: (any CompetingConvention)? = nil,
    apply: @escaping @Sendable (inout SceneSample) -> Void
  ) {
    (self.test, self.truth, self.apply, label, concernsObjects) = (test, truth, apply, nil, false)
    guard let statistics else {
      self.statistics = nil
      return
    }
    self.statistics = { sample in statistics.profiles(of: sample).map { ($0.axis, $0.rows) } }
  }

  /// Boxes and masks count from the bottom in truth; the file says otherwise.
  private init(declaring box: ImageOrigin, _ mask: ImageOrigin) {
    test = "object-flips"
    truth = RowFlips(boxToDepth: true, depthToMask: true).id
    label = "box-\(box.rawValue)+mask-\(mask.rawValue)"
    concernsObjects = true
    apply = { ($0.conventions.boxOrigin, $0.conventions.maskOrigin) = (box, mask) }
    statistics = { sample in
      let flips = ObjectFlips.measure(
        sample.header, frames: sample.frames, objects: sample.objects, conventions: sample.conventions,
        seed: 0)
      let axis = ConventionAxis(
        id: "object-flips", title: "", hypotheses: flips.hypotheses, declared: flips.declaredID,
        leastExcess: ObjectFlips.leastExcess, costUnit: ObjectFlips.costUnit)
      return [(axis, flips.objection == nil ? flips.costs : [])]
    }
  }

  /// Every fault of the matrix, in the order in which two are applied.
  static let all: [Fault] =
    [alignedCorners, firstPixel, quantisation] + orientations + [kind] + lidar + truths + predictions
    + confidence
    + cameras + poses + times + flips

  private static let orientations = Symmetry.allCases.filter { $0 != .upright }.map { symmetry in
    Fault("relative-orientation", symmetry.rawValue, by: RelativeLayoutConvention()) { sample in
      sample.changeMaps("relative/values") { map, _ in map = symmetry.stored(map) }
      sample.header.relativeSize = sample.frames.first?.relative?.size
    }
  }

  private static let kind = Fault("relative-kind", "other", by: RelativeLayoutConvention()) { sample in
    sample.header.relativeKind = sample.header.relativeKind == .depth ? .disparity : .depth
  }

  private static let quantisation = Fault("relative-quantisation", "8-bit") { sample in
    sample.changeMaps("relative/values") { map, _ in
      guard let low = map.values.min(), let high = map.values.max(), high > low else { return }
      map.values = map.values.map { (($0 - low) / (high - low) * 255).rounded() }
    }
  }

  private static let alignedCorners = resampled(.corners)
  private static let firstPixel = resampled(.scale)

  /// The map as a network's wrapper writes it that resizes by another rule.
  private static func resampled(_ mapping: PositionMapping) -> Fault {
    Fault("relative-registration", mapping.rawValue, by: RegistrationConvention()) { sample in
      guard let lidar = sample.header.lidarSize else { return }
      sample.changeMaps("relative/values") { map, _ in map = map.resampled(lidar: lidar, read: mapping) }
    }
  }

  private static let lidar =
    [("thousand-times-too-large", Float(1000)), ("thousand-times-too-small", 0.001)].map { truth, factor in
      Fault("depth-unit", truth, by: DepthUnitConvention()) { $0.multiply("lidar/depth", by: factor) }
    } + [
      Fault("depth-kind", "distance", by: GeometryConvention()) { sample in
        sample.changeMaps("lidar/depth") { map, frame in map = map.rayLengths(frame.intrinsics) }
      }
    ]

  private static let truths =
    [("thousand-times-too-large", Float(1000)), ("hundred-times-too-large", 100)].map { truth, factor in
      Fault("truth-unit", truth, by: DepthUnitConvention()) { $0.multiply("truth/depth", by: factor) }
    } + [
      Fault("truth-orientation", "mirrored-vertically", by: TruthConvention.orientation) { sample in
        sample.changeMaps("truth/depth") { map, _ in map = Symmetry.mirroredVertically.stored(map) }
      },
      Fault("truth-kind", "distance", by: TruthConvention.kind) { sample in
        sample.changeMaps("truth/depth") { map, frame in map = map.rayLengths(frame.intrinsics) }
      },
    ]

  private static let predictions = [
    Fault("prediction-unit:network", "thousand-times-too-large") {
      $0.multiply("predictions/network/depth", by: 1000)
    }
  ]

  private static let confidence = [
    Fault("confidence-order", "0-is-high", by: ConfidenceOrderConvention()) {
      $0.changeConfidence { 2 - $0 }
    },
    Fault("confidence-scale", "other-levels") { $0.changeConfidence { UInt8(min(255, 128 * Int($0))) } },
  ]

  private static let cameras =
    [IntrinsicsReading.half, .double, .swapped, .cyFromBelow].map { reading in
      Fault("intrinsics", reading.rawValue, by: GeometryConvention()) { sample in
        // Each reading undoes itself or the other one.
        let inverse: IntrinsicsReading = reading == .half ? .double : reading == .double ? .half : reading
        Correction.intrinsics(inverse).apply(to: &sample)
      }
    } + [
      Fault("intrinsics-layout", "transposed") { $0.header.storesTransposed.insert(.intrinsics) }
    ]

  private static let poses: [Fault] = [
    Fault("pose-convention", "arkit", by: GeometryConvention()) { $0.header.cameraConvention = .opencv },
    Fault("pose-convention", "arkit-inverted", by: GeometryConvention()) {
      $0.changePoses { $0 = $0.inverse }
    },
    Fault("pose-convention", "opencv-inverted", by: GeometryConvention()) { sample in
      sample.changePoses { pose in
        (pose.yAxis, pose.zAxis) = (-pose.yAxis, -pose.zAxis)
        pose = pose.inverse
      }
    },
    Fault("pose-unit", "millimetres", by: GeometryConvention()) { $0.changePoses { $0.translation *= 1000 } },
    Fault("pose-layout", "transposed") { $0.header.storesTransposed.insert(.poses) },
    Fault("pose-layout", "left-handed") { $0.changePoses { $0.yAxis *= -1 } },
  ]

  private static let flips = [
    Fault(declaring: .topLeft, .bottomLeft), Fault(declaring: .bottomLeft, .topLeft),
    Fault(declaring: .topLeft, .topLeft),
  ]

  private static let times = [
    Fault("time-order", "unsorted") { sample in
      guard let count = sample.header.timestampsSeconds?.count, count > 1 else { return }
      sample.header.timestampsSeconds?.swapAt(count / 2, count / 2 - 1)
    }
  ]
}

extension SceneSample {
  fileprivate mutating func multiply(_ object: String, by factor: Float) {
    changeMaps(object) { map, _ in map.values = map.values.map { $0 * factor } }
  }

  fileprivate mutating func changeConfidence(_ change: (UInt8) -> UInt8) {
    for index in frames.indices {
      guard let confidence = frames[index].confidence else { continue }
      frames[index].confidence = confidence.mapped(change)
    }
  }
}

extension Symmetry {
  /// An upright map as it is stored where it lies like this.
  fileprivate func stored(_ map: DepthMap) -> DepthMap {
    switch self {
    case .rotated90: Symmetry.rotated270.upright(map)
    case .rotated270: Symmetry.rotated90.upright(map)
    default: upright(map)
    }
  }
}

extension DepthMap {
  /// Planar depth as ray lengths.
  fileprivate func rayLengths(_ intrinsics: CameraIntrinsics?) -> DepthMap {
    guard let camera = intrinsics?.scaled(to: size) else { return self }
    var result = self
    for row in 0..<height {
      for column in 0..<width {
        let x = (Double(column) + 0.5 - camera.cx) / camera.fx,
          y = (Double(row) + 0.5 - camera.cy) / camera.fy
        result[row, column] *= Float((1 + x * x + y * y).squareRoot())
      }
    }
    return result
  }

  /// A map of the same size in which LiDAR pixels lie where `mapping` says, instead of centre on centre.
  fileprivate func resampled(lidar: RasterSize, read mapping: PositionMapping) -> DepthMap {
    func places(_ source: Int, _ target: Int) -> [Double] {
      (0..<target).map { pixel in
        // The LiDAR position that the mapping gives this pixel; the mappings are affine.
        let first = mapping.position(of: 0, source: source, target: target)
        let last = mapping.position(of: source - 1, source: source, target: target)
        let position = (Double(pixel) - first) / (last - first) * Double(source - 1)
        return (position + 0.5) * Double(target) / Double(source) - 0.5
      }
    }
    let (xs, ys) = (places(lidar.width, width), places(lidar.height, height))
    var result = self
    for row in 0..<height {
      let y = Swift.min(Swift.max(ys[row], 0), Double(height - 1))
      let (top, bottom) = (Int(y), Swift.min(Int(y) + 1, height - 1))
      for column in 0..<width {
        let x = Swift.min(Swift.max(xs[column], 0), Double(width - 1))
        let (left, right) = (Int(x), Swift.min(Int(x) + 1, width - 1))
        let (u, v) = (Float(x - Double(left)), Float(y - Double(top)))
        result[row, column] =
          (self[top, left] * (1 - u) + self[top, right] * u) * (1 - v)
          + (self[bottom, left] * (1 - u) + self[bottom, right] * u) * v
      }
    }
    return result
  }
}
