import DepthCore
import FathomPlainText

/// Whether the relative map, or what a network predicted, lies on the LiDAR map as stored, or mirrored or turned, and whether
/// it is disparity or depth: judged together, because a mirrored map has a sign of its own.
///
/// Cost: by 1 ∓ ρ of the ranks of the map's values and 1/LiDAR, block by block of the image; ranks, so that the form does
/// not matter. Which form fits best is another question and no contradiction.
///
/// A network that is right but poor can fit better turned and in the other kind than as it is. So a change of orientation
/// must fit well, or the edges of the camera image must speak for it; they must never speak against it. A change of
/// orientation *and* kind needs twice the margin, or the image's edges.
public struct RelativeLayoutConvention: CompetingConvention {
  /// nil for the relative map.
  private let prediction: StoredPrediction?
  public init() { prediction = nil }
  init(of prediction: StoredPrediction) { self.prediction = prediction }
  public let correctable = ["relative-orientation", "relative-kind"]
  /// "the relative map", "the prediction 'net'"
  private var noun: String { prediction.map { "the prediction '\($0.name)'" } ?? "the relative map" }
  private var object: String { prediction.map { "predictions/\($0.name)/depth" } ?? "relative/values" }
  private func id(_ axis: String) -> String {
    prediction.map { "prediction-\(axis):\($0.name)" } ?? "relative-\(axis)"
  }

  private func map(_ frame: DepthFrame) -> DepthMap? {
    guard let prediction else { return frame.relative }
    return frame.predictions.first { $0.header.name == prediction.name }?.map
  }

  /// What is declared; metres are depth.
  private func kind(in sample: SceneSample) -> RelativeKind {
    guard let prediction else { return sample.header.relativeKind }
    return switch prediction.kind {
    case .metric, .depth: .depth
    case .disparity: .disparity
    case nil: .unknown
    }
  }

  /// Largest cost of a change that nothing else speaks for, and of any.
  private static let (goodFit, fairFit) = (RankCost.sharpened(0.2), RankCost.sharpened(0.45))
  private static let declaredOrder = "rows from the top, columns from the left"

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    let (kind, reference) = (kind(in: sample), sample.reference)
    return [
      ConventionAxis(
        id: id("orientation"),
        title: "\(prediction.map { "Prediction '\($0.name)'" } ?? "Relative map") against \(reference.noun)",
        hypotheses: Symmetry.allCases.map { hypothesis($0, on: reference.map) },
        declared: Symmetry.upright.rawValue, leastExcess: 0.1, costUnit: RankCost.unit,
        fittingCost: Self.fairFit, property: Self.declaredOrder),
      ConventionAxis(
        id: id("kind"),
        title: prediction.map { "Kind of the prediction '\($0.name)'" } ?? "Disparity or depth",
        hypotheses: [.disparity, .depth].map(hypothesis), declared: kind == .unknown ? nil : word(kind),
        leastExcess: 0.2, costUnit: RankCost.unit, fittingCost: Self.fairFit, property: "kind of \(object)"),
    ]
  }

  /// Metres are metric, not only depth.
  private func word(_ kind: RelativeKind) -> String {
    prediction?.kind == .metric && kind == .depth ? "metric" : kind.rawValue
  }

  private func hypothesis(_ kind: RelativeKind) -> Hypothesis {
    let word = word(kind)
    let values = prediction == nil ? "larger relative values" : "its larger values"
    var fix = "set the attribute kind of \(object) to '\(word)'"
    if let prediction { fix += ", or give it again as `\(flag: "prediction") \(prediction.name):\(word)=…`" }
    return Hypothesis(
      word, "\(values) are \(kind == .disparity ? "nearer" : "farther")",
      symptom: prediction?.kind == .metric
        ? "what is near is said to be far"
        : "a fit in the other sense has a negative slope and is rejected, or turns the scene inside out",
      fix: fix, correction: .attribute(object: object, name: "kind", value: word))
  }

  private func hypothesis(_ symmetry: Symmetry, on reference: String) -> Hypothesis {
    guard symmetry != .upright
    else { return Hypothesis(symmetry.rawValue, "\(noun) lies on \(reference) as stored", fix: "nothing") }
    return Hypothesis(
      symmetry.rawValue, "\(noun) is \(symmetry.name) with respect to \(reference)",
      symptom: symmetry == .mirroredVertically
        ? "depths come from the wrong rows: near and far change places between top and bottom"
        : "depths come from the wrong place: near and far change sides",
      fix: "store \(object) with rows from the top and columns from the left of the LiDAR's view",
      correction: .orientation(object: object, stored: symmetry))
  }

  public func objection(to sample: SceneSample) -> String? {
    if sample.header.lidarSize == nil { return "the scene has no LiDAR depth" }
    return prediction != nil || sample.header.relativeSize != nil ? nil : "the scene has no relative map"
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    if let reason = earlier.reasonToWait(for: ["aspect-ratio", "repeated-frames"]) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, reason) }
    }
    return findings(in: sample, seed: seed)
  }

  public func findings(in sample: SceneSample, seed: UInt64) -> [Finding] {
    if let objection = objection(to: sample) {
      return axes(for: sample).map { Finding(notTestable: $0, in: sample.header, objection) }
    }
    let evidence = evidence(in: sample, seed: seed)
    let found = evidence.map { axis, evidence in
      evidence.map { Finding(axis, $0, in: sample.header) }
        ?? Finding(notTestable: axis, in: sample.header, "too little data")
    }
    guard var orientation = found.first, let turned = orientation.readings.min(by: { $0.cost < $1.cost }),
      let symmetry = Symmetry(rawValue: turned.hypothesis.id), symmetry != .upright
    else { return found }
    // The image knows nothing of kinds, and the LiDAR nothing of the image.
    let edges = EdgeEvidence(
      sample, of: { map($0).map(EdgeMap.init(relative:)) }, on: { $0.image.map(EdgeMap.init(image:)) })
    orientation.witnesses = [
      edges.witness("edges of the camera image", for: symmetry, against: .upright)
    ].compactMap { $0 }
    return judged(orientation, found[1], turned, in: sample)
  }

  /// What is left of a change of orientation, and with it of kind, after the image was asked.
  private func judged(
    _ orientation: Finding, _ kind: Finding, _ turned: Finding.Reading, in sample: SceneSample
  ) -> [Finding] {
    guard orientation.verdict == .contradicted else { return [orientation, kind] }
    let supportedKind = kind.readings.min { $0.cost < $1.cost }?.hypothesis.id
    let isJoint = kind.declared != nil && supportedKind != kind.declared
    let asStored = orientation.readings.first { $0.hypothesis.id == orientation.declared }
    let numbers =
      "ranks fit by ρ \(RankCost.correlation(turned.cost).rounded2) \(turned.hypothesis.id)"
      + (isJoint ? " and as \(supportedKind ?? "")" : "")
      + (asStored.map { ", \(RankCost.correlation($0.cost).rounded2) as stored" } ?? "")
    let witness = orientation.witnesses.first
    let words = witness.map { "; \($0.statement)" } ?? "; there is no camera image to ask"
    func open(_ reason: String) -> [Finding] {
      [orientation, kind].map { finding in
        // A kind that is right in both readings stands.
        guard finding.test == orientation.test || finding.verdict == .contradicted || isJoint
        else { return finding }
        return finding.undecided("\(reason): \(numbers)\(words)")
      }
    }
    if witness?.objects == true { return open("the witnesses disagree") }
    let isSure = witness?.agrees == true || orientation.margin ?? 0 >= Evidence.certainty
    if isJoint && !isSure {
      return open("orientation and kind would both be wrong, which needs more evidence")
    }
    if witness?.agrees != true && turned.cost > Self.goodFit {
      return open("no reading fits well, and nothing else speaks for one")
    }
    var orientation = orientation
    orientation.summary += ". Evidence: \(numbers)\(words)"
    return [orientation, kind]
  }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let (rows, frames) = sample.parts { frame -> [[SIMD2<Double>]] in
      guard let map = map(frame) else { return [] }
      let grid = DepthGrid(frame, leastConfidence: 0)
      let found = RankCost.blocks(
        grid.disparity, each: Symmetry.allCases.map { grid.samples(of: map, at: $0.place) }, grid.size)
      return (0..<RankCost.side * RankCost.side).map { part in
        found.map { blocks in
          blocks[part].map { [RankCost.sharpened($0.rising), RankCost.sharpened($0.falling)] }
            ?? SIMD2(repeating: .nan)
        }
      }
    }
    return Symmetry.allCases.indices.flatMap { symmetry in
      (0..<2).map { kind in ReadingCosts([symmetry, kind], rows.map { $0[symmetry][kind] }, of: frames) }
    }
  }
}
