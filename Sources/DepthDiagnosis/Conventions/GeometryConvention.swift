import DepthCore

/// What carries frames into each other: axes, direction and unit of the poses, kind of the depth, intrinsics. Judged
/// together, because any of them makes the others look wrong.
///
/// Left-handed readings are not candidates: mirrored axes turn a camera inside out, and a level camera would not notice.
public struct GeometryConvention: CompetingConvention {
  public init() {}
  public let correctable = ["pose-convention", "pose-unit", "depth-kind"]

  private static let poses: [(convention: CameraConvention, isInverted: Bool)] = [
    (.arkit, false), (.opencv, false), (.arkit, true), (.opencv, true),
  ]
  private static let poseUnits: [(id: String, factor: Double, name: String)] = [
    ("metres", 1, "metres"), ("millimetres", 1e-3, "millimetres"), ("centimetres", 1e-2, "centimetres"),
  ]
  /// Frames and columns of the search over all readings, and of the final comparison.
  private static let (searchFrames, searchColumns, finalFrames, finalColumns) = (10, 40, 14, 56)
  /// Readings of the other conventions that stand for a hypothesis in the final comparison.
  private static let finalists = 2

  public func axes(for sample: SceneSample) -> [ConventionAxis] {
    func axis(
      _ id: String, _ title: String, _ hypotheses: [Hypothesis], _ declared: String?, least: Double,
      _ property: String
    ) -> ConventionAxis {
      ConventionAxis(
        id: id, title: title, hypotheses: hypotheses, declared: declared, leastExcess: least,
        costUnit: WarpAgreement.costUnit, property: property)
    }
    let scene = sample.header
    return [
      axis(
        "pose-convention", "Poses", Self.poses.map(Self.hypothesis),
        scene.cameraConvention == .unknown ? nil : scene.cameraConvention.rawValue, least: 0.0005,
        "convention of camera/world_from_camera: axes, camera to world"),
      axis(
        "pose-unit", "Unit of the poses", Self.poseUnits.map(Self.hypothesis), "metres", least: 0.0005,
        "metres in camera/world_from_camera"),
      // Before the kind: its correction needs them.
      axis(
        "intrinsics", "Size and order of K",
        Self.intrinsics(sample).map { reading in
          scene.intrinsics.map { reading.hypothesis(for: $0, depth: 2) }
            ?? Hypothesis(reading.rawValue, reading.rawValue, fix: "nothing")
        }, "declared", least: 0.0003, "camera/intrinsics and image_size"),
      axis(
        "depth-kind", "Planar depth or ray length", Self.kinds(scene), scene.lidarKind.rawValue,
        least: 0.0003,
        "kind of lidar/depth"),
    ]
  }

  private static func hypothesis(_ convention: CameraConvention, _ isInverted: Bool) -> Hypothesis {
    let set = "set the attribute convention of camera/world_from_camera to '\(convention.rawValue)'"
    return Hypothesis(
      convention.rawValue + (isInverted ? "-inverted" : ""),
      "the poses take the \(isInverted ? "world to the camera" : "camera to the world"), camera axes of "
        + (convention == .arkit
          ? "ARKit (x right, y up, z backward)" : "OpenCV (x right, y down, z forward)"),
      symptom: "points of different frames do not meet; what is placed drifts when the camera moves",
      fix: (isInverted ? "store the inverse matrices in camera/world_from_camera, and " : "") + set,
      correction: .poses(convention: convention, isInverted: isInverted))
  }

  private static func hypothesis(_ id: String, _ factor: Double, _ name: String) -> Hypothesis {
    Hypothesis(
      id, "the translations of the poses are \(name)",
      symptom: "points of different frames lie \(name == "metres" ? "apart" : "hundreds of metres apart")",
      fix: id == "metres" ? "nothing" : "multiply the translations in camera/world_from_camera by \(factor)",
      correction: factor == 1 ? nil : .poseUnit(factor: factor))
  }

  private static func kinds(_ scene: SceneHeader) -> [Hypothesis] {
    let other = scene.lidarKind.other
    return [
      Hypothesis(scene.lidarKind.rawValue, scene.lidarKind.statement, fix: "nothing"),
      Hypothesis(
        other.rawValue, other.statement,
        symptom: "walls bulge: the corners of the image are too \(other == .distance ? "far" : "near")",
        fix: "set the attribute kind of lidar/depth to '\(other.rawValue)'",
        correction: .attribute(object: "lidar/depth", name: "kind", value: other.rawValue)),
    ]
  }

  private static func intrinsics(_ sample: SceneSample) -> [IntrinsicsReading] {
    sample.header.intrinsics.map { IntrinsicsReading.distinct(for: $0) } ?? [.declared]
  }

  public func findings(in sample: SceneSample, after earlier: [Finding], seed: UInt64) -> [Finding] {
    let axes = axes(for: sample)
    let reason =
      objection(to: sample)
      ?? earlier.reasonToWait(for: [
        DepthAcrossFramesConvention.id, "depth-unit", "pose-layout", "repeated-frames", "aspect-ratio",
        "intrinsics-size", "depth-wrap",
      ])
    func untested(_ reason: String) -> [Finding] {
      MotionCheck.all.map { $0.notTestable(in: sample.header, reason) }
        + axes.map { Finding(notTestable: $0, in: sample.header, reason) }
    }
    if let reason {
      let own = [MotionConvention.notTestable(in: sample, reason)]
      return own + [PosePieces.notTestable(in: sample.header, reason)] + untested(reason)
    }
    let test = MotionConvention(
      sample, frames: Self.finalFrames, columns: Self.finalColumns,
      rough: (Self.searchFrames, Self.searchColumns))
    let measured = Self.measure(sample, axes, test.reach)
    let found = Self.evidence(Self.profiles(axes, measured.map(\.costs), in: sample), seed: seed).map {
      axis, evidence in
      evidence.map { Finding(axis, $0, in: sample.header) }
        ?? Finding(notTestable: axis, in: sample.header, "too little data")
    }
    guard let best = measured.min(by: { $0.agreement.meanCost < $1.agreement.meanCost }) else { return found }
    let declared = measured.first { $0.costs.reading == Self.declared(axes) }
    // Where nothing named makes the frames agree, other faults are looked for in what is declared.
    let base = best.agreement.fits ? best : declared ?? best
    func lies() -> Symmetry? { LidarOrientation.seen(by: earlier, in: sample, seed: seed) }
    let declaredGeometry = declared.map { Self.geometry($0.costs.reading, sample) }
    let isDeclared = base.costs.reading == declared?.costs.reading
    var hidden: (finding: Finding, readings: [MotionReading])?
    if let declared, let declaredGeometry, !isDeclared {
      // A named convention that fixes much may hide another fault whose correction fixes all.
      hidden = test.finding(
        base: declaredGeometry, declared.agreement, declared: declared.agreement, isDeclared: true,
        unlessAbove: 0.85 * base.agreement.residual, lies: lies)
    }
    let geometry = Self.geometry(base.costs.reading, sample)
    let judged: (finding: Finding, readings: [MotionReading]) =
      if let hidden, hidden.finding.verdict == .contradicted {
        (hidden.finding, [])
      } else {
        // A fault of another reading than the declared one must explain more than that does: frames that see one plane meet in many.
        test.finding(
          base: geometry, base.agreement, declared: declared?.agreement, isDeclared: isDeclared,
          unlessAbove: isDeclared ? 1 : declared?.agreement.mostAfterFault ?? 1, lies: lies)
      }
    let overStill = test.marginOverStill(of: best.agreement)
    let doubted = found.indices.map { axis in
      // The best of what leaves this convention as declared.
      let position = axes[axis].hypotheses.firstIndex { $0.id == axes[axis].declared }
      let rival = measured.filter { $0.costs.reading[axis] == position }
        .min { $0.agreement.meanCost < $1.agreement.meanCost }
      return Self.powerless(
        Self.doubting(
          found[axis], best.agreement, rival?.agreement, test.still, overStill: overStill,
          frames: test.chosen.count,
          changes: changes(best.costs.reading, axes)),
        best.agreement, overStill: overStill)
    }
    var motion = judged.finding
    var pieces = PosePieces.notTestable(
      in: sample.header, "not judged before poses, K and kind of depth are mended")
    // Wrong poses let another convention fit a little better: unless that one is named, they are judged as declared.
    let own = declaredGeometry ?? geometry, whole = PosePieces(sample, base: own)
    if motion.verdict != .contradicted || whole.areAtOnePlace,
      isDeclared || declared == nil || !doubted.contains(where: { $0.verdict == .contradicted })
    {
      pieces = whole.finding(isLost: motion.verdict == .noReadingFits) {
        judged.readings.map { PosePieces(sample, base: geometry, reading: $0) }
          + (hidden?.readings ?? []).map { PosePieces(sample, base: own, reading: $0) }
          + (hidden == nil ? [] : [PosePieces(sample, base: geometry)])
      }
    }
    if pieces.verdict == .contradicted {
      motion = motion.undecided("frames do not agree in one world: \(pieces.summary)")
      return [motion, pieces] + untested("not judged before '\(pieces.title)' is mended")
    }
    // A named convention that fixes everything is the simpler explanation.
    if !motion.verdict.isWrong {
      let geometry = Self.geometry(best.costs.reading, sample)
      let checks = MotionCheck.all.map { $0.finding(test, base: geometry, best.agreement) }
      let limited = ([motion] + doubted).map {
        Self.limited($0, by: checks + [pieces], best.agreement, isUnusual: !test.usual[0].isEmpty)
      }
      return [limited[0], pieces] + checks + limited.dropFirst()
    }
    return [motion, pieces] + untested("not judged before '\(motion.title)' is mended")
  }

  /// How many conventions differ from what is declared.
  private func changes(_ reading: [Int], _ axes: [ConventionAxis]) -> Int {
    zip(reading, axes).count { $1.declared != nil && $1.hypotheses[$0].id != $1.declared }
  }

  /// Least share by which frames must agree better before a reading is called wrong; where it is better by less than six
  /// standard errors and frames agree as declared; and of few frames: poses with errors make another reading fit a little better.
  private static let (leastGain, leastDoubtfulGain, leastGainOfFew) = (0.1, 0.15, 0.3)
  /// How much better than a camera that stands still frames must agree; the share of points that must agree where several
  /// conventions would be wrong.
  private static let (stillShare, sureShare) = (0.8, 0.8)

  /// Withdraws a contradiction where the supported reading does not fit, or hardly better.
  /// - Parameter declared: How well frames agree if this convention is as declared; nil where it declares none.
  /// - Parameter overStill: Standard errors by which frames agree better than if the camera stood still.
  /// - Parameter frames: How many were compared.
  private static func doubting(
    _ finding: Finding, _ best: WarpAgreement, _ declared: WarpAgreement?, _ still: WarpAgreement,
    overStill: Double, frames: Int, changes: Int
  ) -> Finding {
    guard finding.verdict == .contradicted || finding.verdict == .found else { return finding }
    guard best.residual <= stillShare * still.residual
    else { return finding.undecided("frames agree about as well if the camera stands still") }
    guard changes < 2 || best.agreeing >= sureShare else {
      return finding.undecided(
        "\(changes) conventions would be wrong at once, and \((100 * best.agreeing).rounded1) % of the points that "
          + "meet would agree: too little for so much")
    }
    let gain = declared.map { 1 - best.residual / $0.residual } ?? 1
    let agreement = "\((100 * best.agreeing).rounded1) % of the points that meet agree"
    guard best.fits else {
      return finding.undecided(
        "\(finding.supported ?? "another reading") fits best, but not well: \(agreement)")
    }
    let isDoubtful = declared?.fits == true && finding.margin ?? 0 < Evidence.certainty
    guard !isDoubtful || overStill >= Evidence.rejection
    else { return finding.undecided("frames agree about as well if the camera stands still") }
    let least =
      !isDoubtful ? leastGain : frames < MotionConvention.fewestFrames ? leastGainOfFew : leastDoubtfulGain
    guard gain >= least || (declared?.landing ?? 0) < best.landing / 2 else {
      return finding.undecided(
        "\(finding.supported ?? "another reading") fits hardly better than what is declared: frames differ by "
          + "\((100 * best.residual).rounded2) % instead of \((100 * (declared?.residual ?? 0)).rounded2) %")
    }
    return finding
  }

  /// Withdraws a confirmation where frames do not agree, or no better than those of a camera that stands
  /// still: then all readings are wrong, or none would show.
  private static func powerless(_ finding: Finding, _ best: WarpAgreement, overStill: Double) -> Finding {
    guard finding.verdict == .confirmed || finding.verdict == .found else { return finding }
    guard best.fits else {
      return finding.undecided(
        "\(finding.supported ?? "it") fits best, but \((100 * best.agreeing).rounded1) % of the points that meet "
          + "agree: too few to confirm it")
    }
    guard overStill >= Evidence.rejection
    else { return finding.undecided("frames agree about as well if the camera stands still") }
    return finding
  }

  /// Which checks speak of what a test confirms.
  private static let limits: [String: [String]] = [
    "frame-agreement": ["pose-delay", "pose-rotation", "pose-pieces", "pose-drift", "depth-offset"],
    "pose-convention": ["pose-delay", "pose-rotation", "pose-pieces", "pose-drift"],
    "intrinsics": ["focal-length", "focal-ratio", "principal-point"],
    "depth-kind": ["depth-offset", "pose-scale"],
  ]

  /// A confirmation that says what these frames would not have shown, or nothing of it where another
  /// reading fits better; a contradiction with what objects to its correction.
  /// - Parameter isUnusual: Whether the pixels that K declares are not square.
  private static func limited(
    _ finding: Finding, by checks: [Finding], _ best: WarpAgreement, isUnusual: Bool
  ) -> Finding {
    var finding = finding
    if finding.verdict == .contradicted, finding.correction != nil {
      if best.agreeing < sureShare {
        finding.witnesses.append(
          Finding.Witness(
            name: "frames after the change", margin: -Evidence.rejection,
            statement: "\(MotionConvention.percent(best.agreeing)) of the points that meet would agree"))
      }
      if let scale = checks.first(where: { $0.test == "pose-scale" }), let margin = scale.margin,
        margin <= -Evidence.rejection
      {
        finding.witnesses.append(
          Finding.Witness(name: "scale of poses and depth", margin: margin, statement: scale.summary))
      }
      return finding
    }
    guard finding.verdict == .confirmed, let names = limits[finding.test] else { return finding }
    let asked = checks.filter { names.contains($0.test) }
    if let better = asked.first(where: { ($0.margin ?? 0) <= -Evidence.rejection }) {
      return finding.undecided("\(better.title) speaks against it: \(better.summary)")
    }
    let faults = Dictionary(
      uniqueKeysWithValues: MotionCheck.all.map { ($0.id, $0.fault) } + [
        (PosePieces.id, "a new origin midway")
      ])
    let (seen, unseen) = (
      asked.filter { $0.verdict == .confirmed }, asked.filter { $0.verdict != .confirmed }
    )
    func list(_ findings: [Finding]) -> String {
      findings.compactMap { faults[$0.test] }.joined(separator: ", ")
    }
    if finding.test == "intrinsics", isUnusual, unseen.contains(where: { $0.test == "focal-ratio" }) {
      return finding.undecided("fx and fy differ as few cameras' do, and these frames do not confirm it")
    }
    if !seen.isEmpty { finding.summary += "; it would show \(list(seen))" }
    if !unseen.isEmpty { finding.summary += "; it would not show \(list(unseen))" }
    return finding
  }

  /// The reading that the file declares; nil where it declares no axes.
  private static func declared(_ axes: [ConventionAxis]) -> [Int]? {
    let positions = axes.map { axis in axis.hypotheses.firstIndex { $0.id == axis.declared } }
    return positions.contains(nil) ? nil : positions.compactMap(\.self)
  }

  public func objection(to sample: SceneSample) -> String? { sample.objectionToWarping }

  public func costs(_ sample: SceneSample, _ axes: [ConventionAxis]) -> [ReadingCosts] {
    let test = MotionConvention(
      sample, frames: Self.finalFrames, columns: Self.finalColumns,
      rough: (Self.searchFrames, Self.searchColumns))
    return Self.measure(sample, axes, test.reach).map(\.costs)
  }

  private typealias Measured = (costs: ReadingCosts, agreement: WarpAgreement)

  private static func geometry(_ reading: [Int], _ sample: SceneSample) -> GeometryReading {
    let pose = poses[reading[0]]
    return GeometryReading(
      convention: pose.convention, isInverted: pose.isInverted, poseUnit: poseUnits[reading[1]].factor,
      declaredKind: sample.header.lidarKind,
      kind: reading[3] == 0 ? sample.header.lidarKind : sample.header.lidarKind.other,
      intrinsics: intrinsics(sample)[reading[2]])
  }

  /// A rough search over all readings, then those that did best, and the declared one, in detail.
  private static func measure(
    _ sample: SceneSample, _ axes: [ConventionAxis], _ reach: WarpAgreement.Reach
  ) -> [Measured] {
    func measured(_ readings: [[Int]], frames: Int, columns: Int) -> [Measured] {
      let chosen = WarpAgreement.spread(sample.frames, limit: frames)
      let positions = chosen.flatMap { [Int](repeating: $0, count: WarpAgreement.parts) }
      let thinned = chosen.map { sample.frames[$0].thinned(to: columns) }
      return concurrentMap(readings.count, threads: sample.threads) { number in
        let reading = readings[number], geometry = geometry(reading, sample)
        let agreement = WarpAgreement(thinned.map { geometry.view($0, limit: columns) }, reach)
        return (ReadingCosts(reading, agreement.costs, of: positions), agreement)
      }
    }
    let search = measured(
      products(axes.map(\.hypotheses.count)), frames: searchFrames, columns: searchColumns)
    var chosen = finalists(search.map(\.costs), axes)
    if let declared = declared(axes), !chosen.contains(declared) { chosen.append(declared) }
    return measured(chosen, frames: finalFrames, columns: finalColumns)
  }

  /// For every hypothesis of every axis the readings in which it did best.
  private static func finalists(_ search: [ReadingCosts], _ axes: [ConventionAxis]) -> [[Int]] {
    let ranked = search.map { ($0.reading, $0.costs.filter(\.isFinite).reduce(0, +)) }.sorted { $0.1 < $1.1 }
      .map(\.0)
    var chosen: Set<[Int]> = []
    for axis in axes.indices {
      for h in axes[axis].hypotheses.indices {
        chosen.formUnion(ranked.lazy.filter { $0[axis] == h }.prefix(finalists))
      }
    }
    return search.map(\.reading).filter(chosen.contains)
  }

  /// Every combination of positions, the last axis fastest.
  private static func products(_ counts: [Int]) -> [[Int]] {
    counts.reduce([[]]) { readings, count in
      readings.flatMap { reading in (0..<count).map { reading + [$0] } }
    }
  }
}

extension DepthKind {
  var other: DepthKind { self == .planar ? .distance : .planar }

  var statement: String {
    self == .planar
      ? "LiDAR depth is the distance to the camera's plane" : "LiDAR depth is the length of the ray"
  }
}
