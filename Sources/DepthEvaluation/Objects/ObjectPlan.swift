public import DepthCore
import DepthFusion
public import DepthObjects
import FathomPlainText

/// How detected objects are boxed and judged: every option of it, as `run.json` holds them.
public struct ObjectPlan: Sendable, Hashable, Codable {
  /// Where detections are taken from.
  public enum Detections: String, Sendable, Hashable, Codable, CaseIterable, OptionValue {
    /// Group `objects` of the data.
    case stored
    /// Group `detector` of the data: the network's raw output, decoded here.
    case decoded
  }

  /// At which pixels a depth map is looked at.
  public enum Sampling: String, Sendable, Hashable, Codable, CaseIterable, OptionValue {
    /// Those where the LiDAR's return is confident enough, the map's nearest value at each: maps then differ in depth alone.
    case confident
    /// All of the LiDAR's, the map's nearest value at each; its own confidence counts for the LiDAR only.
    case lidar
    /// The map's own, all of them; the LiDAR's where it is confident enough.
    case map
  }

  /// Ids of box methods, in the order of tables: by default the app's own two, and the one that most tables are about.
  public var boxMethods = [BoxMethod.pcaXZ, .sixPoint, .auto].map(\.id)
  /// "lidar", "truth" and ids of evaluated methods, as they were asked for; nil for the LiDAR, `spec` and `auto` where
  /// they run, and the truth.
  public var depths: [String]?
  /// At which pixels the maps are looked at.
  public var sampling = Sampling.confident
  /// nil: stored ones where the scene has them, else decoded ones.
  public var detections: Detections?
  /// Thresholds of decoding; the confidence threshold is that of stored detections, too.
  public var decoding = DecodingOptions()
  /// Overlap in the image from which a detection matches a true object (intersection over union).
  public var matchOverlap: Float = 0.5
  /// Which pixels are an object's.
  public var points = ObjectOptions()
  /// Constants of the box methods.
  public var boxes = BoxOptions()
  /// Constants of finding planes for hit tests.
  public var planes = PlaneOptions()
  /// Place and size of an effect.
  public var effect = EffectOptions()
  public init() {}
  /// The depth sources in words: what is asked for where ``depths`` is nil.
  public static let standardDepths = [lidar, MethodSelection.spec.id, MethodSelection.auto.id, truth]
  /// The frame's LiDAR with its confidence.
  public static let lidar = "lidar"
  /// The true depth.
  public static let truth = "truth"
  /// The methods, in the order of tables.
  var methods: [BoxMethod] { boxMethods.compactMap { id in BoxMethod.all.first { $0.id == id } } }

  /// The method that tables by class, range and visibility are about: `auto` where it runs, else the first.
  public var referenceMethod: String {
    boxMethods.contains(BoxMethod.auto.id) ? BoxMethod.auto.id : boxMethods.first ?? BoxMethod.auto.id
  }

  /// The points of an object for a box method.
  func pointOptions(_ kind: PointSelection.Kind) -> ObjectOptions {
    var options = points
    options.selection = PointSelection(kind, boxes)
    return options
  }
}

extension ObjectPlan: DeclaredOptions {
  /// Its own options; those of its parts are declared there.
  public static let rules: [Rule] = [
    Rule(
      "box-methods", \.boxWords,
      help: "Box methods, or all: \(BoxMethod.all.map(\.id).joined(separator: ", "))"),
    Rule(
      "object-depths", \.depths, standard: standardDepths.joined(separator: ","),
      help: "Depth maps in which objects are boxed, comma-separated: lidar, truth and evaluated methods"),
    Rule(
      "object-sampling", \.sampling,
      help:
        "Sample every depth map where the LiDAR is confident, at all of the LiDAR's pixels, or at the map's own"
    ),
    Rule(
      "detections", \.detections, standard: "stored ones, else decoded ones",
      help: "Use stored detections, or decode the raw detector output"),
    Rule(
      "match-overlap", \.matchOverlap, .above(0, to: 1),
      help: "Smallest overlap in the image at which a detection matches a true object"),
    Rule(
      "letterbox-rounding", \.letterboxRounding, help: "How the image was fitted into the network's input"),
  ]

  /// The box methods as they are asked for: "all" stands for every one.
  private var boxWords: [String] {
    get { boxMethods }
    set { boxMethods = newValue.flatMap { $0 == "all" ? BoxMethod.all.map(\.id) : [$0] }.firstAppearances }
  }

  /// How the image was fitted into the network's input, for decoding and for points.
  public var letterboxRounding: Letterbox.Rounding {
    get { points.letterboxRounding }
    set { (decoding.letterboxRounding, points.letterboxRounding) = (newValue, newValue) }
  }

  /// The first value that makes no sense.
  public var firstProblem: OptionProblem? {
    let known = BoxMethod.all.map(\.id)
    if let word = boxMethods.first(where: { !known.contains($0) }) {
      return OptionProblem(
        "box-methods", "no box method is called '\(word)'; \(EditDistance.advice(for: word, among: known))")
    }
    return firstOutOfRange ?? decoding.firstOutOfRange ?? points.firstOutOfRange ?? boxes.firstOutOfRange
      ?? planes.firstOutOfRange ?? effect.firstOutOfRange
  }

  /// Values that were probably meant in another unit, as "name: why".
  public var doubts: [String] {
    ownDoubts + decoding.ownDoubts + points.ownDoubts + boxes.ownDoubts + planes.ownDoubts + effect.ownDoubts
  }
}
