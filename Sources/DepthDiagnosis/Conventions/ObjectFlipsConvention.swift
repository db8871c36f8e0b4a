import DepthCore
import DepthObjects

/// The app's three row flips over all detected objects, as one verdict (``ObjectFlips``).
public struct ObjectFlipsConvention: Convention {
  public let correctable = ["object-flips"]

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let poses: Set = [
      "depth-unit", "pose-layout", "pose-convention", "pose-unit", "depth-kind", "intrinsics",
    ]
    var sample = sample
    if earlier.reasonToWait(for: poses) != nil {
      // Box and mask can be judged without poses; true boxes and other frames cannot.
      for index in sample.frames.indices { sample.frames[index].worldFromCamera = nil }
    }
    return [
      finding(
        ObjectFlips.measure(
          sample.header, frames: sample.frames, objects: sample.objects, conventions: sample.conventions,
          seed: seed, threads: sample.threads),
        in: sample, seed: seed)
    ]
  }

  private func finding(_ flips: ObjectFlips, in sample: SceneSample, seed: UInt64) -> Finding {
    let axis = ConventionAxis(
      id: "object-flips", title: "Row flips of objects", hypotheses: flips.hypotheses,
      declared: flips.declaredID, leastExcess: ObjectFlips.leastExcess, costUnit: ObjectFlips.costUnit)
    if let objection = flips.objection { return Finding(notTestable: axis, in: sample.header, objection) }
    guard
      let evidence = Evidence(
        flips.hypotheses, costs: flips.costs, leastExcess: ObjectFlips.leastExcess, seed: seed)
    else { return Finding(notTestable: axis, in: sample.header, "too little data") }
    var finding = Finding(axis, evidence, in: sample.header)
    finding.flips = FlipEvidence(table: flips.table, objects: flips.objects, caution: flips.caution)
    if let caution = flips.caution { finding.summary += "; \(caution)" }
    guard finding.verdict == .contradicted else { return finding }
    // The origins may be decided where the third flip, which is code, is not.
    let decided = flips.decided(evidence.consistent)
    let (box, mask) = (decided.boxToDepth.map(Self.origin), decided.depthToMask.map(Self.origin))
    let changesBox = box != nil && box != sample.conventions.boxOrigin
    let changesMask = mask != nil && mask != sample.conventions.maskOrigin
    guard changesBox || changesMask else { return finding }
    finding.correction = .origins(box: changesBox ? box : nil, mask: changesMask ? mask : nil)
    finding.fix = [("objects/bbox", changesBox ? box : nil), ("objects/mask", changesMask ? mask : nil)]
      .compactMap { object, origin in
        origin.map { "set the attribute origin of \(object) to '\($0.rawValue)'" }
      }
      .joined(separator: ", and ")
    return finding
  }

  private static func origin(_ isFlipped: Bool) -> ImageOrigin { isFlipped ? .bottomLeft : .topLeft }
}

/// The measurements behind a verdict about flips.
public struct FlipEvidence: Sendable, Codable {
  /// One row per combination.
  public var table: [FlipRow]
  /// Every object under every combination.
  public var objects: [FlippedObject]
  /// Why other frames were skipped; nil where they were not.
  public var caution: String?
}
