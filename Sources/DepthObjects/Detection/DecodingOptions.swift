public import DepthCore

/// The constants of decoding a segmentation head.
public struct DecodingOptions: Sendable, Hashable, Codable {
  /// A detection's class score must be above it. The app's; its first version used 0.7.
  public var confidenceThreshold: Float = 0.75
  /// A box that overlaps a better one of its class by more than this (intersection over union) is dropped.
  public var overlapThreshold: Float = 0.5
  /// Detections of a frame, at most: the best.
  public var largestCount = 300
  /// Which end of the image the network saw as row 0: the app's input is turned over by `CIContext.render`.
  public var origin = ImageOrigin.topLeft
  /// How the image was fitted into the network's input.
  public var letterboxRounding = Letterbox.Rounding.none
  public init() {}
}

extension DecodingOptions: DeclaredOptions {
  /// Its options; the letterbox is another's, too.
  public static let rules: [Rule] = [
    Rule(
      "detection-confidence", \.confidenceThreshold, .from(0, to: 1),
      help: "A detection's score must be above this, or it counts as missed"),
    Rule(
      "detection-overlap", \.overlapThreshold, .from(0, to: 1),
      help: "Decoding drops a box that overlaps a better one of its class by more than this"),
    Rule(
      "most-detections", \.largestCount, .atLeast(1), help: "Most detections that decoding keeps per frame"),
    Rule("detector-origin", \.origin, help: "Where rows of decoded boxes and masks start"),
  ]
}
