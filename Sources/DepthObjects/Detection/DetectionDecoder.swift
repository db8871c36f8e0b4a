public import DepthCore

/// From a segmentation network's raw output to detections: threshold, non-maximum suppression, boxes in the image,
/// masks at prototype resolution.
///
/// The steps are those of ultralytics' `non_max_suppression` (best class only), `scale_boxes` and `process_mask`; the
/// mask keeps its smooth values, as the app's does. Detections come best first; equal scores in the order of anchors.
public struct DetectionDecoder: Sendable {
  /// The image that boxes are given in.
  public let imageSize: RasterSize
  /// Class names by index; what is beyond them is "class 7".
  public let classNames: [String]
  public let options: DecodingOptions

  public init(
    imageSize: RasterSize, classNames: [String] = [], options: DecodingOptions = DecodingOptions()
  ) { (self.imageSize, self.classNames, self.options) = (imageSize, classNames, options) }

  /// The detections of one frame, with their conventions.
  ///
  /// A box whose numbers are not finite is not a detection.
  /// - Complexity: O(A·C) for the scores and O(n²) for n boxes above the threshold; K multiplications per mask pixel
  ///   inside a box.
  public func detections(
    in output: DetectorOutput, frame: Int
  ) -> (objects: [DetectedObject], conventions: DetectionConventions) {
    let head = output.head
    let letterbox = Letterbox(
      image: imageSize, input: head.inputSize, rounding: options.letterboxRounding)
    let objects = kept(candidates(in: output)).map { candidate in
      DetectedObject(
        frame: frame,
        label: candidate.label < classNames.count ? classNames[candidate.label] : "class \(candidate.label)",
        score: candidate.score, box: letterbox.image(candidate.box),
        mask: PrototypeMask.decoded(output, anchor: candidate.anchor, box: candidate.box))
    }
    // Network pixels per mask pixel; a head whose prototypes are not a whole fraction of its input has no stride.
    let stride = max(1, head.inputSize.width / head.prototypeSize.width)
    return (
      objects,
      DetectionConventions(boxOrigin: options.origin, maskOrigin: options.origin, maskStride: stride)
    )
  }

  /// A box above the threshold, in pixels of the network's input.
  struct Candidate: Sendable, Hashable {
    var anchor: Int, label: Int, score: Float, box: PixelRectangle
  }

  /// Anchors whose best class is above the threshold, in their order; of equal classes the first.
  func candidates(in output: DetectorOutput) -> [Candidate] {
    let anchors = output.head.anchorCount
    var best = [(label: Int, score: Float)](repeating: (0, -.infinity), count: anchors)
    // Class by class, as the numbers lie in memory.
    for label in 0..<output.head.classCount {
      for anchor in 0..<anchors {
        let score = output.value(row: 4 + label, anchor: anchor)
        if score > best[anchor].score { best[anchor] = (label, score) }
      }
    }
    return best.indices.compactMap { anchor in
      guard best[anchor].score > options.confidenceThreshold else { return nil }
      let box = Self.box(of: anchor, in: output)
      return box.isFinite
        ? Candidate(anchor: anchor, label: best[anchor].label, score: best[anchor].score, box: box) : nil
    }
  }

  private static func box(of anchor: Int, in output: DetectorOutput) -> PixelRectangle {
    let (x, y) = (output.value(row: 0, anchor: anchor), output.value(row: 1, anchor: anchor))
    let halfWidth = output.value(row: 2, anchor: anchor) / 2
    let halfHeight = output.value(row: 3, anchor: anchor) / 2
    return PixelRectangle(
      minX: x - halfWidth, minY: y - halfHeight, maxX: x + halfWidth, maxY: y + halfHeight)
  }

  /// Greedy non-maximum suppression within each class, best first.
  func kept(_ candidates: [Candidate]) -> [Candidate] {
    let ordered = candidates.sorted { ($1.score, $0.anchor) < ($0.score, $1.anchor) }
    var kept: [Candidate] = []
    for candidate in ordered where kept.count < options.largestCount {
      let isCovered = kept.contains {
        $0.label == candidate.label && $0.box.overlap(with: candidate.box) > options.overlapThreshold
      }
      if !isCovered { kept.append(candidate) }
    }
    return kept
  }
}
