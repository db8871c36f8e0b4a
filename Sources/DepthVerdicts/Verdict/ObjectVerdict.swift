import DepthCore
import DepthEvaluation
import DepthObjects
import FathomStatistics

/// What a run shows about detected objects: where effects stand, how well boxes fit, and what has none. Lengths are metres.
public struct ObjectVerdict: Codable, Sendable, Equatable {
  /// A mean over scenes, and what it rests on.
  public struct Estimate: Codable, Sendable, Equatable {
    /// Depth map, box method or way to place an effect.
    public let name: String
    public let value: Double
    /// 95 % interval over scenes; nil for fewer than four.
    public let low: Double?, high: Double?
    public let objects: Int, scenes: Int
  }

  /// Two means on the objects that have both.
  public struct Contrast: Codable, Sendable, Equatable {
    public let name: String, reference: String, value: Double, referenceValue: Double
    /// 95 % interval of value − referenceValue over scenes; nil for fewer than four.
    public let low: Double?, high: Double?
    /// Whether the interval leaves out zero; nil where there is none.
    public let excludesZero: Bool?
    public let objects: Int, scenes: Int
    public var difference: Double { value - referenceValue }
  }

  /// Box methods by their mean IoU in one depth map.
  public struct Boxes: Codable, Sendable, Equatable {
    public let depth: String
    /// The best first. A method that boxes under nine tenths of the objects that another boxes has no place.
    public let ranking: [Estimate]
    /// Methods without a place, with what they have on the objects that they box.
    public let leftOut: [Estimate]
    /// The best against the next; nil where there is none.
    public let next: Contrast?
    /// The best against the specified method; nil where that is the best or did not run.
    public let specified: Contrast?
  }

  /// Ways to place an effect in one depth map.
  public struct Ways: Codable, Sendable, Equatable {
    public let depth: String
    /// Objects whose true box is known.
    public let known: Int
    /// Median error and the objects that got a place, the smallest error first.
    public let ranking: [Estimate]
  }

  /// Detections in the image against the projected true boxes.
  public struct Detection: Codable, Sendable, Equatable {
    public let matched: Int, spurious: Int, missed: Int
    /// Shares; nil where nothing was found, and where nothing was to be found.
    public let precision: Double?, recall: Double?
    public let precisionLow: Double?, precisionHigh: Double?
    public let recallLow: Double?, recallHigh: Double?
    /// Scores above this count as found; overlaps from this on as right.
    public let scoreThreshold: Float, overlap: Float
  }

  /// Objects without a box in one depth map.
  public struct Unboxed: Codable, Sendable, Equatable {
    public let depth: String, unboxed: Int, objects: Int
    /// Where it is always the same.
    public let reason: String?
  }

  /// Scenes whose detections could not be looked at, all or some, for one reason.
  public struct LeftOut: Codable, Sendable, Equatable {
    public struct Scene: Codable, Sendable, Equatable {
      public let scene: String
      /// How many of its frames; nil for all.
      public let frames: Int?
    }

    public let reason: String, scenes: [Scene]
  }

  /// Box method that all is about but ``boxes``.
  public let boxMethod: String
  /// Depth map that box methods and ways are compared in: the first that was asked for.
  public let depth: String?
  /// Whether any object has a true box.
  public let hasTruth: Bool
  /// Detections; those above the confidence threshold; those of them whose true box is known.
  public let detections: Int, confident: Int, known: Int
  /// Detections below the threshold, which are not boxed.
  public let belowThreshold: Int
  /// Where an effect stands, by depth map.
  public let placements: [Estimate]
  /// Every depth map against the true one, at the same objects.
  public let depthCosts: [Contrast]
  /// nil without two methods that box something.
  public let boxes: Boxes?
  /// nil without two ways that place something.
  public let ways: Ways?
  /// Error of the distance label, by depth map.
  public let labels: [Estimate]
  /// nil without true boxes.
  public let detection: Detection?
  public let unboxed: [Unboxed], leftOut: [LeftOut]
  /// Box methods that charts show, by metric: the one that all is about, the app's own, and the best of the others.
  public let charted: [String: [String]]
  /// A method that boxes less than this share of the objects that another boxes is not ranked: leaving out what is difficult is not a gain.
  static let leastBoxed = 0.9
  private static let mostCharted = 4  // Box methods in a chart.
  private static let appMethods = [BoxMethod.pcaXZ.id, BoxMethod.sixPoint.id]  // The app's own box methods.

  public init(_ results: ObjectResults) {
    let method = results.plan.referenceMethod
    boxMethod = method
    depth = results.depths.first
    hasTruth = results.hasTruth
    detections = results.objectCount
    (confident, known) = results.sureObjectCounts
    belowThreshold = results.failures.filter { $0.status == .lowScore }
      .reduce(0) { $0 + $1.methods.values.reduce(0, +) }
    placements = Self.byDepth(.placement, results)
    labels = Self.byDepth(.labelError, results).filter { $0.name != ObjectPlan.truth }
    let hasTrueDepth = results.depths.contains(ObjectPlan.truth)
    depthCosts = results.depths.filter { hasTrueDepth && $0 != ObjectPlan.truth }.compactMap { depth in
      results.difference(.placement, depth: depth, method: method, against: ObjectPlan.truth, method)
        .map { Contrast(depth, ObjectPlan.truth, $0, .placement) }
    }
    boxes = results.depths.first.flatMap { Boxes(results, in: $0) }
    ways = results.depths.first.flatMap { Ways(results, in: $0) }
    detection = results.detection?.overall.map { Detection($0, results.plan) }
    unboxed = results.depths.compactMap { Unboxed(results, $0) }
    leftOut = results.leftOut.map(\.reason).firstAppearances.map { reason in
      LeftOut(
        reason: reason,
        scenes: results.leftOut.filter { $0.reason == reason }.map {
          .init(scene: $0.scene, frames: $0.frames)
        })
    }
    charted = Dictionary(
      uniqueKeysWithValues: [ObjectMetric.placement, .iou].map { ($0.id, Self.charted($0, results)) })
  }

  private static func byDepth(_ metric: ObjectMetric, _ results: ObjectResults) -> [Estimate] {
    results.depths.compactMap { depth in
      results.overall(depth: depth, method: results.plan.referenceMethod)?[metric].map {
        Estimate(depth, $0, metric)
      }
    }
  }

  private static func charted(_ metric: ObjectMetric, _ results: ObjectResults) -> [String] {
    let all = results.plan.boxMethods.compactMap { method -> (method: String, value: Double)? in
      let values = results.depths.compactMap { results.overall(depth: $0, method: method)?[metric]?.value }
      return values.isEmpty ? nil : (method, values.reduce(0, +) / Double(values.count))
    }
    let named = ([results.plan.referenceMethod] + appMethods).filter { name in
      all.contains { $0.method == name }
    }
    let isRising = metric.direction == .higherIsBetter
    let best = all.enumerated().sorted {
      let (a, b) = (
        isRising ? -$0.element.value : $0.element.value, isRising ? -$1.element.value : $1.element.value
      )
      return (a, $0.offset) < (b, $1.offset)
    }.map(\.element.method)
    return Array((named + best).firstAppearances.prefix(mostCharted))
  }
}

extension ObjectVerdict.Estimate {
  init(_ name: String, _ estimate: ObjectEstimate, _ metric: ObjectMetric) {
    let scale = metric.metres
    self.init(
      name: name, value: estimate.value * scale, low: estimate.interval.map { $0.low * scale },
      high: estimate.interval.map { $0.high * scale }, objects: estimate.objects, scenes: estimate.scenes)
  }
}

extension ObjectVerdict.Contrast {
  init(_ name: String, _ reference: String, _ difference: ObjectDifference, _ metric: ObjectMetric) {
    let scale = metric.metres
    self.init(
      name: name, reference: reference, value: difference.value * scale,
      referenceValue: difference.reference * scale, low: difference.interval.map { $0.low * scale },
      high: difference.interval.map { $0.high * scale }, excludesZero: difference.interval?.excludesZero,
      objects: difference.objects, scenes: difference.scenes)
  }
}

extension ObjectVerdict.Boxes {
  fileprivate init?(_ results: ObjectResults, in depth: String) {
    let metric = ObjectMetric.iou
    let all = results.plan.boxMethods.compactMap { method in
      results.overall(depth: depth, method: method)?[metric].map {
        ObjectVerdict.Estimate(method, $0, metric)
      }
    }
    guard all.count > 1, let most = all.map(\.objects).max() else { return nil }
    func hasPlace(_ estimate: ObjectVerdict.Estimate) -> Bool {
      Double(estimate.objects) >= ObjectVerdict.leastBoxed * Double(most)
    }
    // Equal values stand in the order asked for.
    let ranking = all.filter(hasPlace).enumerated().sorted {
      (-$0.element.value, $0.offset) < (-$1.element.value, $1.offset)
    }.map(\.element)
    (self.depth, self.ranking, leftOut) = (depth, ranking, all.filter { !hasPlace($0) })
    func contrast(with other: String?) -> ObjectVerdict.Contrast? {
      guard let best = ranking.first?.name, let other, other != best else { return nil }
      return results.difference(metric, depth: depth, method: best, against: depth, other)
        .map { .init(best, other, $0, metric) }
    }
    next = contrast(with: ranking.dropFirst().first?.name)
    specified = contrast(with: all.contains { $0.name == BoxMethod.pcaXZ.id } ? BoxMethod.pcaXZ.id : nil)
  }
}

extension ObjectVerdict.Ways {
  fileprivate init?(_ results: ObjectResults, in depth: String) {
    guard let group = results.overall(depth: depth, method: results.plan.referenceMethod) else { return nil }
    let metrics = [ObjectMetric.placement] + ObjectMetric.otherPlacements
    let found = zip(PlacementMethod.all.map(\.id), metrics).compactMap { way, metric in
      group[metric].map { ObjectVerdict.Estimate(way, $0, metric) }
    }
    guard found.count > 1 else { return nil }
    (self.depth, known) = (depth, group.known)
    ranking = found.enumerated().sorted { ($0.element.value, $0.offset) < ($1.element.value, $1.offset) }.map(
      \.element)
  }
}

extension ObjectVerdict.Detection {
  fileprivate init(_ row: DetectionResults.Row, _ plan: ObjectPlan) {
    let counts = row.counts
    self.init(
      matched: counts.matched, spurious: counts.spurious, missed: counts.missed, precision: counts.precision,
      recall: counts.recall, precisionLow: row.precisionInterval?.low,
      precisionHigh: row.precisionInterval?.high,
      recallLow: row.recallInterval?.low, recallHigh: row.recallInterval?.high,
      scoreThreshold: plan.decoding.confidenceThreshold, overlap: plan.matchOverlap)
  }
}

extension ObjectVerdict.Unboxed {
  /// nil where every object has one.
  fileprivate init?(_ results: ObjectResults, _ depth: String) {
    guard let group = results.overall(depth: depth, method: results.plan.referenceMethod),
      group.boxed < group.objects
    else { return nil }
    let failed = results.failures.filter { $0.depth == depth }
    let isOne = failed.count == 1 && failed.first?.status == .noMap && failed.first?.hasOneReason == true
    self.init(
      depth: depth, unboxed: group.objects - group.boxed, objects: group.objects,
      reason: isOne ? failed.first?.example.reason : nil)
  }
}
