import DepthObjects
import PlainText

extension ObjectPlan {
  /// The first value that makes no sense, as "name: why"; the names are those of the flags.
  public var firstProblem: String? {
    wordProblem ?? detectionProblem ?? pointProblem ?? boxProblem ?? planeProblem ?? effectProblem
  }

  private var wordProblem: String? {
    let known = BoxMethod.all.map(\.id)
    return boxMethods.first { !known.contains($0) }.map { word in
      "box-methods: no box method is called '\(word)'; \(EditDistance.advice(for: word, among: known))"
    }
  }

  private var detectionProblem: String? {
    let isShare: (Float) -> Bool = { (0...1).contains($0) }
    return Self.first([
      (isShare(decoding.confidenceThreshold), "detection-confidence: a number from 0 to 1 is needed"),
      (isShare(decoding.overlapThreshold), "detection-overlap: a number from 0 to 1 is needed"),
      (decoding.largestCount >= 1, "most-detections: at least 1 is needed"),
      (matchOverlap > 0 && matchOverlap <= 1, "match-overlap: above 0, at most 1"),
    ])
  }

  private var pointProblem: String? {
    Self.first([
      (points.minimumConfidence <= 2, "object-confidence: 0, 1 or 2"),
      (Self.isRange(points.depthRange), "object-range: two positive numbers up to 1000"),
      ((0..<1).contains(points.maskThreshold), "mask-threshold: from 0 to below 1"),
      (points.fewestMaskedDepths >= 1, "masked-depths: at least 1 is needed"),
      ((0...1).contains(points.unprojectionOffset), "unprojection-offset: a number from 0 to 1 is needed"),
    ])
  }

  private var boxProblem: String? {
    let shares: (ClosedRange<Double>) -> Bool = { $0.lowerBound >= 0 && $0.upperBound <= 1 }
    return Self.first([
      // The robust covariance starts from three points.
      (boxes.minimumPoints >= 3, "box-points: at least 3 are needed"),
      (
        (0...Self.largestLength).contains(boxes.sizeFloor),
        "box-size-floor: a number from 0 to 1000000 is needed"
      ),
      (shares(boxes.specifiedDepthShares), "specified-depths: two numbers from 0 to 1"),
      (shares(boxes.erodedDepthShares), "eroded-depths: two numbers from 0 to 1"),
      ((0...1).contains(boxes.erosionShare), "erosion-share: a number from 0 to 1 is needed"),
      (
        boxes.erosionSteps.lowerBound >= 0 && boxes.erosionSteps.upperBound <= 100,
        "erosion-steps: two numbers from 0 to 100"
      ),
    ])
  }

  private var planeProblem: String? {
    let isAngle: (Double) -> Bool = { $0 > 0 && $0 <= .pi / 2 }
    return Self.first([
      (planes.minimumConfidence <= 2, "plane-confidence: 0, 1 or 2"),
      (Self.isRange(planes.depthRange), "plane-range: two positive numbers up to 1000"),
      ((1...100).contains(planes.normalStep), "plane-step: from 1 to 100"),
      (planes.largestJump > 0 && planes.largestJump <= 100, "plane-jump: above 0, at most 100"),
      (isAngle(planes.largestTilt), "plane-normal-tilt: above 0, at most 90"),
      (isAngle(planes.largestPlaneTilt), "plane-tilt: above 0, at most 90"),
      (planes.binHeight >= 1e-3 && planes.binHeight <= 1, "plane-bin: from 0.001 to 1"),
      (planes.reach > 0 && planes.reach <= 1, "plane-reach: above 0, at most 1"),
      (planes.fewestPoints >= 1, "plane-points: at least 1 is needed"),
      (
        (0...Self.largestLength).contains(planes.leastArea),
        "plane-area: a number from 0 to 1000000 is needed"
      ),
      (planes.cellSize >= 0.01 && planes.cellSize <= 10, "plane-cell: from 0.01 to 10"),
    ])
  }

  private var effectProblem: String? {
    let widths = effect.widths
    return Self.first([
      (
        widths.lowerBound > 0 && widths.upperBound <= Self.largestLength,
        "effect-widths: two positive numbers up to 1000000"
      ),
      (
        (0...Self.largestLength).contains(effect.largestRise),
        "effect-rise: a number from 0 to 1000000 is needed"
      ),
    ])
  }

  private static func isRange(_ range: ClosedRange<Float>) -> Bool {
    range.lowerBound > 0 && range.upperBound <= 1000
  }

  /// What coordinates of a data set may be, too, metres.
  private static let largestLength = 1e6

  private static func first(_ conditions: [(holds: Bool, problem: String)]) -> String? {
    conditions.first { !$0.holds }?.problem
  }
}
