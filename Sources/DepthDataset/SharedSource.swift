public import FathomStorage
public import DepthCore

/// A data set that stays open for several stages of a job: a ``DatasetReader`` that can be kept in a list.
public final class SharedSource: FrameSource {
  private let reader: DatasetReader
  public init(_ reader: consuming DatasetReader) { self.reader = reader }
  public var path: String { reader.path }
  public var scenes: [SceneHeader] { reader.scenes }
  public var issues: [SchemaIssue] { reader.issues }
  public var sources: SourceFiles { reader.sources }

  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame { try reader.frame(index, of: scene, including: arrays) }

  public func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects? {
    try reader.objects(of: scene, includingMasks: includingMasks)
  }

  public func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>? {
    try reader.mask(ofObject: index, in: scene)
  }

  public func detectorOutput(frame index: Int, of scene: SceneHeader) throws(FathomError) -> DetectorOutput? {
    try reader.detectorOutput(frame: index, of: scene)
  }
}
