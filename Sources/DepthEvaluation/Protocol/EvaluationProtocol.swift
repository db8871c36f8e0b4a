public import DepthCore
import DepthFusion
import FathomPlainText
import FathomStorage

/// What decides which pixels count, what is done to a prediction before it is scored, and how pixels become one
/// number; printed on every table.
///
/// The named ones are in ``presets``; two protocols differ in nothing but the switches of ``ProtocolSwitch``.
public struct EvaluationProtocol: Sendable, Hashable, Codable {
  /// "fathom"
  public var name: String
  /// Where the rules come from.
  public var source: String
  /// Truth depths that count: g > minDepth, metres.
  public var minDepth: Double
  /// g ≤ maxDepth, metres; nil for no limit.
  public var maxDepth: Double?
  /// Whether g = maxDepth counts. The benchmarks' own code compares strictly, Fathom does not.
  public var includesMaxDepth: Bool
  /// Part of the truth that counts.
  public var crop: TruthCrop
  /// Truth pixels within this many LiDAR pixels of a depth step are excluded; 0 keeps all. A laser, for one, has no truth there.
  public var edgeMargin: Double
  /// Ratio of neighbouring truth depths above which there is a step.
  public var edgeRatio: Double
  /// Where prediction and truth meet.
  public var resampling: TruthResampling
  /// Whether predictions are fitted to the truth first.
  public var alignment: TruthAlignment
  /// What predictions are limited to after that.
  public var clip: DepthClip
  /// How pixels become one number.
  public var aggregation: AggregationMode

  /// Rules that look at everything, change nothing and count scenes alike.
  public init(name: String, source: String, minDepth: Double, maxDepth: Double?) {
    (self.name, self.source) = (name, source)
    (self.minDepth, self.maxDepth, includesMaxDepth) = (minDepth, maxDepth, true)
    (crop, edgeMargin, edgeRatio) = (.none, 0, 1.1)
    (resampling, alignment, clip) = (.predictionAtTruth, .none, .none)
    aggregation = .scene
  }

  /// Whether all predictions see the truth before they are scored: such a number is a bound, no app reaches it.
  public var isOracle: Bool { alignment.fitsAll }

  /// True depths that count, compared in the files' Float32: a stored 0.1 is not above 0.1.
  public var truthRange: ClosedRange<Float> {
    let low = Float(minDepth).nextUp
    guard let maxDepth else { return low...Float.greatestFiniteMagnitude }
    return low...max(low, includesMaxDepth ? Float(maxDepth) : Float(maxDepth).nextDown)
  }

  /// The same for an oracle's fit, lower end exclusive.
  var fittedRange: ClosedRange<Double> {
    min(minDepth, Double(truthRange.upperBound))...Double(truthRange.upperBound)
  }

  /// Takes the limits of predictions along where something was changed that they belong to: the range of the truth,
  /// or an alignment whose line can leave what is a depth.
  public mutating func follow(_ before: EvaluationProtocol) {
    if before.clip == .range(before.minDepth, before.maxDepth ?? .greatestFiniteMagnitude) {
      clip = .range(minDepth, maxDepth ?? .greatestFiniteMagnitude)
    }
    guard alignment != before.alignment, clip == .none else { return }
    switch alignment.fit {
    case .line(.disparity, shift: true) where maxDepth == nil: clip = .farthestTruth
    case .line(.depth, shift: true), .line(.disparity, shift: true):
      clip = .range(minDepth, maxDepth ?? .greatestFiniteMagnitude)
    default: break
    }
  }

  /// Why a scene cannot be scored by these rules; nil where it can.
  public func objection(to scene: SceneHeader) -> String? {
    guard case .pixels(let size, _, _) = crop, let truth = scene.truthSize, truth != size else { return nil }
    return "protocol \(name) is defined on truth of \(size), this is \(truth)"
  }

  /// The name, marked where something was changed. That maps without a unit are fitted by their kind is what every
  /// protocol without an alignment does with them.
  public var title: String {
    var rules = self
    if alignment.fit == .byKind { rules.alignment = .none }
    return Self.preset(name) == rules ? name : "\(name), changed"
  }

  /// One line for the head of a table.
  public var summary: String { "\(title): \(statements); fingerprint \(fingerprint)" }
  /// Eight hexadecimal digits that two protocols share if, and only if, all their rules are the same, whatever their names.
  public var fingerprint: String { String(Digest.hexadecimal(Array(statements.utf8)).prefix(8)) }
  private var statements: String { ProtocolSwitch.all.map { $0.statement(self) }.joined(separator: "; ") }
}

extension EvaluationProtocol: DeclaredOptions {
  /// What can be changed about a named one.
  public static let rules: [Rule] = [
    Rule(
      "min-truth", \.minDepth, .atLeast(0), .metres, standard: "the protocol's",
      help: "Truth counts above this"),
    Rule(
      "max-truth", \.maxDepth, .above(0), .metres, standard: "the protocol's",
      help: "Truth counts up to this, or without limit with inf"),
    Rule(
      "edge-margin", \.edgeMargin, .from(0, to: 1e6), .lidarPixels,
      help: "Exclude truth this near to a depth step above 10 %; 0 keeps all"),
    Rule(
      "align", \.alignment, standard: "the protocol's, and by-kind without a LiDAR",
      help: "Fit of every prediction to the truth before it is scored"),
    Rule(
      "align-over", \.alignment.extent, standard: "the protocol's",
      help: "Fit to the truth once per image, or once for all frames of a scene"),
    Rule(
      "aggregation", \.aggregation, standard: "the protocol's",
      help: "Mean over scenes, over images, or over all pixels"),
  ]

  /// Fathom's own.
  public init() { self = .fathom }

  /// The first value that makes no sense; nil when all do.
  public var firstProblem: OptionProblem? {
    if let problem = firstOutOfRange { return problem }
    guard let maxDepth, maxDepth <= minDepth else { return nil }
    return OptionProblem(
      "max-truth", "\(maxDepth.typed) is not above min-truth \(minDepth.typed); inf takes the limit away")
  }
}

extension EvaluationProtocol: OptionValue {
  public static var form: String { presets.map(\.name).joined(separator: ", ") }
  public static func reading(_ text: String) -> EvaluationProtocol? { preset(text) }
  public var typed: String { name }
}

/// Part of the truth that counts.
public enum TruthCrop: Sendable, Hashable, Codable {
  case none
  /// Half-open rows and columns of a truth map of this size; no other size is scored.
  case pixels(of: RasterSize, rows: Range<Int>, columns: Range<Int>)
  /// Shares of height and width, each cut to whole pixels: ⌊share·extent⌋, half-open.
  case shares(rows: ClosedRange<Double>, columns: ClosedRange<Double>)

  /// Rows and columns that count in a map of a size.
  func window(in size: RasterSize) -> (rows: Range<Int>, columns: Range<Int>) {
    switch self {
    case .none: return (0..<size.height, 0..<size.width)
    case .pixels(let defined, let rows, let columns):
      // Truth that was brought to another resolution covers the same field of view.
      func scaled(_ range: Range<Int>, _ extent: Int, _ whole: Int) -> Range<Int> {
        range.lowerBound * extent / whole..<range.upperBound * extent / whole
      }
      return (scaled(rows, size.height, defined.height), scaled(columns, size.width, defined.width))
    case .shares(let rows, let columns):
      func cut(_ range: ClosedRange<Double>, _ extent: Int) -> Range<Int> {
        Int(range.lowerBound * Double(extent))..<Int(range.upperBound * Double(extent))
      }
      return (cut(rows, size.height), cut(columns, size.width))
    }
  }

  var statement: String {
    switch self {
    case .none: return "no crop"
    case .pixels(let size, let rows, let columns):
      return
        "rows \(rows.lowerBound):\(rows.upperBound), columns \(columns.lowerBound):\(columns.upperBound) "
        + "of \(size)"
    case .shares(let rows, let columns):
      return
        "rows \(rows.lowerBound)–\(rows.upperBound), columns \(columns.lowerBound)–\(columns.upperBound) "
        + "of height and width"
    }
  }
}

/// Where prediction and truth meet.
public enum TruthResampling: String, Sendable, Hashable, Codable {
  /// Predictions are read at the truth's pixel centres, bilinearly (or as the method says), edges clamped.
  case predictionAtTruth
  /// The same of their disparities: 1/d is read there, and turned back. What is halfway between 1 and 3 m is then 1.5 m, not 2 m.
  case disparityAtTruth
  /// Truth pixel ⌊i·W/w⌋ is taken for pixel i of the relative map (the LiDAR's where there is none), as OpenCV's nearest
  /// resize does; every prediction is read at those pixels.
  case truthAtPrediction

  var statement: String {
    switch self {
    case .predictionAtTruth: "predictions bilinear at the truth's pixel centres, edges clamped"
    case .disparityAtTruth: "disparities of predictions bilinear at the truth's pixel centres, edges clamped"
    case .truthAtPrediction:
      "truth brought to the relative map's size by its nearest pixel, predictions bilinear there"
    }
  }
}

/// What predictions are limited to before they are scored. A missing one stays missing.
public enum DepthClip: Sendable, Hashable, Codable {
  case none
  /// To these limits, metres.
  case range(Double, Double)
  /// To the largest true depth that counts in the frame; a disparity ≤ 0 is that far, too.
  case farthestTruth

  var statement: String {
    switch self {
    case .none: "no clipping"
    case .range(let low, .greatestFiniteMagnitude): "predictions clipped to at least \(low) m"
    case .range(let low, let high): "predictions clipped to \(low)–\(high) m"
    case .farthestTruth: "predictions clipped to the frame's largest true depth"
    }
  }
}
