public import DepthEvaluation
import FathomStatistics

/// What a run found about objects, ready for tables. The scene is the unit: a scene's value is the median or mean over
/// its objects, a run's the mean over scenes.
public struct ObjectResults: Sendable {
  /// A scene with detections that could not be looked at, all or some.
  public struct LeftOut: Sendable, Hashable {
    public var scene: String
    /// "no poses"
    public var reason: String
    /// How many of its frames; nil for all.
    public var frames: Int?

    public init(scene: String, reason: String, frames: Int? = nil) {
      (self.scene, self.reason, self.frames) = (scene, reason, frames)
    }
  }

  public let plan: ObjectPlan
  /// Scene by scene, frame by frame, object by object.
  public let records: RowStore<ObjectRecord>
  public let leftOut: [LeftOut]
  /// Depth maps, in the order asked for.
  public let depths: [String]
  /// All objects by depth map and box method, then those of each class, range and visibility by depth map, boxed by
  /// `ObjectPlan.referenceMethod`.
  public let groups: [ObjectGroup]
  /// nil without true boxes.
  public let detection: DetectionResults?
  /// Scenes with detections, in order.
  public let scenes: [String]
  /// Detections, boxed or not.
  public let objectCount: Int
  /// Detections above the confidence threshold, and those of them whose true box is known.
  public let sureObjectCounts: (all: Int, known: Int)
  /// Whether any object has a true box.
  public let hasTruth: Bool
  /// What has no box and why, in order of first appearance.
  public let failures: [ObjectFailure]
  private let seed: UInt64

  public init(_ found: FrameObjects, plan: ObjectPlan, leftOut: [LeftOut] = [], seed: UInt64) {
    self.init(ObjectRecords(found), plan: plan, leftOut: leftOut, seed: seed)
  }

  public init(_ found: ObjectRecords, plan: ObjectPlan, leftOut: [LeftOut] = [], seed: UInt64) {
    (self.plan, self.seed) = (plan, seed)
    self.leftOut =
      leftOut
      + found.unposed.map { scene, frames in
        LeftOut(scene: scene, reason: "no usable pose (not finite, or no rotation)", frames: frames)
      }
    records = found.rows
    var bootstrap = SceneBootstrap(seed: seed)
    detection = DetectionResults(found.detections, &bootstrap)
    var sums = ObjectSums(plan)
    for record in records { sums.add(record) }
    sums.endScene()
    (depths, scenes, hasTruth, failures) = (sums.depths, sums.scenes, sums.hasTruth, sums.failures)
    (objectCount, sureObjectCounts) = (sums.objectCount, sums.sureObjectCounts)
    groups = sums.groups(&bootstrap)
  }

  public func overall(depth: String, method: String) -> ObjectGroup? {
    groups.first { $0.division == .all && $0.depth == depth && $0.method == method }
  }

  /// One side compared with another on the objects that have a value on both.
  /// - Parameter depth: And `method`: what is compared.
  /// - Parameter other: And `otherMethod`: what it is compared with.
  /// - Returns: nil where no object has both.
  public func difference(
    _ metric: ObjectMetric, depth: String, method: String, against other: String, _ otherMethod: String
  ) -> ObjectDifference? {
    var pairs = ObjectPairs(metric.centre)
    for record in records {
      let isFirst = record.depth == depth && record.method == method
      let isSecond = record.depth == other && record.method == otherMethod
      guard isFirst || isSecond, let value = metric.value(record) else { continue }
      pairs.add(value, of: record.object, isFirst: isFirst, isSecond: isSecond)
    }
    pairs.endScene()
    let sides = pairs.sides
    guard var both = sides.first, let reference = sides.last, let a = both.value(0),
      let b = reference.value(0)
    else { return nil }
    both.sides += reference.sides
    var bootstrap = SceneBootstrap(seed: seed)
    return ObjectDifference(
      value: a, reference: b, interval: bootstrap.interval(of: both), objects: pairs.objects,
      scenes: both.scenes.count)
  }
}

/// Objects that two sides have a value of, scene by scene.
private struct ObjectPairs {
  private(set) var sides: [SceneValues]
  private(set) var objects = 0
  private let centre: ObjectMetric.Centre
  private var scene: String?
  /// Objects of the scene that is under way, in order of first appearance.
  private var order: [ObjectKey] = []
  private var values: [ObjectKey: (first: Double?, second: Double?)] = [:]

  init(_ centre: ObjectMetric.Centre) {
    self.centre = centre
    let none = SceneValues(scenes: [], frames: 0, sides: [[]], isRoot: false)
    sides = [none, none]
  }

  /// - Parameter object: The objects of a scene come one after the other.
  mutating func add(_ value: Double, of object: ObservedObject, isFirst: Bool, isSecond: Bool) {
    if object.scene != scene { endScene() }
    scene = object.scene
    let key = ObjectKey(object)
    if values[key] == nil { order.append(key) }
    var pair = values[key] ?? (nil, nil)
    if isFirst, pair.first == nil { pair.first = value }
    if isSecond, pair.second == nil { pair.second = value }
    values[key] = pair
  }

  mutating func endScene() {
    defer { (order, values) = ([], [:]) }
    let common = order.compactMap { key -> (Double, Double)? in
      guard let pair = values[key], let first = pair.first, let second = pair.second else { return nil }
      return (first, second)
    }
    guard let scene, !common.isEmpty else { return }
    objects += common.count
    sides[0].add(centre.value(of: common.map(\.0)), of: scene)
    sides[1].add(centre.value(of: common.map(\.1)), of: scene)
  }
}

/// What tells an object from all others of its scene.
private struct ObjectKey: Hashable {
  let frame: Int, index: Int
  init(_ object: ObservedObject) { (frame, index) = (object.frameIndex, object.index) }
}
