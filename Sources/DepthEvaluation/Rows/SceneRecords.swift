/// Everything that an evaluation found in one scene.
public struct SceneRecords: Sendable {
  /// Frame by frame, method by method.
  public var rows: [FrameRecord] = []
  public var objects = FrameObjects()
}
