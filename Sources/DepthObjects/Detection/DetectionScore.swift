public import DepthCore

/// Right, wrong and missed detections.
public struct DetectionCounts: Sendable, Hashable {
  /// Detections that a true object matches.
  public var matched = 0
  /// Detections that none matches.
  public var spurious = 0
  /// True objects without a detection.
  public var missed = 0

  public init(matched: Int = 0, spurious: Int = 0, missed: Int = 0) {
    (self.matched, self.spurious, self.missed) = (matched, spurious, missed)
  }

  /// matched / (matched + spurious); nil without detections.
  public var precision: Double? { Self.share(matched, of: matched + spurious) }
  /// matched / (matched + missed); nil without true objects.
  public var recall: Double? { Self.share(matched, of: matched + missed) }

  private static func share(_ part: Int, of whole: Int) -> Double? {
    whole > 0 ? Double(part) / Double(whole) : nil
  }
}

/// Detections compared with true boxes in the image.
public struct DetectionScore: Sendable, Hashable {
  public struct Row: Sendable, Hashable {
    public var label: String, counts: DetectionCounts
    public init(label: String, counts: DetectionCounts) { (self.label, self.counts) = (label, counts) }
  }

  /// Every class that was detected or is true, by name in the order of its bytes.
  public let classes: [Row]
  /// All classes together.
  public let overall: DetectionCounts
  /// The true box that each detection matches, as an index; nil for a spurious one.
  public let matches: [Int?]

  /// Best detections first, each takes the free true box of its frame and class that it overlaps most, if by at least
  /// `overlap` (intersection over union). Equal scores in the order given.
  /// - Parameter origin: From where the detections' boxes count rows.
  /// - Parameter imageHeight: Rows of the image that the boxes belong to.
  public init(
    of detections: [DetectedObject], origin: ImageOrigin, against truths: [DetectionTruth],
    imageHeight: Int, overlap: Float = 0.5
  ) {
    var counts: [String: DetectionCounts] = [:]
    var isFree = [Bool](repeating: true, count: truths.count)
    var matches = [Int?](repeating: nil, count: detections.count)
    for index in detections.indices.sorted(by: {
      (detections[$1].score, $0) < (detections[$0].score, $1)
    }) {
      let detection = detections[index]
      let box = detection.box.fromTop(origin, imageHeight: imageHeight)
      var best: (truth: Int, overlap: Float)?
      for truth in truths.indices
      where isFree[truth] && truths[truth].frame == detection.frame && truths[truth].label == detection.label
      {
        let common = truths[truth].imageBox.overlap(with: box)
        if common >= overlap, common > best?.overlap ?? -1 { best = (truth, common) }
      }
      if let best {
        isFree[best.truth] = false
        matches[index] = best.truth
        counts[detection.label, default: DetectionCounts()].matched += 1
      } else {
        counts[detection.label, default: DetectionCounts()].spurious += 1
      }
    }
    for (truth, free) in zip(truths, isFree) where free {
      counts[truth.label, default: DetectionCounts()].missed += 1
    }
    self.matches = matches
    classes = counts.map { Row(label: $0.key, counts: $0.value) }
      .sorted { $0.label.utf8.lexicographicallyPrecedes($1.label.utf8) }
    overall = counts.values.reduce(into: DetectionCounts()) {
      $0.matched += $1.matched
      $0.spurious += $1.spurious
      $0.missed += $1.missed
    }
  }
}
