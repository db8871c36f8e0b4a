import DepthCore
import DepthObjects
import Statistics

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
  public let records: [ObjectRecord]
  public let leftOut: [LeftOut]
  /// Depth maps, in the order asked for.
  public let depths: [String]
  /// All objects by depth map and box method, then those of each class, range and visibility by depth map, boxed by
  /// ``ObjectPlan/referenceMethod``.
  public let groups: [ObjectGroup]
  /// nil without true boxes.
  public let detection: DetectionResults?
  private let seed: UInt64

  /// - Parameter seed: The run's.
  public init(_ found: FrameObjects, plan: ObjectPlan, leftOut: [LeftOut] = [], seed: UInt64) {
    (self.plan, self.seed) = (plan, seed)
    let unposed = Dictionary(grouping: found.unposed) { $0 }
    self.leftOut =
      leftOut
      + found.unposed.firstAppearances.map { scene in
        LeftOut(
          scene: scene, reason: "no usable pose (not finite, or no rotation)", frames: unposed[scene]?.count)
      }
    records = found.records
    depths = found.records.compactMap(\.depth).firstAppearances
    var bootstrap = SceneBootstrap(seed: seed)
    detection = DetectionResults(found.detections, &bootstrap)
    groups = Self.groups(records, depths, plan, &bootstrap)
  }

  /// The group of all objects.
  public func overall(depth: String, method: String) -> ObjectGroup? {
    groups.first { $0.division == .all && $0.depth == depth && $0.method == method }
  }

  /// Detections, boxed or not.
  public var objectCount: Int { Set(records.map { ObjectKey($0.object) }).count }

  /// Detections above the confidence threshold, and those of them whose true box is known.
  public var sureObjectCounts: (all: Int, known: Int) {
    func count(_ counts: (ObjectRecord) -> Bool) -> Int {
      Set(records.lazy.filter(counts).map { ObjectKey($0.object) }).count
    }
    return (
      count { $0.status != .lowScore }, count { $0.status != .lowScore && $0.object.truth != nil }
    )
  }

  /// One side held against another on the objects that have a value on both.
  ///
  /// - Parameters:
  ///   - depth: And `method`: what is compared.
  ///   - other: And `otherMethod`: what it is held against.
  /// - Returns: nil where no object has both.
  public func difference(
    _ metric: ObjectMetric, depth: String, method: String, against other: String, _ otherMethod: String
  ) -> ObjectDifference? {
    func values(_ depth: String, _ method: String) -> [ObjectKey: Double] {
      Dictionary(
        records.filter { $0.depth == depth && $0.method == method }.compactMap { record in
          metric.value(record).map { (ObjectKey(record.object), $0) }
        }, uniquingKeysWith: { first, _ in first })
    }
    let (first, second) = (values(depth, method), values(other, otherMethod))
    let common = records.map { ObjectKey($0.object) }.firstAppearances.filter {
      first[$0] != nil && second[$0] != nil
    }
    let sides = [first, second].map { side in
      SceneValues(common.compactMap { key in side[key].map { (key.scene, $0) } }, metric.centre)
    }
    guard var both = sides.first, let reference = sides.last, let a = both.value(0),
      let b = reference.value(0)
    else { return nil }
    both.sides += reference.sides
    var bootstrap = SceneBootstrap(seed: seed)
    return ObjectDifference(
      value: a, reference: b, interval: bootstrap.interval(of: both), objects: common.count,
      scenes: both.scenes.count)
  }

  private static func groups(
    _ records: [ObjectRecord], _ depths: [String], _ plan: ObjectPlan, _ bootstrap: inout SceneBootstrap
  ) -> [ObjectGroup] {
    // By position: rows are large, and there are hundreds of thousands of them.
    let byDepth = Dictionary(grouping: records.indices) { records[$0].depth }
    var groups: [ObjectGroup] = []
    for division in ObjectDivision.allCases {
      let methods = division == .all ? plan.boxMethods : [plan.referenceMethod]
      for bin in bins(division, records) {
        for depth in depths {
          let ofBin = (byDepth[depth] ?? []).filter { division.bin(of: records[$0].object)?.name == bin }
          for method in methods where !ofBin.isEmpty {
            // A depth map that is not there is a row of its own, and a failure of every method.
            let rows = ofBin.filter { records[$0].method == method || records[$0].method == nil }
            groups.append(ObjectGroup(division, bin, depth, method, records, rows, &bootstrap))
          }
        }
      }
    }
    return groups
  }

  private static func bins(_ division: ObjectDivision, _ records: [ObjectRecord]) -> [String] {
    var found: [String: Int] = [:]
    for record in records where record.depth != nil {
      if let bin = division.bin(of: record.object) { found[bin.name] = bin.order }
    }
    return found.sorted {
      $0.value != $1.value ? $0.value < $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }.map(\.key)
  }
}

extension ObjectGroup {
  fileprivate init(
    _ division: ObjectDivision, _ bin: String, _ depth: String, _ method: String, _ records: [ObjectRecord],
    _ rows: [Int], _ bootstrap: inout SceneBootstrap
  ) {
    (self.division, self.bin, self.depth, self.method) = (division, bin, depth, method)
    objects = rows.count
    boxed = rows.count { records[$0].status == .ok }
    known = rows.count { records[$0].object.truth != nil }
    scenes = Set(rows.map { records[$0].object.scene }).count
    values = ObjectMetric.all.map { metric in
      let present = rows.compactMap { row in
        metric.value(records[row]).map { (records[row].object.scene, $0) }
      }
      let perScene = SceneValues(present, metric.centre)
      return perScene.value(0).map {
        ObjectEstimate(
          value: $0, interval: bootstrap.interval(of: perScene), objects: present.count,
          scenes: perScene.scenes.count)
      }
    }
  }
}

extension SceneValues {
  /// One value per scene, each scene weighing the same.
  fileprivate init(_ values: [(scene: String, value: Double)], _ centre: ObjectMetric.Centre) {
    let byScene = Dictionary(grouping: values, by: \.scene)
    let names = values.map(\.scene).firstAppearances
    let sums = names.map { name -> WeightedSum in
      let numbers = (byScene[name] ?? []).map(\.value)
      let value = centre == .median ? OrderStatistics.median(of: numbers) : mean(numbers.map { $0 })
      return WeightedSum(sum: value ?? .nan, weight: 1)
    }
    self.init(scenes: names, frames: values.count, sides: [sums], isRoot: false)
  }
}

/// What tells an object from all others.
struct ObjectKey: Hashable {
  let scene: String
  let frame: Int
  let index: Int

  init(_ object: ObservedObject) { (scene, frame, index) = (object.scene, object.frameIndex, object.index) }
}
