import FathomRuns
public import DepthCertification
import DepthCore
import DepthFusion
public import FathomRunFolders
public import FathomStatistics
import FathomStorage
import FathomTables

/// `certificate.json`: the figures, their budgets, and everything that determines them. Lengths are metres, shares 0 to 1.
public struct Certificate: Codable, Sendable {
  /// The file's name; marks a folder as one of these.
  public static let fileName = "certificate.json"

  /// A camera before the wall.
  public struct Placement: Codable, Sendable {
    public var scene: String
    /// Distance, or separation of two faces; absent where it was not taped.
    public var taped: Double?
    /// Day of the recording, counted from 1; absent where time stamps do not say it.
    public var day: Int?
    /// Shortest distance of the camera centre from the wall, and distance along the optical axis.
    public var perpendicular: Double, axis: Double
    /// Angle between the optical axis and the wall's normal, degrees.
    public var tilt: Double
    public var frames: Int
    /// Independent frames that say as much.
    public var effectiveFrames: Double
    /// Standard deviation of the distance between frames: repeatability.
    public var repeatability: Double?
    /// Standard deviation over time of single pixels.
    public var pixelNoise: Double?
    /// Pixels of the wall, and independent pixels that would give the distance as much noise.
    public var pixels: Int
    public var effectivePixels: Double?
    /// Share of the pixels with depth that the wall takes, and share of its pixels that have a value.
    public var wallShare: Double, fill: Double
    /// Of the mean over time from the plane: root mean square without noise, band with 99.7 % of the pixels, and range of the tiles' means.
    public var flatnessRMS: Double, flatnessRange: Double, bow: Double
    /// Step between values of the file; 0 where there is none.
    public var resolution: Double
    /// Absent with one wall.
    public var face: Face?
  }

  /// The second of two faces.
  public struct Face: Codable, Sendable {
    /// Of its centre from the wall, along the wall's normal.
    public var separation: Double
    /// Shortest distance of the camera centre from its plane.
    public var perpendicular: Double
    /// Between the normals of the faces, and its standard uncertainty, degrees.
    public var angle: Double, angleDeviation: Double
    public var pixels: Int
    /// Of the pixels with depth.
    public var share: Double

    init?(_ placement: WallPlacement) {
      guard let face = placement.face, let angle = placement.angle else { return nil }
      (separation, perpendicular) = (placement.distance, face.plane.distance)
      (self.angle, angleDeviation) = (angle.value * 180 / .pi, angle.deviation * 180 / .pi)
      (pixels, share) = (face.pixels.count, face.share)
    }
  }

  /// What a printed board showed.
  public struct Board: Codable, Sendable {
    /// As declared.
    public var printed: CharucoBoard
    /// Of the board on all pixels that were taken: where the range error is stated.
    public var meanDepth: Double
    /// Root mean square distance of depth from the plane of its own frame.
    public var noise: Figure
    public var poses: [Pose]
    /// Pictures that show too few corners, or no depth on the board.
    public var skipped: Int
  }

  /// A board in one frame, by its picture and by its depth.
  public struct Pose: Codable, Sendable {
    public var scene: String, frame: Int
    public var corners: Int
    /// Root mean square distance of the corners from where the pose puts them, pixels.
    public var reprojection: Double
    /// Mean depth, and shortest distance of the camera centre from the board's plane.
    public var depth: Double, perpendicular: Double
    /// Angle between the optical axis and the board's normal, degrees.
    public var tilt: Double
    /// Taken, and their share of the board's pixels.
    public var pixels: Int, share: Double
    /// Mean error of depth, and error of the plane's shortest distance.
    public var error: Double, distanceError: Double
    /// Between the board's normal and that of the depth's plane, degrees.
    public var angle: Double
    public var noise: Double

    init(_ pose: BoardPose) {
      (scene, frame, corners) = (pose.scene, pose.frame, pose.corners)
      (reprojection, depth, perpendicular) = (pose.reprojection, pose.depth, pose.plane.distance)
      (tilt, angle) = (pose.plane.tilt * 180 / .pi, pose.angle * 180 / .pi)
      (pixels, share, noise) = (pose.pixels.count, pose.share, pose.noise)
      (error, distanceError) = (pose.error, pose.depthPlane.distance - pose.plane.distance)
    }
  }

  /// An input of a budget.
  public struct Component: Codable, Sendable {
    public var name: String, distribution: UncertaintyBudget.Distribution
    public var standardUncertainty: Double, sensitivity: Double
    /// In the unit of the result, and its share of the variance.
    public var contribution: Double, share: Double
    /// Absent where there are infinitely many.
    public var freedom: Double?
  }

  /// A figure with its uncertainty.
  public struct Figure: Codable, Sendable {
    public var value: Double
    public var standardUncertainty: Double, coverageFactor: Double, coverage: Double,
      expandedUncertainty: Double
    /// Effective degrees of freedom; absent where there are infinitely many.
    public var freedom: Double?
    public var budget: [Component]
    /// Its check by Monte Carlo.
    public var monteCarlo: MonteCarloCheck?
    /// Absent without a limit, and where a finding prevents it.
    public var decision: ConformityDecision?
    public var more: WallTest.MoreData?

    init(_ quantity: WallTest.Quantity) {
      let budget = quantity.budget
      (value, standardUncertainty) = (quantity.value, budget.combined)
      (coverageFactor, coverage) = (budget.coverageFactor, budget.coverage)
      (expandedUncertainty, freedom) = (budget.expanded, budget.freedom)
      self.budget = budget.components.map {
        Component(
          name: $0.name, distribution: $0.distribution, standardUncertainty: $0.standardUncertainty,
          sensitivity: $0.sensitivity, contribution: $0.contribution, share: budget.share(of: $0),
          freedom: $0.freedom)
      }
      (decision, more) = (quantity.decision, quantity.more)
    }
  }

  /// Of a difference of range, or of one distance where the zero is known, one separation, or a board's mean depth: then ``from`` is absent.
  public struct RangeError: Codable, Sendable {
    public var from: String?
    public var to: String, error: Figure
  }

  public var tool = "fathom"
  public var version = Version.current
  public var build: String? = Version.build
  public var test: WallTest.Target
  public var declaration: WallTest.Declaration
  /// As the data declare them.
  public var devices: [String]
  public var placements: [Placement]
  /// Repeatability and reproducibility by nested components, with a board between its recordings; absent where nothing was taped.
  public var components: NestedComponents?
  /// Empty with one distance, or where it was not taped.
  public var rangeErrors: [RangeError]
  /// A share; absent with one distance.
  public var scaleError: Figure?
  /// At distance 0, of the sensor's zero and the tape's together; absent with one distance.
  public var offset: Figure?
  /// The placement that is farthest from the line; absent with fewer than three distances.
  public var nonLinearity: Figure?
  /// Absent where distances do not differ, for faces, and without noise.
  public var noiseLaw: NoiseLaw?
  /// Noise by angle of incidence and by confidence; of a board by range too.
  public var noiseBands: [NoiseBand]
  /// Absent where no border of the wall or board is seen beside a step.
  public var edgeWidth: EdgeWidth?
  /// Absent without one; then there are placements.
  public var board: Board?
  public var findings: [WallFinding]
  /// Of all limits: the worst; absent where nothing was decided.
  public var outcome: ConformityDecision.Outcome?
  public var inputs: [RunManifest.Input]
  /// Scenes that were asked for.
  public var scenePattern: String?

  init(
    _ test: BoardTest, skipped: Int, devices: [String], inputs: [RunManifest.Input], scenePattern: String?
  ) {
    (self.test, declaration, self.devices, self.inputs) = (.board, test.declaration, devices, inputs)
    (self.scenePattern, placements, findings) = (scenePattern, [], test.findings)
    rangeErrors = [RangeError(from: nil, to: "board", error: Figure(test.rangeError))]
    (scaleError, offset, noiseLaw) = (Figure(test.scaleError), Figure(test.offset), test.noiseLaw)
    (components, noiseBands, edgeWidth) = (test.components, test.noiseBands, test.edgeWidth)
    board = Board(
      printed: test.board, meanDepth: test.meanDepth, noise: Figure(test.noise),
      poses: test.poses.map(Pose.init), skipped: skipped)
    keep(test.monteCarlo())
    outcome = worstOutcome
  }

  init(
    _ test: WallTest, isTaped: Bool, devices: [String], inputs: [RunManifest.Input], scenePattern: String?
  ) {
    (self.test, declaration, self.devices, self.inputs) = (test.target, test.declaration, devices, inputs)
    self.scenePattern = scenePattern
    if isTaped { components = test.components }
    let days = test.days
    placements = test.placements.indices.map { index in
      let (placement, taped) = (test.placements[index], test.distances[index])
      let (wall, plane) = (placement.wall, placement.wall.plane)
      return Placement(
        scene: placement.name, taped: isTaped ? taped : nil, day: days.map { $0[index] + 1 },
        perpendicular: plane.distance,
        axis: plane.axisDistance, tilt: plane.tilt * 180 / .pi, frames: placement.series.count,
        effectiveFrames: placement.effectiveFrames, repeatability: placement.frameDeviation,
        pixelNoise: placement.pixelNoise, pixels: wall.pixels.count,
        effectivePixels: placement.effectivePixels,
        wallShare: wall.share, fill: wall.fill, flatnessRMS: placement.flatnessRMS,
        flatnessRange: placement.flatnessRange, bow: placement.bow, resolution: placement.resolution,
        face: Face(placement))
    }
    noiseLaw = test.noiseLaw
    (noiseBands, edgeWidth) = (test.placements.flatMap(\.noiseBands), test.edgeWidth)
    if isTaped {
      rangeErrors = test.rangeErrors.map { RangeError(from: $0.from, to: $0.to, error: Figure($0.error)) }
      (scaleError, offset) = (test.scaleError.map(Figure.init), test.offset.map(Figure.init))
      nonLinearity = test.nonLinearity.map(Figure.init)
      let slips = test.findings
      // A line through distances that are wrong by a factor says nothing about the sensor.
      findings =
        slips.contains(where: \.prevents) ? slips : slips + [test.linearityFinding].compactMap(\.self)
    } else {
      rangeErrors = []
      findings = [.untaped] + test.findings.filter { $0.kind != .oneDistance }
    }
    if isTaped { keep(test.monteCarlo()) }
    outcome = worstOutcome
  }

  /// - Parameter checks: Of the figures that exist, in their order here.
  private mutating func keep(_ checks: [MonteCarloCheck]) {
    var checks = checks[...]
    for index in rangeErrors.indices { rangeErrors[index].error.monteCarlo = checks.popFirst() }
    scaleError?.monteCarlo = checks.popFirst()
    offset?.monteCarlo = checks.popFirst()
    nonLinearity?.monteCarlo = checks.popFirst()
    board?.noise.monteCarlo = checks.popFirst()
  }

  private var worstOutcome: ConformityDecision.Outcome? {
    let outcomes = (rangeErrors.map(\.error) + [scaleError].compactMap(\.self)).compactMap(
      \.decision?.outcome)
    return [.doesNotConform, .undecided, .conforms].first(where: outcomes.contains)
  }

  /// `calibration.yaml`, as ``CalibrationFile`` reads it; nil without a law of noise.
  package var calibration: String? {
    noiseLaw.map { law in
      CalibrationDocument(
        calibration: Calibration(noise: [RangeLaw](repeating: RangeLaw(a: law.a, b: law.b), count: 3)),
        inputs: inputs, unmeasured: [], covariance: law.covariance
      ).yaml
    }
  }

  /// Pretty-printed with sorted keys, so that equal runs give equal bytes.
  public var json: String { get throws { try CanonicalJSON.text(self) + "\n" } }
}
