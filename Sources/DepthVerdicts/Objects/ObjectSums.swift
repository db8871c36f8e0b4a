import DepthCore
public import DepthEvaluation
import FathomStatistics

/// Objects without a box, of one depth map and for one reason.
public struct ObjectFailure: Sendable {
  /// nil for a detection below the confidence threshold.
  public let depth: String?
  public let status: ObjectRecord.Status
  /// How many objects each box method failed on; nil is for those that no method looked at.
  public fileprivate(set) var methods: [String?: Int] = [:]
  /// The first of them.
  public let example: ObjectRecord
  /// Whether all have the example's reason.
  public fileprivate(set) var hasOneReason = true
}

/// What groups of objects keep while rows come in: the values of the scene that is under way, and one value per scene and
/// metric of the scenes before.
struct ObjectSums {
  private(set) var depths: [String] = []
  private(set) var scenes: [String] = []  // In order of first appearance.
  private(set) var hasTruth = false, objectCount = 0
  private(set) var sureObjectCounts: (all: Int, known: Int) = (0, 0)
  private(set) var failures: [ObjectFailure] = []
  private struct Key: Hashable { let division: ObjectDivision, bin: String, depth: String }
  private struct FailureKey: Hashable { let depth: String?, status: ObjectRecord.Status }
  private struct FrameObject: Hashable { let frame: Int, index: Int }
  private let plan: ObjectPlan
  private var places: [Key: Int] = [:]
  private var sums: [[GroupSums]] = []  // One per method of the division, in its order.
  private var bins: [ObjectDivision: [String: Int]] = [:]  // Bins by division, with what they are ordered by.
  private var failurePlaces: [FailureKey: Int] = [:]
  /// Of the scene that is under way.
  private var seen: Set<FrameObject> = [], sure: Set<FrameObject> = [], known: Set<FrameObject> = []
  init(_ plan: ObjectPlan) { self.plan = plan }

  private func methods(_ division: ObjectDivision) -> [String] {
    division == .all ? plan.boxMethods : [plan.referenceMethod]
  }

  /// - Parameter record: Rows of a scene come one after the other.
  mutating func add(_ record: ObjectRecord) {
    if record.object.scene != scenes.last {
      endScene()
      scenes.append(record.object.scene)
    }
    count(record)
    if record.status != .ok { addFailure(record) }
    guard let depth = record.depth else { return }
    if !depths.contains(depth) { depths.append(depth) }
    let values = ObjectMetric.all.map { $0.value(record) }
    for division in ObjectDivision.allCases {
      guard let bin = division.bin(of: record.object) else { continue }
      bins[division, default: [:]][bin.name] = bin.order
      let key = Key(division: division, bin: bin.name, depth: depth)
      let methods = methods(division)
      let place = places[key] ?? sums.count
      if place == sums.count {
        places[key] = place
        sums.append(methods.map { _ in GroupSums() })
      }
      // A depth map that is not there is a row of its own, and a failure of every method.
      for (number, method) in methods.enumerated() where record.method == nil || record.method == method {
        sums[place][number].add(record, values)
      }
    }
  }

  private mutating func count(_ record: ObjectRecord) {
    let object = FrameObject(frame: record.object.frameIndex, index: record.object.index)
    if record.object.truth != nil { hasTruth = true }
    if seen.insert(object).inserted { objectCount += 1 }
    guard record.status != .lowScore else { return }
    if sure.insert(object).inserted { sureObjectCounts.all += 1 }
    if record.object.truth != nil, known.insert(object).inserted { sureObjectCounts.known += 1 }
  }

  private mutating func addFailure(_ record: ObjectRecord) {
    let key = FailureKey(depth: record.depth, status: record.status)
    let place = failurePlaces[key] ?? failures.count
    if place == failures.count {
      failurePlaces[key] = place
      failures.append(ObjectFailure(depth: record.depth, status: record.status, example: record))
    }
    failures[place].methods[record.method, default: 0] += 1
    if record.reason != failures[place].example.reason { failures[place].hasOneReason = false }
  }

  /// Takes the scene that is under way into the values of the scenes.
  mutating func endScene() {
    guard !scenes.isEmpty else { return }
    (seen, sure, known) = ([], [], [])
    for place in sums.indices {
      for number in sums[place].indices { sums[place][number].endScene(scenes.count - 1) }
    }
  }

  /// By division, bin, depth map and method.
  func groups(_ bootstrap: inout SceneBootstrap) -> [ObjectGroup] {
    var groups: [ObjectGroup] = []
    for division in ObjectDivision.allCases {
      for bin in ordered(bins[division] ?? [:]) {
        for depth in depths {
          let key = Key(division: division, bin: bin, depth: depth)
          for (method, sums) in zip(methods(division), places[key].map { sums[$0] } ?? []) {
            groups.append(ObjectGroup(division, bin, depth, method, sums, scenes, &bootstrap))
          }
        }
      }
    }
    return groups
  }

  private func ordered(_ bins: [String: Int]) -> [String] {
    bins.sorted {
      $0.value != $1.value ? $0.value < $1.value : $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }.map(\.key)
  }
}

/// Objects of one bin in one depth map, boxed by one method.
private struct GroupSums {
  private(set) var objects = 0, boxed = 0, known = 0, scenes = 0
  private(set) var values = ObjectMetric.all.map { _ in Values() }  // One per `ObjectMetric.all`.
  /// The same of the scene that is under way: a value per object.
  private var current = ObjectMetric.all.map { _ in [Double]() }
  private var objectsBefore = 0
  /// A value per scene that has one.
  struct Values { var objects = 0, scenes: [Int32] = [], values: [Double] = [] }

  mutating func add(_ record: ObjectRecord, _ values: [Double?]) {
    objects += 1
    if record.status == .ok { boxed += 1 }
    if record.object.truth != nil { known += 1 }
    for (index, value) in values.enumerated() { if let value { current[index].append(value) } }
  }

  /// - Parameter scene: Its number.
  mutating func endScene(_ scene: Int) {
    guard objects > objectsBefore else { return }
    scenes += 1
    objectsBefore = objects
    for (index, metric) in ObjectMetric.all.enumerated() where !current[index].isEmpty {
      values[index].objects += current[index].count
      values[index].scenes.append(Int32(scene))
      values[index].values.append(metric.centre.value(of: current[index]))
      current[index].removeAll(keepingCapacity: true)
    }
  }
}

extension ObjectGroup {
  fileprivate init(
    _ division: ObjectDivision, _ bin: String, _ depth: String, _ method: String, _ sums: GroupSums,
    _ scenes: [String], _ bootstrap: inout SceneBootstrap
  ) {
    (self.division, self.bin, self.depth, self.method) = (division, bin, depth, method)
    (objects, boxed, known, self.scenes) = (sums.objects, sums.boxed, sums.known, sums.scenes)
    values = sums.values.map { values in
      let perScene = SceneValues(
        scenes: values.scenes.map { scenes[Int($0)] }, frames: values.objects,
        sides: [values.values.map { .one($0) }], isRoot: false)
      return perScene.value(0).map {
        ObjectEstimate(
          value: $0, interval: bootstrap.interval(of: perScene), objects: values.objects,
          scenes: perScene.scenes.count)
      }
    }
  }
}

extension SceneValues {
  /// Adds a scene, which weighs as much as any other, to the one side.
  mutating func add(_ value: Double, of scene: String) {
    scenes.append(scene)
    sides[0].append(.one(value))
  }
}

extension ObjectMetric.Centre {
  /// Of at least one number.
  func value(of numbers: [Double]) -> Double {
    switch self {
    case .median: OrderStatistics.median(of: numbers) ?? .nan
    case .mean: numbers.reduce(0, +) / Double(numbers.count)
    }
  }
}
