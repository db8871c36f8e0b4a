public import DepthCore
public import DepthObjects

/// The app's three row flips, tested on every detected object (domain §5): box row → LiDAR row, LiDAR row → mask row,
/// LiDAR row → image v.
///
/// A unit is one object of one frame. Its cost under a combination of flips is the sum of these shares, of those that
/// its data allow:
/// - of the mask outside its box: whether boxes and masks count from the same end;
/// - of the mask's outline that lies on no edge of LiDAR depth: from which end masks count;
/// - how little the box is nearer than what is beside it: from which end boxes count;
/// - with a true box, of the detected box outside the true one's image, and of the object's points outside the true
///   box: all three flips;
/// - how far its pixels, carried to other frames, miss the depth there: the third flip.
///
/// What none of them sees is undecidable: the first two flips for objects that look the same upside down about the
/// image's middle row, the second without masks, the third without true box and for a camera that neither rolls, nods
/// nor rises. Poses and intrinsics must be right before the third flip and true boxes can say anything; where they bring
/// no frames together, other frames are skipped (``caution``).
public struct ObjectFlips: Sendable {
  /// An excess cost below this is none: one in a hundred pixels in another place.
  public static let leastExcess = 0.01
  /// What costs are.
  public static let costUnit = "sum of the shares of box, mask and points in the wrong place"
  /// Most objects that are measured, evenly over the scene: more say nothing new.
  public static let objectLimit = 96
  /// Fewest objects from which a verdict can be drawn: with fewer, three standard errors are chance.
  public static let fewestObjects = 6
  /// The eight combinations, all three flips first, so that of equals the one with most flips as in the app wins.
  public static let combinations: [RowFlips] = RowFlips.combinations.reversed()
  /// In the order of ``combinations``.
  public let hypotheses: [Hypothesis]
  /// The flips that the file's conventions call for; the third is right by the schema.
  public let declaredID: String
  /// One row per object that says anything, one cost per hypothesis.
  public let costs: [[Double]]
  /// One row per combination, in their order.
  public let table: [FlipRow]
  public let objects: [FlippedObject]
  /// Why nothing can be tested; nil where it can.
  public let objection: String?
  /// Why other frames were excluded from the costs; nil where they were not.
  public let caution: String?

  /// Measures objects whose frames are among `frames`, at most ``objectLimit`` of them.
  /// - Parameter frames: A selection of the scene's frames with LiDAR, confidence and camera.
  /// - Parameter objects: Of the whole scene, in the file's order.
  /// - Parameter seed: Of the box fits.
  /// - Parameter threads: That may be used.
  /// - Complexity: O(frames · pixels + objects · pixels of a box).
  public static func measure(
    _ scene: SceneHeader, frames: [DepthFrame], objects: [DetectedObject], conventions: DetectionConventions,
    seed: UInt64, threads: Int = 1
  ) -> ObjectFlips {
    let gauge = FlipGauge(scene, frames, conventions, seed: seed)
    let sampled = Set(frames.map(\.index))
    let known = objects.indices.filter { sampled.contains(objects[$0].frame) }
    let count = min(known.count, objectLimit)
    let chosen = (0..<count).map { count == 1 ? known[0] : known[$0 * (known.count - 1) / (count - 1)] }
    var measured = concurrentMap(chosen.count, threads: threads) { position -> FlippedObject? in
      let index = chosen[position], object = objects[index]
      return gauge.measurements(of: object)
        .map { FlippedObject(frame: object.frame, object: index, label: object.label, measurements: $0) }
    }.compactMap(\.self)
    FlipCost.set(in: &measured)
    return ObjectFlips(
      measured, declared: RowFlips(for: conventions), frames: frames, detections: objects.count)
  }

  private init(_ objects: [FlippedObject], declared: RowFlips, frames: [DepthFrame], detections: Int) {
    (self.objects, declaredID) = (objects, declared.id)
    costs = objects.compactMap { object in
      let costs = object.measurements.compactMap(\.cost)
      return costs.count == Self.combinations.count ? costs : nil
    }
    table = Self.combinations.indices
      .map { index in FlipRow(Self.combinations[index].id, objects.map { $0.measurements[index] }) }
    let rows = Dictionary(uniqueKeysWithValues: zip(Self.combinations, table))
    hypotheses = Self.combinations.map { flips in
      var symptom = ""
      if let right = rows[flips], let wrong = rows[declared] {
        symptom = FlipSymptom.text(right: (flips, right), declared: (declared, wrong))
      }
      return Hypothesis(flips.id, flips.statement, symptom: symptom, fix: flips.fix(insteadOf: declared))
    }
    caution =
      FlipCost.framesMeet(objects) == false
      ? "objects meet other frames under neither reading of the image's rows: poses or intrinsics come first"
      : nil
    objection =
      if detections == 0 {
        "the scene has no detected objects"
      } else if frames.allSatisfy({ $0.intrinsics == nil }) {
        "the scene has no intrinsics, and so no size of the image that boxes belong to"
      } else if costs.count < Self.fewestObjects {
        "\(costs.count) objects in these frames say anything, at least \(Self.fewestObjects) are needed"
      } else {
        nil
      }
  }

  /// Which of the three flips are decided where the data allow several combinations.
  /// - Parameter consistent: Positions of hypotheses, as ``Evidence/consistent`` gives them.
  public func decided(_ consistent: [Int]) -> DecidedFlips {
    DecidedFlips(consistent.map { Self.combinations[$0] })
  }
}

/// What several combinations of flips have in common.
public struct DecidedFlips: Sendable, Hashable, Codable {
  /// Whether the flip is made in all of them, or in none; nil where they differ.
  public var boxToDepth: Bool?, depthToMask: Bool?, depthToImage: Bool?

  init(_ combinations: [RowFlips]) {
    func common(_ flip: (RowFlips) -> Bool) -> Bool? {
      let values = Set(combinations.map(flip))
      return values.count == 1 ? values.first : nil
    }
    (boxToDepth, depthToMask) = (common(\.boxToDepth), common(\.depthToMask))
    depthToImage = common(\.depthToImage)
  }
}
