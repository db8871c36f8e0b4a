public import DepthCore

/// The detections of a scene and how their pixels are counted.
public struct SceneObjects: Sendable {
  /// Origins of boxes and masks, mask stride.
  public var conventions: DetectionConventions
  /// The detections, in the order of the file.
  public var objects: [DetectedObject]

  public init(conventions: DetectionConventions = DetectionConventions(), objects: [DetectedObject]) {
    (self.conventions, self.objects) = (conventions, objects)
  }
}
