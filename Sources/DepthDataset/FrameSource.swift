public import FathomStorage
public import DepthCore

/// Where frames come from: a data set in a file, or what an importer makes of somebody's recording.
///
/// What goes in and out are plain values, so that a source may also work in another process. A source itself is not Sendable: read
/// where it was opened, and pass on the frames. ``DatasetReader`` is the source of the schema.
public protocol FrameSource: ~Copyable {
  /// The file or folder, as the caller named it.
  var path: String { get }
  /// The scenes, in the order in which they are worked on; everything that does not change from frame to frame.
  var scenes: [SceneHeader] { get }
  /// Notes about the source, and what of it could not be read as it should be.
  var issues: [SchemaIssue] { get }
  /// The files that it reads, as they were when it was opened: for their digests, and to see whether they changed since.
  var sources: SourceFiles { get }
  /// What keeps the process that reads it from doing anything else: "limits", "Landlock", "seccomp", where the kernel has
  /// them. nil where this process reads.
  var protections: [String]? { get }

  /// One frame: depth in metres and planar, row 0 at the top.
  /// - Parameter index: From 0.
  /// - Parameter scene: One of ``scenes``.
  /// - Parameter arrays: What to read; what is not listed or absent is nil, and `lidar` is then 0×0.
  /// - Throws: `FathomError` where there is no such frame, or it cannot be read.
  func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays
  ) throws(FathomError) -> DepthFrame

  /// Several frames, in the order in which they are asked for.
  /// - Parameter threads: At most so many wait for frames at once; a source may do with one.
  /// - Throws: `FathomError` about the first that cannot be read.
  func frames(
    _ wanted: [FrameRequest], of scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [DepthFrame]

  /// How many frames are best asked for at once: several where they are read, or made, at the same time.
  /// - Parameter jobs: Frames that are worked on at once.
  func batch(jobs: Int) -> Int

  /// The detections of a scene; nil where it has none.
  /// - Parameter includingMasks: False leaves them out; ``mask(ofObject:in:)`` reads one.
  func objects(of scene: SceneHeader, includingMasks: Bool) throws(FathomError) -> SceneObjects?
  /// The mask of one detection; nil where the scene has no masks.
  /// - Parameter index: Position in the scene's detections, from 0.
  func mask(ofObject index: Int, in scene: SceneHeader) throws(FathomError) -> Raster<Float>?

  /// The masks of several detections, in the order in which they are asked for.
  /// - Parameter threads: As for ``frames(_:of:threads:)``.
  func masks(
    ofObjects indices: [Int], in scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [Raster<Float>?]

  /// The raw output of the segmentation network in one frame; nil where the scene has none.
  func detectorOutput(frame index: Int, of scene: SceneHeader) throws(FathomError) -> DetectorOutput?
}

/// A frame of a scene and what is wanted of it.
public struct FrameRequest: Sendable {
  /// From 0.
  public var index: Int
  public var arrays: FrameArrays
  public init(_ index: Int, _ arrays: FrameArrays) { (self.index, self.arrays) = (index, arrays) }
}

extension DatasetReader: FrameSource {}

extension FrameSource where Self: ~Copyable {
  public var protections: [String]? { nil }
  public func batch(jobs: Int) -> Int { 1 }

  public func frames(
    _ wanted: [FrameRequest], of scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [DepthFrame] {
    var frames: [DepthFrame] = []
    for request in wanted { frames.append(try frame(request.index, of: scene, including: request.arrays)) }
    return frames
  }

  public func masks(
    ofObjects indices: [Int], in scene: SceneHeader, threads: Int
  ) throws(FathomError) -> [Raster<Float>?] {
    var masks: [Raster<Float>?] = []
    for index in indices { masks.append(try mask(ofObject: index, in: scene)) }
    return masks
  }

  /// What a fusion method needs of a frame.
  public func frame(_ index: Int, of scene: SceneHeader) throws(FathomError) -> DepthFrame {
    try frame(index, of: scene, including: .fusion)
  }

  /// The detections of a scene with their masks.
  public func objects(of scene: SceneHeader) throws(FathomError) -> SceneObjects? {
    try objects(of: scene, includingMasks: true)
  }

  /// A frame and those before it, newest first, reduced to LiDAR and camera.
  /// - Parameter history: Keeps them from call to call.
  public func frame(
    _ index: Int, of scene: SceneHeader, including arrays: FrameArrays = .fusion,
    after history: inout FrameHistory
  ) throws(FathomError) -> (frame: DepthFrame, before: [DepthFrame]) {
    try history.frame(index) { (earlier) throws(FathomError) in
      try frame(earlier, of: scene, including: [.lidar, .confidence, .camera])
    } read: { (index) throws(FathomError) in
      try frame(index, of: scene, including: arrays)
    }
  }
}
