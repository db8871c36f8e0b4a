import DepthCore
import FathomPlainText
import Foundation

/// Other faults of what carries frames into each other, beside the conventions of ``GeometryReading``: things
/// with a number in them, or with no name in the schema.
enum MotionReading: Hashable {
  /// Every frame has the pose of the frame so many later.
  case lag(Int)
  /// The poses stand in the reverse order.
  case reversed
  /// Rotations were made of quaternions whose numbers stand in another order, or are the inverse ones.
  case rotation(RotationOrder)
  /// Translations times this fit the depths.
  case scale(Double)
  /// Focal lengths times this fit.
  case focal(Double)
  /// The LiDAR maps lie like this with respect to the camera of the poses.
  case flipped(Symmetry)
  /// The axis passes so much farther right and down, in shares of the image's width and height.
  case axis(x: Double, y: Double)
  /// Depths are so many metres too large.
  case offset(Double)
  /// fx and fy times these fit.
  case stretched(x: Double, y: Double)
  /// The maps hold other numbers than depths.
  case law(DepthLaw)
  /// The poses are those of a world with left-handed axes; their cameras look along the other z.
  case leftHanded(isTurned: Bool)
  /// The poses drift by this share of their way, and turn about the camera's y by half as many radians per metre.
  case drift(Double)

  /// How a rotation may have been misread.
  enum RotationOrder: String, CaseIterable {
    case scalarFirst = "quaternion-w-first", scalarLast = "quaternion-w-last", inverse = "rotation-inverse"
  }

  static let lags = [-8, -6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 8]
  /// By a fifth from each to the next, from 1/20 to 20, and units that are farther apart.
  static let scales =
    (-16...16).filter { $0 != 0 }.map { Foundation.exp(0.1875 * Double($0)) }
    + [39.37, 100, 1000, 1 / 39.37, 0.01, 0.001]
  static let offsets = [0.05, 0.1, 0.15, 0.2, 0.3, 0.5].flatMap { [$0, -$0] }
  static let stretches = [0.7, 0.75, 0.8, 0.87, 1.15, 1.25, 1.33, 1.43].flatMap {
    [MotionReading.stretched(x: $0, y: 1), .stretched(x: 1, y: $0)]
  }
  static let flips: [Symmetry] = [.mirroredVertically, .mirroredHorizontally, .rotated180]
  /// Shares of width and height by which a cropped image moves the axis.
  static let axisStep = 0.08
  static let focals = [0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.05, 1.1, 1.15, 1.2, 1.3, 1.4]

  /// The frame read like this; nil where there is no such pose.
  func read(_ frame: DepthFrame, in sample: SceneSample) -> DepthFrame? {
    var frame = frame
    switch self {
    case .lag(let count):
      guard let pose = sample.poses[frame.index + count] else { return nil }
      frame.worldFromCamera = pose
    case .reversed:
      guard let pose = sample.poses[sample.header.frameCount - 1 - frame.index] else { return nil }
      frame.worldFromCamera = pose
    case .rotation(let order): frame.worldFromCamera = frame.worldFromCamera.map(order.right)
    case .scale(let factor): frame.worldFromCamera?.translation *= factor
    case .focal(let factor):
      guard let k = frame.intrinsics else { return nil }
      frame.intrinsics = CameraIntrinsics(
        fx: k.fx * factor, fy: k.fy * factor, cx: k.cx, cy: k.cy, imageSize: k.imageSize)
    case .flipped(let symmetry):
      frame.lidar = symmetry.upright(frame.lidar)
      frame.confidence = frame.confidence.map(symmetry.upright)
    case .axis(let x, let y):
      guard let k = frame.intrinsics else { return nil }
      frame.intrinsics = CameraIntrinsics(
        fx: k.fx, fy: k.fy, cx: k.cx + x * Double(k.imageSize.width),
        cy: k.cy + y * Double(k.imageSize.height), imageSize: k.imageSize)
    case .offset(let metres): frame.lidar.values = frame.lidar.values.map { $0 > 0 ? $0 - Float(metres) : $0 }
    case .stretched(let x, let y):
      guard let k = frame.intrinsics else { return nil }
      frame.intrinsics = CameraIntrinsics(
        fx: k.fx * x, fy: k.fy * y, cx: k.cx, cy: k.cy, imageSize: k.imageSize)
    case .law(let law): frame.lidar.values = frame.lidar.values.map { Float(law.metres(Double($0))) }
    case .leftHanded(let isTurned):
      frame.worldFromCamera = frame.worldFromCamera.map { $0.mirrored(isTurned: isTurned) }
    case .drift(let share):
      guard let pose = frame.worldFromCamera, let way = sample.ways[frame.index] else { return nil }
      frame.worldFromCamera = pose.drifted(by: share * way)
    }
    return frame
  }
}

extension MotionReading {
  /// Its number, and the reading with another one; nil where it has none to be refined.
  var number: (value: Double, with: (Double) -> MotionReading)? {
    switch self {
    case .scale(let factor): (factor, MotionReading.scale)
    case .focal(let factor): (factor, MotionReading.focal)
    case .offset(let metres): (abs(metres), { .offset(metres < 0 ? -$0 : $0) })
    case .stretched(let x, 1): (x, { .stretched(x: $0, y: 1) })
    case .stretched(_, let y): (y, { .stretched(x: 1, y: $0) })
    case .law(.inverted(let start, let largest)) where start > largest:
      (start - largest, { .law(.inverted(from: largest + $0, largest: largest)) })
    case .law(.power(let exponent)): (exponent, { .law(.power($0)) })
    default: nil
    }
  }

  /// The stored number of a depth, where the reading shifts it or counts down.
  var stored: ((Double) -> Double)? {
    switch self {
    case .offset(let metres): { $0 + metres }
    case .law(.inverted(let start, _)): { start - $0 }
    case .law(.power(let exponent)): { Foundation.pow($0, 1 / exponent) }
    default: nil
    }
  }

  /// Whether depths get other places in the map.
  var movesPixels: Bool {
    if case .flipped = self { true } else { false }
  }

  var isLeftHanded: Bool {
    if case .leftHanded = self { true } else { false }
  }

  /// Between neighbours of the search, ln.
  var step: Double? {
    switch self {
    case .scale: 0.1875
    case .focal: 0.05
    case .offset: 0.35
    case .stretched: 0.07
    case .law(.power): 0.1
    case .law: 0.4
    default: nil
    }
  }

  /// Whether it is nearer to what is declared than recordings are right.
  var isSmall: Bool {
    switch self {
    case .scale(let factor): abs(Foundation.log(factor)) < 0.15
    case .focal(let factor): abs(Foundation.log(factor)) < 0.04
    case .offset(let metres): abs(metres) < 0.03
    case .stretched(let x, let y): abs(Foundation.log(x / y)) < 0.08
    case .law(.power(let exponent)): abs(Foundation.log(exponent)) < 0.06
    default: false
    }
  }

  /// Whether it is rarer than what comes near to it: one focal length alone, metres that were added, a law of depth.
  var isUncommon: Bool {
    switch self {
    case .stretched, .offset, .law: true
    default: false
    }
  }

  /// Factors that people confuse.
  private static let known: [(factor: Double, words: String)] = [
    (5, "5000 counts to the metre that were read as millimetres do that"),
    (3.2808, "feet do that"), (1 / 3.2808, "poses in feet do that"),
    (0.2, "millimetres read as 1/5000 m do that"),
    (3.90625, "256 counts to the metre that were read as millimetres do that"),
    (10, "units that differ by ten do that"), (0.1, "units that differ by ten do that"),
    (39.37, "inches do that"), (100, "centimetres do that"), (1000, "millimetres do that"),
    (1 / 39.37, "poses in inches do that"), (0.01, "poses in centimetres do that"),
    (0.001, "poses in millimetres do that"), (2.54, "inches beside centimetres do that"),
  ]

  /// Which factor that people confuse comes near to one, in words after a comma or bracket; nil for none.
  static func knownWords(_ factor: Double) -> String? {
    known.first { abs(Foundation.log(factor / $0.factor)) < 0.05 }?.words
  }

  /// In words: name, statement, what to do.
  var named: (id: String, statement: String, fix: String) {
    switch self {
    case .lag(let count):
      let frames = abs(count) == 1 ? "one frame" : "\(abs(count)) frames"
      let (word, from) = count > 0 ? ("late", "later") : ("early", "earlier")
      return (
        "poses-\(word)-\(abs(count))", "the poses come \(frames) too \(word)",
        "give every frame the pose that stands \(frames) \(from) in camera/world_from_camera"
      )
    case .reversed:
      return (
        "poses-reversed", "the poses stand in the reverse order of the frames",
        "turn round the order of camera/world_from_camera, or of the maps"
      )
    case .rotation(let order):
      let statement =
        switch order {
        case .scalarFirst: "the quaternions' numbers stand in the order w x y z and were read as x y z w"
        case .scalarLast: "the quaternions' numbers stand in the order x y z w and were read as w x y z"
        case .inverse: "the rotations take the world to the camera, the translations the camera to the world"
        }
      return (
        order.rawValue, statement, "make camera/world_from_camera anew, and change how rotations are read"
      )
    case .scale(let factor):
      let (times, small) = factor > 1 ? (factor, "large") : (1 / factor, "small")
      return (
        "scale-\(Quantity.significant(factor, 3))",
        "depths are \(Quantity.significant(times, 3)) times too \(small) for the translations of the poses"
          + (Self.knownWords(factor).map { " (\($0))" } ?? ""),
        "find out which of the two is in metres, and "
          + "set the scale of lidar/depth, or multiply the translations by \(Quantity.significant(factor, 3))"
      )
    case .focal(let factor):
      return (
        "focal-\(factor.rounded2)", "focal lengths are \(factor.rounded2) times those of camera/intrinsics",
        "see whether camera/intrinsics are those of this camera and of image_size"
      )
    case .flipped(let symmetry):
      return (
        "lidar-\(symmetry.rawValue)", "the LiDAR maps are \(symmetry.name) with respect to poses and K",
        "store lidar/depth and lidar/confidence with rows from the top and columns from the left"
      )
    case .axis(let x, let y):
      func words(_ share: Double, _ side: String, _ after: String, _ before: String) -> String? {
        share == 0
          ? nil : "\((100 * abs(share)).rounded1) % of the \(side) farther \(share > 0 ? after : before)"
      }
      let list = [words(x, "width", "right", "left"), words(y, "height", "down", "up")].compactMap(\.self)
      return (
        "axis-\(x.rounded2)-\(y.rounded2)",
        "the axis passes \(list.joined(separator: " and ")) than camera/intrinsics say",
        "see whether cx and cy are those of this image, or of one before it was cropped"
      )
    case .offset(let metres):
      let cm = (100 * abs(metres)).rounded1
      return (
        "offset-\(metres.rounded2)",
        "depths are \(cm) cm too \(metres > 0 ? "large" : "small") everywhere, not by a factor",
        "see where depth is counted from; \(metres > 0 ? "subtract" : "add") \(cm) cm in lidar/depth"
      )
    case .stretched(let x, 1):
      return (
        "fx-\(x.rounded2)", "fx is \(x.rounded2) times that of camera/intrinsics, and fy is right",
        "see whether width and height of the image were scaled alike: fx × \(x.rounded2)"
      )
    case .stretched(_, let y):
      return (
        "fy-\(y.rounded2)", "fy is \(y.rounded2) times that of camera/intrinsics, and fx is right",
        "see whether width and height of the image were scaled alike: fy × \(y.rounded2)"
      )
    case .law(let law): return law.named
    case .leftHanded:
      return (
        "left-handed", "the poses are of a world with left-handed axes, as Unity has",
        "mirror them when writing camera/world_from_camera: S·M·S with S = diag(1, −1, 1, 1) gives OpenCV's axes"
      )
    case .drift(let share):
      return (
        "drift-\(share.rounded2)", "the poses drift by \((100 * abs(share)).rounded1) % of their path",
        "make the poses anew, with loops closed"
      )
    }
  }
}

extension MotionReading.RotationOrder {
  /// The pose that was meant.
  func right(_ pose: RigidTransform) -> RigidTransform {
    let q = pose.quaternion
    let meant: SIMD4<Double> =
      switch self {
      case .scalarFirst: [q.y, q.z, q.w, q.x]
      case .scalarLast: [q.w, q.x, q.y, q.z]
      case .inverse: [-q.x, -q.y, -q.z, q.w]
      }
    return RigidTransform(quaternion: meant, translation: pose.translation)
  }
}

extension SceneSample {
  /// How far the camera has come at each frame, metres along the poses.
  var ways: [Int: Double] {
    var (ways, way, last): ([Int: Double], Double, RigidTransform?) = ([:], 0, nil)
    for index in poses.keys.sorted() {
      guard let pose = poses[index] else { continue }
      let step = last.map { pose.translation - $0.translation } ?? .zero
      way += (step * step).sum().squareRoot()
      (ways[index], last) = (way, pose)
    }
    return ways
  }
}

extension RigidTransform {
  /// S·M·S with S = diag(1, −1, 1): the pose in a world of the other hand.
  /// - Parameter isTurned: Whether the camera is turned about its x axis besides, from one axis convention to the other.
  fileprivate func mirrored(isTurned: Bool) -> RigidTransform {
    let s = SIMD3(1.0, -1, 1), sign: Double = isTurned ? -1 : 1
    return RigidTransform(
      xAxis: s * xAxis, yAxis: s * yAxis * -sign, zAxis: s * zAxis * sign, translation: s * translation)
  }

  /// The pose of a tracker that has drifted by so many metres in the camera's own axes, and half as many radians about y.
  fileprivate func drifted(by metres: Double) -> RigidTransform {
    let (c, s) = (Foundation.cos(metres / 2), Foundation.sin(metres / 2))
    let turned = { (v: SIMD3<Double>) in SIMD3(c * v.x + s * v.z, v.y, c * v.z - s * v.x) }
    return RigidTransform(
      xAxis: turned(xAxis), yAxis: turned(yAxis), zAxis: turned(zAxis),
      translation: turned(translation) + SIMD3(metres, 0, metres))
  }

  /// The rotation as a unit quaternion (x, y, z, w).
  /// - SeeAlso: Shepperd 1978, Quaternion from rotation matrix.
  fileprivate var quaternion: SIMD4<Double> {
    let (a, b, c) = (xAxis, yAxis, zAxis)
    let squares = [1 + a.x + b.y + c.z, 1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z, 1 - a.x - b.y + c.z]
    let largest = squares.indices.reduce(0) { squares[$1] > squares[$0] ? $1 : $0 }
    let s = 2 * max(squares[largest], 1e-12).squareRoot()
    return switch largest {
    case 0: [(b.z - c.y) / s, (c.x - a.z) / s, (a.y - b.x) / s, s / 4]
    case 1: [s / 4, (b.x + a.y) / s, (c.x + a.z) / s, (b.z - c.y) / s]
    case 2: [(b.x + a.y) / s, s / 4, (c.y + b.z) / s, (c.x - a.z) / s]
    default: [(c.x + a.z) / s, (c.y + b.z) / s, s / 4, (a.y - b.x) / s]
    }
  }
}
