public import DepthCore
import DepthObjects

/// The detections of one frame as a data set gives them.
public struct FrameDetections: Sendable {
  /// Detections of the file with their position in it, and what they count their pixels by. Their true boxes are what
  /// decoded detections are compared with, too.
  public var stored: [(index: Int, object: DetectedObject)]
  public var conventions: DetectionConventions
  /// The network's raw output; not nil where that is to be decoded.
  public var output: DetectorOutput?
  /// Names of the network's classes, by index.
  public var classNames: [String]

  public init(
    stored: [(index: Int, object: DetectedObject)] = [],
    conventions: DetectionConventions = DetectionConventions(), output: DetectorOutput? = nil,
    classNames: [String] = []
  ) {
    (self.stored, self.conventions) = (stored, conventions)
    (self.output, self.classNames) = (output, classNames)
  }

  var isEmpty: Bool { stored.isEmpty && output == nil }  // Whether there is nothing to be looked at.
}

/// The detections of a frame, decoded where need be, with the true boxes that they belong to.
struct ResolvedDetections {
  let objects: [(index: Int, object: DetectedObject)], conventions: DetectionConventions
  let score: DetectionScore  // Right, wrong and missed ones; where the frame has no true box all are wrong.

  /// - Parameter camera: Of the frame, in a y-up world.
  /// - Parameter up: Which way is up in the data; true boxes are turned to a y-up world.
  init(_ frame: FrameDetections, index: Int, camera: PosedCamera, up: UpAxis, plan: ObjectPlan) {
    let stored = frame.stored.map { entry in
      var object = entry.object
      object.truth = object.truth?.upright(from: up)
      return (index: entry.index, object: object)
    }
    let truths = DetectionTruth.boxes(of: stored.map(\.object)) { _ in camera }
    var (objects, conventions) = (stored, frame.conventions)
    if let output = frame.output {
      let decoder = DetectionDecoder(
        imageSize: camera.intrinsics.imageSize, classNames: frame.classNames, options: plan.decoding)
      let decoded = decoder.detections(in: output, frame: index)
      conventions = decoded.conventions
      objects = decoded.objects.enumerated().map { (index: $0, object: $1) }
    }
    let sure = objects.map(\.object).filter { $0.score > plan.decoding.confidenceThreshold }
    let score = DetectionScore(
      of: sure, origin: conventions.boxOrigin, against: truths,
      imageHeight: camera.intrinsics.imageSize.height, overlap: plan.matchOverlap)
    if frame.output != nil {
      // Decoded detections are all above the threshold, so that the matches are theirs in order.
      for (position, match) in zip(objects.indices, score.matches) {
        objects[position].object.truth = match.flatMap { truths[$0].box }
      }
    }
    (self.objects, self.conventions) = (objects, conventions)
    self.score = score
  }
}
