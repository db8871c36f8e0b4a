import DepthCore
public import FathomStatistics

/// Range errors of a depth sensor from flat walls at taped distances, in the manner of ASTM E2938: errors of differences of range, because the
/// point that the sensor measures from is rarely known.
///
/// Model: m = a + (1 + s)·(D + δ) + e, for each placement: m the measured distance, D the taped one, δ the error of the tape, a and s the
/// sensor's offset and scale error, e the errors of frames, of the fixed pattern over the map, of the file's resolution and of the intrinsics.
///
/// With two parallel faces at each placement, distances are separations of the faces: every one has an error of its own.
public struct WallTest: Sendable {
  /// What every scene shows.
  public enum Target: String, Sendable, Hashable, Codable, CaseIterable {
    case wall
    /// Two parallel faces with a known separation.
    case twoWalls = "two-walls"
    /// A printed board in the pictures of the colour camera, see ``BoardTest``.
    case board
  }

  /// What is declared about the measurement.
  public struct Declaration: Sendable, Hashable, Codable {
    /// Standard uncertainty of each taped distance, metres; errors of placements are taken to be independent.
    public var tapeDeviation = 0.002
    public var tape = TapeReading.perpendicular
    /// Whether the tape begins at the sensor's zero, so that the offset is an error of the sensor.
    public var isZeroKnown = false
    /// Relative standard uncertainty of the focal length.
    public var focalDeviation = 0.005
    /// Standard uncertainty of each coordinate of the principal point, as a share of the focal length.
    public var centreDeviation = 0.005
    /// Largest range error allowed, metres; nil where there is no limit.
    public var rangeLimit: Double?
    /// Largest scale error allowed, a share; nil where there is no limit.
    public var scaleLimit: Double?
    public init() {}
  }

  /// A result with its uncertainty.
  public struct Quantity: Sendable, Hashable, Codable {
    /// Metres, or a share for the scale.
    public let value: Double
    public let budget: UncertaintyBudget
    /// nil where there is no limit.
    public var decision: ConformityDecision?
    /// What would decide it; nil where it is decided.
    public var more: MoreData?

    /// - Parameter fixed: Components of the budget that more placements leave as they are.
    mutating func decide(_ limit: Double, fixed: Set<String>) {
      let decision = ConformityDecision(value, limit: limit, budget)
      self.decision = decision
      guard decision.outcome == .undecided else { return }
      // Expanded uncertainty that decides.
      let needed = abs(limit - abs(value))
      let wanted = needed * needed / (budget.coverageFactor * budget.coverageFactor)
      func variance(_ names: Set<String>) -> Double {
        budget.components.filter { names.contains($0.name) }.reduce(0) {
          $0 + $1.contribution * $1.contribution
        }
      }
      let total = budget.combined * budget.combined
      let (frames, kept) = (variance(["frames"]), variance(fixed))
      var more = MoreData()
      if wanted > total - frames {
        more.frames = frames / (wanted - total + frames)
      } else if wanted > kept {
        more.placements = (total - kept) / (wanted - kept)
      }
      self.more = more
    }
  }

  /// How many times as much to record, so that an undecided result is decided if the measured value stays the same; at most one is given.
  public struct MoreData: Sendable, Hashable, Codable {
    /// As many frames.
    public var frames: Double?
    /// As many placements, each taped anew, where more frames cannot decide.
    public var placements: Double?
  }

  /// The error of a difference of range between two distances, by the names of their placements; of one distance where the zero is known, and
  /// ``from`` is nil.
  public struct RangeError: Sendable, Hashable, Codable {
    public let from: String?, to: String, error: Quantity
  }

  public let placements: [WallPlacement]
  /// Taped, metres, one for each placement.
  public let distances: [Double]
  public let declaration: Declaration
  /// Frames that a placement should have: fewer leave the noise uncertain by more than a quarter.
  public static let advisedFrames = 10
  static let flatShare = 0.005  // Bow of a wall that is not flat, as a share of its distance.

  /// Angle between two faces from which on they are not parallel, radians, unless its uncertainty explains more.
  static let parallelAngle = 2 * Double.pi / 180

  public var target: Target { placements[0].face == nil ? .wall : .twoWalls }

  /// - Precondition: As many distances as placements, at least one; all of one wall, or all of two faces.
  public init(_ placements: [WallPlacement], distances: [Double], _ declaration: Declaration) {
    precondition(placements.count == distances.count && !placements.isEmpty, "a distance for each placement")
    (self.placements, self.distances, self.declaration) = (placements, distances, declaration)
  }

  // MARK: Budget

  /// Of Σ c·m − Σ c′·D: a linear combination of measured distances.
  /// - Parameter c: Of the measured distances.
  /// - Parameter taped: Of the taped ones; what the combination is not sensitive to is 0.
  public func budget(_ c: [Double], taped: [Double]) -> UncertaintyBudget {
    func root(_ values: [Double]) -> Double { values.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let frames = zip(c, placements).map { $0 * $0 * $1.frameVariance }
    let frameVariance = frames.reduce(0, +)
    let inverseFreedom = zip(frames, placements).reduce(0) {
      $0 + $1.0 * $1.0 / max(1e-9, $1.1.effectiveFrames - 1)
    }
    let (pattern, patternFreedom) = pattern(c)
    let resolution = root(zip(c, placements).map { $0 * $1.resolutionDeviation })
    let camera = placements.map(\.cameraSensitivity)
    let focal = zip(c, camera).reduce(0) { $0 + $1.0 * $1.1.focal }
    let centre = root([
      zip(c, camera).reduce(0) { $0 + $1.0 * $1.1.centreX },
      zip(c, camera).reduce(0) { $0 + $1.0 * $1.1.centreY },
    ])
    let skew = root(zip(c, placements).map { $0 * ($1.parallelism ?? 0) })
    let causes: [UncertaintyBudget.Component] =
      [
        .init("tape", declaration.tapeDeviation, .normal, sensitivity: root(taped)),
        .init(
          "frames", frameVariance.squareRoot(), .student,
          freedom: inverseFreedom > 0 ? frameVariance * frameVariance / inverseFreedom : nil),
        .init("fixed pattern", pattern, .student, freedom: patternFreedom),
        .init("resolution", resolution, .uniform),
        .init("focal length", declaration.focalDeviation, .normal, sensitivity: focal),
        .init("principal point", declaration.centreDeviation, .normal, sensitivity: centre),
      ] + (target == .wall ? [] : [.init("parallelism", skew, .uniform)]) + reproducibility(c)
    let shown: Set = placementsShowTape ? ["tape", "resolution"] : []
    return UncertaintyBudget(causes.filter { !shown.contains($0.name) })
  }

  /// u because the mean maps are not planes: from the spread between tiles, so that a pattern that all placements share counts as it acts on
  /// the combination. What is left of noise over time is in the component of the frames, and taken off.
  private func pattern(_ c: [Double]) -> (deviation: Double, freedom: Double) {
    let noise = zip(c, placements).reduce(0) { $0 + $1.0 * $1.0 * $1.1.patternNoise }
    guard target == .wall else {
      // Faces take other parts of the map in every scene, so that their patterns are independent.
      let parts = zip(c, placements).flatMap { factor, placement in
        placement.patternVariances.map { (variance: factor * factor * $0.variance, freedom: $0.freedom) }
      }
      let variance = parts.reduce(0) { $0 + $1.variance }
      let inverse = parts.reduce(0) { $0 + $1.variance * $1.variance / $1.freedom }
      return (max(0, variance - noise).squareRoot(), inverse > 0 ? variance * variance / inverse : 1)
    }
    let isShared = Set(placements.map(\.wall.size)).count == 1
    let tiles = WallPlacement.tiles.count
    let parts = zip(c, placements).map { factor, placement in placement.pattern.map { factor * $0 } }
    let squares: Double
    if isShared {
      squares = (0..<tiles).reduce(0) { sum, tile in
        let total = parts.reduce(0) { $0 + $1[tile] }
        return sum + total * total
      }
    } else {
      squares = parts.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } }
    }
    // A fit of three parameters leaves so many tiles to vary.
    let freedom = Double(tiles - 3)
    return (max(0, squares * Double(tiles) / freedom - noise).squareRoot(), freedom)
  }

  // MARK: Results

  /// What the model equation is solved for.
  private enum Figure {
    /// Error of a difference of range between two distances, by the indices of their placements; of one distance where there is no first.
    case range(from: [Int], to: [Int])
    case scale, offset
    /// Distance of a placement from the line.
    case line(Int)

    func value(_ measured: [Double], _ taped: [Double]) -> Double {
      switch self {
      case .range(let from, let to):
        func mean(_ indices: [Int]) -> Double {
          indices.reduce(0) { $0 + measured[$1] - taped[$1] } / Double(max(1, indices.count))
        }
        return mean(to) - mean(from)
      case .scale: return Line(measured, taped).slope - 1
      case .offset: return Line(measured, taped).offset
      case .line(let index):
        let line = Line(measured, taped)
        return measured[index] - line.offset - line.slope * taped[index]
      }
    }
  }

  /// The least-squares line of measured over taped distances.
  private struct Line {
    let slope: Double, offset: Double

    init(_ measured: [Double], _ taped: [Double]) {
      let count = Double(taped.count)
      let (mean, middle) = (taped.reduce(0, +) / count, measured.reduce(0, +) / count)
      var (square, product) = (0.0, 0.0)
      for (x, y) in zip(taped, measured) {
        square += (x - mean) * (x - mean)
        product += (x - mean) * y
      }
      slope = product / square
      offset = middle - slope * mean
    }
  }

  /// Whether distances differ, so that they have a line.
  private var hasLine: Bool { Set(distances).count > 1 }
  private var measured: [Double] { placements.map(\.distance) }

  /// ∂figure by the measured and, but for its sign, by the taped distances.
  private func weights(_ figure: Figure) -> (measured: [Double], taped: [Double]) {
    func along(_ c: [Double]) -> (measured: [Double], taped: [Double]) {
      let slope = Line(measured, distances).slope
      return (c, c.map { $0 * slope })
    }
    let count = Double(distances.count)
    let mean = distances.reduce(0, +) / count
    let square = distances.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    let slope = distances.map { ($0 - mean) / square }
    switch figure {
    case .range(let from, let to):
      var c = distances.map { _ in 0.0 }
      for index in to { c[index] += 1 / Double(to.count) }
      for index in from { c[index] -= 1 / Double(from.count) }
      return (c, c)
    case .scale: return along(slope)
    case .offset: return along(slope.map { 1 / count - mean * $0 })
    case .line(let index):
      return along(
        slope.enumerated().map { ($0 == index ? 1 : 0) - 1 / count - (distances[index] - mean) * $1 })
    }
  }

  private func quantity(_ figure: Figure, limit: Double? = nil) -> Quantity {
    let weights = weights(figure)
    let budget = budget(weights.measured, taped: weights.taped)
    var quantity = Quantity(value: figure.value(measured, distances), budget: budget)
    guard let limit, !findings.contains(where: \.prevents) else { return quantity }
    quantity.decide(limit, fixed: ["focal length", "principal point"])
    return quantity
  }

  private var rangeFigures: [(from: [Int], to: [Int])] {
    // Placements at one distance are averaged: their mean is independent of how much they differ, which is in the budget.
    let groups = Dictionary(grouping: distances.indices) { distances[$0] }.values.sorted { $0[0] < $1[0] }
    guard !declaration.isZeroKnown, target == .wall,
      let first = groups.min(by: { distances[$0[0]] < distances[$1[0]] })
    else { return groups.map { ([], $0) } }
    return groups.filter { $0 != first }.map { (first, $0) }
  }

  /// From the nearest distance to each other one, in the order of their placements; where the zero is known, and of separations, of each.
  public var rangeErrors: [RangeError] {
    func name(_ indices: [Int]) -> String { indices.map { placements[$0].name }.joined(separator: ", ") }
    return rangeFigures.map { from, to in
      RangeError(
        from: from.isEmpty ? nil : name(from), to: name(to),
        error: quantity(.range(from: from, to: to), limit: declaration.rangeLimit))
    }
  }

  /// s, a share; nil where all distances are equal.
  public var scaleError: Quantity? { hasLine ? quantity(.scale, limit: declaration.scaleLimit) : nil }

  /// a, metres: the offset at distance 0. Where the zero is not known it is that of the sensor and of the tape together, and not an error.
  public var offset: Quantity? { hasLine ? quantity(.offset) : nil }

  /// The placement that is farthest from the line in units of what it may be by chance; nil with fewer than three different distances.
  private var farthest: Figure? {
    guard Set(distances).count > 2 else { return nil }
    let figures = distances.indices.map { (figure: Figure.line($0), quantity: quantity(.line($0))) }
    func size(_ quantity: Quantity) -> Double { abs(quantity.value) / quantity.budget.expanded }
    return figures.max { size($0.quantity) < size($1.quantity) }?.figure
  }

  /// The largest distance of a placement from the line in units of what it may be by chance, with three or more placements at different
  /// distances.
  public var nonLinearity: Quantity? { farthest.map { quantity($0) } }

  /// Checks of ``rangeErrors``, ``scaleError``, ``offset`` and ``nonLinearity``, in this order, without those that are nil. Trials draw the
  /// errors of every placement and those of the intrinsics; those of the pattern, of placements and of days as they act on the figure.
  public func monteCarlo(trials: Int = MonteCarloCheck.usualTrials) -> [MonteCarloCheck] {
    let figures =
      rangeFigures.map { Figure.range(from: $0.from, to: $0.to) } + (hasLine ? [.scale, .offset] : [])
      + [farthest].compactMap(\.self)
    let quantities = figures.map { quantity($0) }
    let isTapeShown = placementsShowTape
    let own = placements.flatMap { placement -> [UncertaintyBudget.Component] in
      [
        .init("tape", isTapeShown ? 0 : declaration.tapeDeviation, .normal),
        .init(
          "frames", placement.frameVariance.squareRoot(), .student, freedom: placement.effectiveFrames - 1),
        .init("resolution", isTapeShown ? 0 : placement.resolutionDeviation, .uniform),
        .init("parallelism", placement.parallelism ?? 0, .uniform),
      ]
    }
    let camera: [UncertaintyBudget.Component] = [
      .init("focal length", declaration.focalDeviation, .normal),
      .init("principal point", declaration.centreDeviation, .normal),
      .init("principal point", declaration.centreDeviation, .normal),
    ]
    let ownNames = Set((own + camera).map(\.name))
    let joint = quantities.map { $0.budget.components.filter { !ownNames.contains($0.name) } }
    let jointCount = joint.first?.count ?? 0
    let (planes, tape, estimates) = (placements.map(\.wall.plane), declaration.tape, measured)
    // A separation stretches with the distance of the wall.
    let shares = zip(estimates, planes).map { $0 / $1.distance(tape) }
    var (measured, taped) = (estimates, distances)
    return MonteCarloCheck.checks(
      quantities.map { ($0.value, $0.budget) }, inputs: own + camera + joint.flatMap(\.self), trials: trials
    ) { draws, results in
      let turn = SIMD3(draws[own.count], draws[own.count + 1], draws[own.count + 2])
      for index in planes.indices {
        let first = 4 * index
        measured[index] =
          shares[index] * planes[index].changed(turn).distance(tape) + draws[first + 1] + draws[first + 2]
          + draws[first + 3]
        taped[index] = distances[index] + draws[first]
      }
      for index in figures.indices {
        let first = own.count + camera.count + index * jointCount
        results[index] = (first..<first + jointCount).reduce(figures[index].value(measured, taped)) {
          $0 + draws[$1]
        }
      }
    }
  }

  // MARK: Findings

  /// What is wrong with the recording; what prevents a decision first.
  public var findings: [WallFinding] {
    var findings: [WallFinding] = []
    func add(_ kind: WallFinding.Kind, _ scene: String?, _ value: Double?, prevents: Bool) {
      findings.append(WallFinding(kind: kind, scene: scene, value: value, prevents: prevents))
    }
    for (placement, taped) in zip(placements, distances) {
      let (name, count) = (placement.name, placement.series.count)
      if count < Self.advisedFrames { add(.fewFrames, name, Double(count), prevents: count < 3) }
      if placement.copies > 0 { add(.copies, name, Double(placement.copies), prevents: false) }
      let factor = placement.distance / taped
      if !(0.5...2).contains(factor) { add(.distanceFactor, name, factor, prevents: true) }
      let range = placement.face == nil ? placement.distance : placement.wall.plane.distance
      if placement.bow > Self.flatShare * range { add(.notFlat, name, placement.bow, prevents: true) }
      if let angle = placement.angle, angle.value > max(Self.parallelAngle, 3 * angle.deviation) {
        add(.notParallel, name, angle.value * 180 / .pi, prevents: true)
      }
      let share = placement.wall.share + (placement.face?.share ?? 0)
      if share < 0.6 { add(.smallWall, name, share, prevents: false) }
      if let shift = placement.halfShift { add(.moved, name, shift, prevents: false) }
    }
    if !hasLine, target == .wall || declaration.scaleLimit != nil {
      add(.oneDistance, nil, nil, prevents: !declaration.isZeroKnown && target == .wall)
    }
    return findings.filter(\.prevents) + findings.filter { !$0.prevents }
  }

  /// That the distances do not follow a line: more than the uncertainty of the largest of several explains (Bonferroni).
  public var linearityFinding: WallFinding? {
    guard let largest = nonLinearity else { return nil }
    var budget = largest.budget
    budget.coverage = 1 - 0.05 / Double(placements.count)
    return abs(largest.value) > budget.expanded
      ? WallFinding(kind: .notLinear, scene: nil, value: largest.value, prevents: false) : nil
  }
}

extension WallPlacement {
  /// Difference of the means of the two halves of the recording, metres, where it is more than five standard errors and a thousandth of the
  /// distance: the camera moved, or the sensor drifts.
  var halfShift: Double? {
    guard series.count >= 8 else { return nil }
    let half = series.count / 2
    let (first, second) = (Self.moments(Array(series.prefix(half))), Self.moments(Array(series.suffix(half))))
    let shift = second.mean - first.mean
    let error = ((first.variance + second.variance) / Double(half)).squareRoot()
    return abs(shift) > max(5 * error, 0.001 * distance) ? shift : nil
  }
}
