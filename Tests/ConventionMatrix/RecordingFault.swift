import DepthCore
import DepthDiagnosis
import DepthFusion
import Foundation

/// A convention of a real recording broken on purpose, and how one sees without the diagnosis whether that shows.
struct RecordingFault: Sendable {
  /// What the diagnosis may call it: test and supported reading; an empty reading is any.
  typealias Name = (test: String, reading: String)

  let id: String
  let names: [Name]
  /// The tests that would confirm what is broken, where these are others.
  let about: [String]
  /// Makes the sample's declaration false; nil where the recording has not what the fault is about.
  let apply: @Sendable (SceneSample) -> SceneSample?
  /// Whether the data can show it, from the right and the broken recording; nil where numbers alone show it.
  let shows: (@Sendable (SceneSample, SceneSample) -> Bool)?

  init(
    _ id: String, _ names: [Name], about: [String]? = nil,
    shows: (@Sendable (SceneSample, SceneSample) -> Bool)? = nil,
    apply: @escaping @Sendable (SceneSample) -> SceneSample?
  ) {
    (self.id, self.names, self.shows, self.apply) = (id, names, shows, apply)
    self.about = about ?? names.map(\.test)
  }

  static let all: [RecordingFault] = geometry + cameras + depths + relatives + truths + others

  /// Whether the wrong unit shows, and the other wrong one, too: a camera that only turns has neither.
  private static func tellsUnit(_ other: Double) -> @Sendable (SceneSample, SceneSample) -> Bool {
    { right, broken in
      var rival = right
      rival.scalePoses(other)
      return Misfit.shows(right, broken) && Misfit.shows(right, rival)
    }
  }

  /// Poses that are there and move the camera.
  private static func posed(
    _ id: String, _ names: [Name], about: [String]? = nil,
    shows: @escaping @Sendable (SceneSample, SceneSample) -> Bool = Misfit.shows,
    _ change: @escaping @Sendable (inout SceneSample) -> Void
  ) -> RecordingFault {
    RecordingFault(id, names, about: about, shows: shows) { sample in
      guard sample.header.hasPoses, sample.header.intrinsics != nil, sample.frames.count > 1 else {
        return nil
      }
      var broken = sample
      change(&broken)
      return broken
    }
  }

  private static let geometry: [RecordingFault] = [
    posed("poses: other axes", [("pose-convention", ""), ("pose-axes-by-floor", "")]) {
      $0.header.cameraConvention = $0.header.cameraConvention == .arkit ? .opencv : .arkit
    },
    posed("poses: inverse", [("pose-convention", "")]) { $0.changeEveryPose { $0.inverse } },
    posed("poses: centimetres", [("pose-unit", "centimetres")], shows: tellsUnit(0.1)) { $0.scalePoses(100) },
    posed("poses: millimetres", [("pose-unit", "millimetres")], shows: tellsUnit(10)) { $0.scalePoses(1000) },
    posed("poses: quaternion w first", [("frame-agreement", "quaternion-w-first")], about: ["pose-rotation"])
    {
      $0.changeEveryPose { $0.shuffled { [$0[3], $0[0], $0[1], $0[2]] } }
    },
    posed("poses: quaternion w last", [("frame-agreement", "quaternion-w-last")], about: ["pose-rotation"]) {
      $0.changeEveryPose { $0.shuffled { [$0[1], $0[2], $0[3], $0[0]] } }
    },
    posed("poses: one frame late", [("frame-agreement", "poses-late")], about: ["pose-delay"]) {
      $0.delayPoses(1)
    },
    posed("poses: three frames late", [("frame-agreement", "poses-late")], about: ["pose-delay"]) {
      $0.delayPoses(3)
    },
    posed("poses: of another recording", [("frame-agreement", "no-reading-fits")]) { $0.foreignPoses() },
    posed(
      "depth: 5 times too large", [("frame-agreement", "scale-5"), ("frame-agreement", "scale-4.9")],
      about: ["pose-scale"]
    ) {
      $0.scaleDepth(5)
    },
    posed("depth: feet", [("frame-agreement", "scale-3"), ("depth-unit", "feet")], about: ["pose-scale"]) {
      $0.scaleDepth(3.2808)
    },
    posed("depth: ray length", [("depth-kind", "distance")]) { sample in
      sample.changeMaps("lidar/depth") { map, frame in
        guard let camera = frame.intrinsics else { return }
        map = map.lengthened(camera)
      }
    },
    posed("K: focal 10 % too short", [("frame-agreement", "focal-1.1")], about: ["focal-length"]) {
      $0.scaleFocal(1 / 1.1)
    },
    posed("K: focal 10 % too long", [("frame-agreement", "focal-0.9")], about: ["focal-length"]) {
      $0.scaleFocal(1.1)
    },
  ]

  private static func camera(
    _ id: String, _ names: [Name], needsMotion: Bool = false,
    _ change: @escaping @Sendable (CameraIntrinsics, SceneSample) -> CameraIntrinsics?
  ) -> RecordingFault {
    RecordingFault(id, names, shows: needsMotion ? Misfit.shows : nil) { sample in
      guard let k = sample.header.intrinsics, change(k, sample) != nil else { return nil }
      var broken = sample
      broken.header.intrinsics = change(k, sample)
      for index in broken.frames.indices {
        broken.frames[index].intrinsics = broken.frames[index].intrinsics.flatMap { change($0, sample) }
      }
      return broken
    }
  }

  private static let cameras: [RecordingFault] = [
    camera("K: of the LiDAR's size", [("intrinsics-size", "of-lidar"), ("intrinsics", "half")]) { k, sample in
      guard let size = sample.header.lidarSize, size != k.imageSize else { return nil }
      return k.scaled(to: size).declared(for: k.imageSize)
    },
    camera("K: of the image, size of the LiDAR", [("intrinsics-size", "")]) { k, sample in
      guard let size = sample.header.lidarSize, size != k.imageSize else { return nil }
      return k.declared(for: size)
    },
    camera("K: of half the size", [("intrinsics-size", ""), ("intrinsics", "half")]) { k, _ in
      k.times(0.5)
    },
    camera("K: of twice the size", [("intrinsics-size", ""), ("intrinsics", "double")]) { k, _ in
      k.times(2)
    },
    camera("K: axes swapped", [("intrinsics", "swapped"), ("aspect-ratio", "")], needsMotion: true) { k, _ in
      CameraIntrinsics(fx: k.fy, fy: k.fx, cx: k.cy, cy: k.cx, imageSize: k.imageSize)
    },
    RecordingFault("aspect: portrait depth, landscape K", [("aspect-ratio", "")]) { sample in
      guard let size = sample.header.lidarSize, sample.header.intrinsics != nil,
        max(size.width, size.height) * 10 > min(size.width, size.height) * 11
      else { return nil }
      var broken = sample
      broken.header.lidarSize = size.turned(.clockwise)
      for index in broken.frames.indices {
        broken.frames[index].lidar = broken.frames[index].lidar.turned(.clockwise)
        broken.frames[index].confidence = broken.frames[index].confidence?.turned(.clockwise)
      }
      return broken
    },
    RecordingFault("aspect: portrait image", [("aspect-ratio", "")]) { sample in
      guard let size = sample.header.colourSize, let lidar = sample.header.lidarSize,
        abs(log(Double(size.width) / Double(size.height))) > 0.1,
        abs(log(Double(lidar.width) / Double(lidar.height))) > 0.1
      else { return nil }
      var broken = sample
      broken.header.colourSize = size.turned(.clockwise)
      for index in broken.frames.indices {
        broken.frames[index].image = broken.frames[index].image?.turned(.clockwise)
      }
      return broken
    },
  ]

  private static func lidar(
    _ id: String, _ names: [Name], shows: (@Sendable (SceneSample, SceneSample) -> Bool)? = nil,
    _ change: @escaping @Sendable (inout SceneSample) -> Void
  ) -> RecordingFault {
    RecordingFault(id, names, shows: shows) { sample in
      guard sample.header.lidarSize != nil else { return nil }
      var broken = sample
      change(&broken)
      return broken
    }
  }

  private static let depths: [RecordingFault] = [
    lidar("depth: millimetres", [("depth-unit", "thousand-times-too-large")]) { $0.scaleDepth(1000) },
    lidar("depth: metres called millimetres", [("depth-unit", "thousand-times-too-small")]) {
      $0.scaleDepth(0.001)
    },
    RecordingFault("depth: frozen", [("repeated-frames", "")], shows: Misfit.moves) { sample in
      guard sample.header.lidarSize != nil, sample.frames.count > 2 else { return nil }
      var broken = sample
      for index in broken.frames.indices {
        broken.frames[index].lidar = sample.frames[0].lidar
        broken.frames[index].confidence = sample.frames[0].confidence
      }
      return broken
    },
    confidence("confidence: reversed", [("confidence-order", "0-is-high")], shows: Roughness.tellsOrder) {
      $0.mapped { 2 - min($0, 2) }
    },
    confidence("confidence: 0, 127, 255", [("confidence-scale", "")]) {
      $0.mapped { [0, 127, 255][Int(min($0, 2))] }
    },
    confidence("confidence: turned", [("confidence-placement", "rotated-180")], shows: Roughness.tellsPlace) {
      $0.turned(.half)
    },
  ]

  private static func confidence(
    _ id: String, _ names: [Name], shows: (@Sendable (SceneSample, SceneSample) -> Bool)? = nil,
    _ change: @escaping @Sendable (Raster<UInt8>) -> Raster<UInt8>
  ) -> RecordingFault {
    RecordingFault(id, names, shows: shows) { sample in
      guard sample.frames.contains(where: { $0.confidence != nil }) else { return nil }
      var broken = sample
      for index in broken.frames.indices {
        broken.frames[index].confidence = broken.frames[index].confidence.map(change)
      }
      return broken
    }
  }

  private static let relatives: [RecordingFault] =
    [Symmetry.mirroredVertically, .mirroredHorizontally, .rotated180].map { symmetry in
      RecordingFault(
        "relative: \(symmetry.name)", [("relative-orientation", symmetry.rawValue)], shows: Ranks.tellsPlace
      ) { sample in
        guard sample.header.relativeSize != nil else { return nil }
        var broken = sample
        broken.changeMaps("relative/values") { map, _ in map = symmetry.upright(map) }
        return broken
      }
    } + [
      RecordingFault("relative: other kind", [("relative-kind", "")], shows: Ranks.tellsKind) { sample in
        guard sample.header.relativeSize != nil else { return nil }
        var broken = sample
        broken.header.relativeKind = sample.header.relativeKind == .depth ? .disparity : .depth
        return broken
      },
      RecordingFault("relative: 8 bits", [("relative-quantisation", "8-bit")]) { sample in
        guard sample.header.relativeSize != nil else { return nil }
        var broken = sample
        broken.changeMaps("relative/values") { map, _ in
          guard let low = map.values.min(), let high = map.values.max(), high > low else { return }
          map.values = map.values.map { (($0 - low) / (high - low) * 255).rounded() }
        }
        return broken
      },
      late("relative", "relative-delay") { $0.relative = $1.relative },
    ]

  /// Every frame's map is that of the frame before.
  private static func late(
    _ word: String, _ test: String, _ copy: @escaping @Sendable (inout DepthFrame, DepthFrame) -> Void
  ) -> RecordingFault {
    RecordingFault("\(word): one frame late", [(test, "late")], shows: { Delay.shows($0, $1, of: word) }) {
      sample in
      let known = word == "truth" ? sample.header.truthSize : sample.header.relativeSize
      guard known != nil, sample.frames.count > 3 else { return nil }
      var broken = sample
      for index in broken.frames.indices.dropFirst() { copy(&broken.frames[index], sample.frames[index - 1]) }
      return broken
    }
  }

  private static func truth(
    _ id: String, _ names: [Name], shows: (@Sendable (SceneSample, SceneSample) -> Bool)? = nil,
    _ change: @escaping @Sendable (inout DepthMap, DepthFrame) -> Void
  ) -> RecordingFault {
    RecordingFault(id, names, shows: shows) { sample in
      guard sample.header.truthSize != nil else { return nil }
      var broken = sample
      broken.changeMaps("truth/depth", change)
      return broken
    }
  }

  private static let truths: [RecordingFault] = [
    truth("truth: millimetres", [("truth-unit", "thousand-times-too-large")]) { map, _ in
      map = map.mapped { $0 * 1000 }
    },
    truth("truth: feet", [("truth-unit", "feet"), ("truth-scale", "")]) { map, _ in
      map = map.mapped { $0 * 3.2808 }
    },
    truth("truth: upside down", [("truth-orientation", "mirrored-vertically")]) { map, _ in
      map = Symmetry.mirroredVertically.upright(map)
    },
    late("truth", "truth-delay") { $0.truth = $1.truth },
  ]

  private static let others: [RecordingFault] =
    [Symmetry.rotated180, .mirroredHorizontally].map { symmetry in
      RecordingFault(
        "image: \(symmetry.name)", [("image-orientation", symmetry.rawValue)], shows: Edges.tellPlace
      ) { sample in
        guard sample.frames.contains(where: { $0.image != nil }), sample.header.lidarSize != nil else {
          return nil
        }
        var broken = sample
        for index in broken.frames.indices {
          broken.frames[index].image = broken.frames[index].image.map(symmetry.upright)
        }
        return broken
      }
    } + [
      times("time: milliseconds", "milliseconds", 1e3), times("time: nanoseconds", "nanoseconds", 1e9),
      RecordingFault("up: the other axis", [("up-axis", "")], shows: Gravity.tellsUp) { sample in
        guard sample.header.hasPoses, sample.header.lidarSize != nil else { return nil }
        var broken = sample
        broken.header.upAxis = sample.header.upAxis == .y ? .z : .y
        return broken
      },
      lidar(
        "depth: wraps at 65.535 m", [("depth-wrap", "")],
        shows: { right, _ in
          right.frames.contains { frame in
            let values = frame.lidar.values.filter { $0 > 0 && $0.isFinite }
            return 100 * values.count { $0 > 65.535 } > values.count
          }
        }
      ) { sample in
        sample.changeMaps("lidar/depth") { map, _ in
          map = map.mapped { $0 > 65.535 ? $0 - 65.536 : $0 }
        }
      },
    ]

  private static func times(_ id: String, _ reading: String, _ factor: Double) -> RecordingFault {
    RecordingFault(id, [("time-unit", reading)]) { sample in
      guard let times = sample.header.timestampsSeconds, times.count > 2 else { return nil }
      var broken = sample
      broken.header.timestampsSeconds = times.map { $0 * factor }
      return broken
    }
  }
}

extension SceneSample {
  fileprivate mutating func changeEveryPose(_ change: (RigidTransform) -> RigidTransform) {
    for index in frames.indices { frames[index].worldFromCamera = frames[index].worldFromCamera.map(change) }
    poses = poses.mapValues(change)
  }

  fileprivate mutating func scalePoses(_ factor: Double) {
    changeEveryPose { pose in
      var pose = pose
      pose.translation *= factor
      return pose
    }
  }

  /// Every frame has the pose of the frame so many before.
  fileprivate mutating func delayPoses(_ count: Int) {
    let right = poses
    for index in frames.indices { frames[index].worldFromCamera = right[frames[index].index - count] }
    poses = Dictionary(
      uniqueKeysWithValues: right.keys.compactMap { key in right[key - count].map { (key, $0) } })
  }

  /// A walk of about the same length through another place.
  fileprivate mutating func foreignPoses() {
    var generator = SplitMix64(seed: 18)
    func uniform() -> Double { Double(generator.next() >> 11) * 0x1p-53 - 0.5 }
    let keys = poses.keys.sorted()
    guard let first = keys.first, let last = keys.last, let a = poses[first], let b = poses[last] else {
      return
    }
    let span = ((a.translation - b.translation) * (a.translation - b.translation)).sum().squareRoot()
    let (speed, turn) = (SIMD3(uniform(), uniform(), uniform()), SIMD3(uniform(), 3 * uniform(), uniform()))
    func pose(_ key: Int) -> RigidTransform {
      let t = Double(key - first) / Double(max(1, last - first))
      let (angle, tilt) = (3 * turn.y * t + turn.x, 0.6 * sin(5 * t + turn.z))
      let (c, s, ct, st) = (cos(angle), sin(angle), cos(tilt), sin(tilt))
      return RigidTransform(
        xAxis: [c, 0, -s], yAxis: [s * st, ct, c * st], zAxis: [s * ct, -st, c * ct],
        translation: speed * (2 * t * max(span, 0.3)))
    }
    for key in keys { poses[key] = pose(key) }
    for index in frames.indices { frames[index].worldFromCamera = poses[frames[index].index] }
  }

  fileprivate mutating func scaleDepth(_ factor: Float) {
    changeMaps("lidar/depth") { map, _ in map = map.mapped { $0 * factor } }
  }

  fileprivate mutating func scaleFocal(_ factor: Double) {
    func scaled(_ k: CameraIntrinsics) -> CameraIntrinsics {
      CameraIntrinsics(fx: k.fx * factor, fy: k.fy * factor, cx: k.cx, cy: k.cy, imageSize: k.imageSize)
    }
    header.intrinsics = header.intrinsics.map(scaled)
    for index in frames.indices { frames[index].intrinsics = frames[index].intrinsics.map(scaled) }
  }
}

extension CameraIntrinsics {
  fileprivate func declared(for size: RasterSize) -> CameraIntrinsics {
    CameraIntrinsics(fx: fx, fy: fy, cx: cx, cy: cy, imageSize: size)
  }

  fileprivate func times(_ factor: Double) -> CameraIntrinsics {
    CameraIntrinsics(fx: fx * factor, fy: fy * factor, cx: cx * factor, cy: cy * factor, imageSize: imageSize)
  }
}

extension RigidTransform {
  /// With the numbers x y z w of the quaternion in another order.
  fileprivate func shuffled(_ order: ([Double]) -> [Double]) -> RigidTransform {
    let trace = xAxis.x + yAxis.y + zAxis.z
    // The largest of the four is never near zero.
    let squares = [1 + 2 * xAxis.x - trace, 1 + 2 * yAxis.y - trace, 1 + 2 * zAxis.z - trace, 1 + trace]
    let largest = squares.indices.reduce(0) { squares[$1] > squares[$0] ? $1 : $0 }
    let s = 2 * squares[largest].squareRoot()
    let (xy, xz, yz) = ((xAxis.y + yAxis.x) / s, (xAxis.z + zAxis.x) / s, (yAxis.z + zAxis.y) / s)
    let (xw, yw, zw) = ((yAxis.z - zAxis.y) / s, (zAxis.x - xAxis.z) / s, (xAxis.y - yAxis.x) / s)
    let q = [[s / 4, xy, xz, xw], [xy, s / 4, yz, yw], [xz, yz, s / 4, zw], [xw, yw, zw, s / 4]][largest]
    let p = order(q)
    let (x, y, z, w) = (p[0], p[1], p[2], p[3])
    return RigidTransform(
      xAxis: [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
      yAxis: [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
      zAxis: [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)], translation: translation)
  }
}

extension DepthMap {
  /// Planar depth as the length of the ray.
  fileprivate func lengthened(_ camera: CameraIntrinsics) -> DepthMap {
    let k = camera.scaled(to: size)
    var result = self
    for row in 0..<height {
      for column in 0..<width {
        let x = (Double(column) + 0.5 - k.cx) / k.fx, y = (Double(row) + 0.5 - k.cy) / k.fy
        result[row, column] *= Float((1 + x * x + y * y).squareRoot())
      }
    }
    return result
  }
}
