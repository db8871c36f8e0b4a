public import DepthCore
public import DepthDataset
public import FathomStorage

/// A source whose frames are maps of networks and a truth; it has no LiDAR.
public final class MapSetSource: FrameSource, Sendable {
  public let path: String
  public let scenes: [SceneHeader]
  public let issues: [SchemaIssue]
  public let sources: SourceFiles
  public let protections: [String]?

  /// - Throws: `FathomError` `.noInput` where there is no such file or folder; `.badData` where nothing tells which map belongs to
  ///   which truth, or the maps cannot be what they are said to be; `.usage` where the request makes no sense.
  public init(_ request: MapSetRequest) throws(FathomError) {
    path = request.truth?.path ?? request.list ?? ""
    (scenes, issues, protections) = ([], [], nil)
    sources = try SourceFiles(ofFile: path)
  }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame {
    DepthFrame(index: index, lidar: DepthMap(width: 0, height: 0, values: []))
  }

  public func objects(of scene: SceneHeader, includingMasks: Bool) -> SceneObjects? { nil }
  public func mask(ofObject index: Int, in scene: SceneHeader) -> Raster<Float>? { nil }
  public func detectorOutput(frame index: Int, of scene: SceneHeader) -> DetectorOutput? { nil }
}
