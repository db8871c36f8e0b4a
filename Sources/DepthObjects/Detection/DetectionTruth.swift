public import DepthCore

/// A true object as a detector should have found it.
public struct DetectionTruth: Sendable, Hashable {
  /// Frame that it is in, from 0.
  public var frame: Int
  /// Class name.
  public var label: String
  /// Bounds of its true box in the image, rows counted from the top.
  public var imageBox: PixelRectangle
  /// The true box itself, where it is known.
  public var box: OrientedBox?

  public init(frame: Int, label: String, imageBox: PixelRectangle, box: OrientedBox? = nil) {
    (self.frame, self.label, self.imageBox, self.box) = (frame, label, imageBox, box)
  }

  /// The true boxes that a data set holds with its detections, each once a frame, projected to the image.
  ///
  /// They bound the whole object, also what something else hides; objects that no stored detection names are unknown.
  /// - Parameter camera: Of a frame; nil leaves the frame's objects out.
  public static func boxes(
    of objects: [DetectedObject], camera: (_ frame: Int) -> PosedCamera?
  ) -> [DetectionTruth] {
    struct Known: Hashable { let frame: Int, label: String, box: OrientedBox }
    var known: Set<Known> = []
    return objects.compactMap { object in
      guard let box = object.truth,
        known.insert(Known(frame: object.frame, label: object.label, box: box)).inserted,
        let bounds = camera(object.frame).flatMap({ box.imageBounds(seenBy: $0) })
      else { return nil }
      return DetectionTruth(frame: object.frame, label: object.label, imageBox: bounds, box: box)
    }
  }
}
