public import FathomRuns
import DepthCore
import FathomPlainText
import DepthDataset
import DepthGraphics
import Foundation
public import FathomStorage

/// Writes a data set as files that other programs read: what `fathom export --as` does.
public struct RecordingExportJob: Sendable {
  /// The data set, or a recording.
  public var path: String
  public var layout: RecordingLayout
  /// Which of its scenes; several become folders of their names.
  public var scenes = SceneChoice.all
  /// Where external links, external storage, virtual data sets and links in folders are followed to other files.
  public var external = ExternalFolders()
  /// File of a mapping that says what the path holds; nil for a data set, or a recording of a known format.
  public var mapping: String?
  public init(_ path: String, as layout: RecordingLayout) { (self.path, self.layout) = (path, layout) }

  /// What was written, and what the files have no place for.
  public struct Result: Sendable, Codable {
    public struct Scene: Sendable, Codable {
      public var name: String
      /// In the export; empty where it is the export itself.
      public var folder: String
      public var frames: Int
      /// What of the scene is not in the files.
      public var left: [String]
    }

    public var tool = "fathom"
    public var layout: RecordingLayout, importedBy: String
    public var scenes: [Scene] = []
  }

  /// Writes the files; the folder is not yet complete.
  /// - Throws: `FathomError` where a scene cannot be written so; `OptionProblem` where no scene matches; `GraphicsError`.
  public func run(into folder: borrowing AtomicFolder, _ observe: JobObserver = { _ in }) throws -> Result {
    let source = try DataSource.open(path, external: external, mapping: mapping)
    let names = try scenes.chosen(among: source.scenes.map(\.name))
    let chosen = source.scenes.filter { names.contains($0.name) }
    var result = Result(layout: layout, importedBy: layout.importWords)
    observe(.began(.writing, steps: chosen.reduce(0) { $0 + $1.frameCount }))
    for scene in chosen {
      let place = chosen.count > 1 ? FrameFolder.fileName(scene.name) : ""
      var writer = try RecordingSceneWriter(scene, as: layout, below: place.isEmpty ? "" : place + "/", path)
      for index in 0..<scene.frameCount {
        let frame = try source.frame(
          index, of: scene, including: [.lidar, .confidence, .truth, .camera, .image])
        try writer.write(frame, to: folder)
        observe(.advanced)
      }
      try writer.finish(in: folder)
      var left = layout.lacks(scene) + writer.left
      if try source.objects(of: scene, includingMasks: false) != nil { left.append("objects") }
      result.scenes.append(
        Result.Scene(name: scene.name, folder: place, frames: scene.frameCount, left: left))
    }
    try source.sources.requireUnchanged()
    return result
  }
}

/// The files of one scene.
struct RecordingSceneWriter {
  private let scene: SceneHeader, layout: RecordingLayout, place: String, names: [String]
  private var poses: [String] = []  // Lines of the poses.
  private var cameras: [CameraIntrinsics?] = [], losses: Set<String> = []
  private static let strayImage = RasterSize(width: 1920, height: 1440)  // Stray Scanner's video.

  /// - Parameter path: Of the data set, for errors.
  /// - Throws: `FathomError` where the scene lacks what the files cannot be without.
  init(_ scene: SceneHeader, as layout: RecordingLayout, below place: String, _ path: String)
    throws(FathomError)
  {
    (self.scene, self.layout, self.place) = (scene, layout, place)
    func refused(_ lack: String) -> FathomError {
      FathomError(
        .badData, attempted: "export as \(layout.rawValue)", file: path, object: "scenes/\(scene.name)",
        reason: "it has no \(lack)",
        advice: "choose other scenes with \(option: "scenes"), or another \(option: "as")")
    }
    guard scene.lidarSize != nil else { throw refused("lidar/depth") }
    if layout == .stray, scene.intrinsics == nil { throw refused("camera/intrinsics") }
    let numbered = (0..<scene.frameCount).map { String(format: "%06d", $0) }
    // Poses without times belong to files by their number from 0.
    let keepsNames = layout != .stray || scene.timestampsSeconds != nil
    guard let ids = scene.frameIDs, keepsNames,
      ids.allSatisfy({ (1...12).contains($0.utf8.count) && $0.utf8.allSatisfy { (48...57).contains($0) } }),
      Set(ids.compactMap { Int($0) }).count == ids.count
    else {
      names = numbered
      if scene.frameIDs != nil, scene.frameIDs != numbered {
        losses.insert("names of the frames: they are numbered")
      }
      return
    }
    names = ids
  }

  var left: [String] { losses.sorted() }  // What could not be kept exactly.

  mutating func write(_ frame: DepthFrame, to folder: borrowing AtomicFolder) throws {
    let name = names[frame.index]
    switch layout {
    case .stray, .png16:
      try put(PNG.encode(millimetres(frame.lidar)), "depth/\(name).png", folder)
      if let confidence = frame.confidence {
        try put(PNG.encode(confidence), "confidence/\(name).png", folder)
      }
    case .npz:
      try put(NumpyFile.npz("depth", NumpyFile.npy(frame.lidar)), "depth/\(name).npz", folder)
      if let confidence = frame.confidence {
        try put(NumpyFile.npz("confidence", NumpyFile.npy(confidence)), "confidence/\(name).npz", folder)
      }
    case .marigoldDC:
      try put(NumpyFile.npy(Self.known(frame.lidar)), "sparse/\(name).npy", folder)
      if let truth = frame.truth { try put(NumpyFile.npy(Self.known(truth)), "gt/\(name).npy", folder) }
      if let camera = frame.intrinsics {
        // Without pictures they are taken to belong to the depth.
        let k = Self.centred(camera, scene.colourSize ?? frame.lidar.size)
        try put(
          Array((k.map { "\($0)" }.joined(separator: " ") + "\n").utf8), "intrinsics/\(name).txt", folder)
      }
    }
    if layout != .stray, let image = frame.image { try put(PNG.encode(image), "rgb/\(name).png", folder) }
    cameras.append(frame.intrinsics)
    addPose(of: frame, name)
  }

  mutating func finish(in folder: borrowing AtomicFolder) throws {
    let first = cameras.compactMap { $0 }.first
    if layout != .marigoldDC, Set(cameras.compactMap { $0 }).count > 1 {
      losses.insert("intrinsics of each frame: those of the first hold for all")
    }
    switch layout {
    case .stray:
      guard let first else { return }
      let k = Self.centred(first, Self.strayImage)
      try put(
        Array("\(k[0]), 0.0, \(k[2])\n0.0, \(k[1]), \(k[3])\n0.0, 0.0, 1.0\n".utf8), "camera_matrix.csv",
        folder)
      let head = (scene.timestampsSeconds == nil ? "" : "timestamp, frame, ") + "x, y, z, qx, qy, qz, qw"
      try put(Array(([head] + poses).map { $0 + "\n" }.joined().utf8), "odometry.csv", folder)
    case .png16, .npz:
      if let first {
        let size = scene.colourSize ?? first.imageSize
        let k = Self.centred(first, size)
        let text = "\(size.width) \(size.height) " + k.map { "\($0)" }.joined(separator: " ") + "\n"
        try put(Array(text.utf8), "intrinsics.txt", folder)
      }
      if scene.hasPoses { try put(Array(poses.map { $0 + "\n" }.joined().utf8), "poses.txt", folder) }
    case .marigoldDC: break
    }
  }

  private mutating func addPose(of frame: DepthFrame, _ name: String) {
    let pose = frame.worldFromCamera.map { scene.cameraConvention == .arkit ? $0.turnedToOpenCV : $0 }
    if scene.hasPoses, scene.cameraConvention == .unknown {
      losses.insert("axes of the poses: they are not declared, and are read as OpenCV's")
    }
    let numbers =
      pose.map { pose in
        let (t, q) = (pose.translation, pose.quaternion)
        return [t.x, t.y, t.z, q.x, q.y, q.z, q.w].map { "\($0)" }
      } ?? [String](repeating: "nan", count: 7)
    let number = "\(Int(name) ?? frame.index)"
    let time = frame.timestampSeconds.map { ["\($0)", number] } ?? []
    poses.append(
      layout == .stray
        ? (time + numbers).joined(separator: ", ") : ([number] + numbers).joined(separator: " "))
  }

  private mutating func millimetres(_ map: DepthMap) -> Raster<UInt16> {
    var (isRounded, isBeyond) = (false, false)
    let values = map.values.map { metres -> UInt16 in
      guard metres.isFinite, metres > 0 else { return 0 }
      let count = (Double(metres) * 1000).rounded()
      // 65535 is read as no depth.
      guard count < 65_535 else {
        isBeyond = true
        return 0
      }
      if Float(count / 1000) != metres { isRounded = true }
      return UInt16(count)
    }
    if isRounded { losses.insert("depth: it is rounded to millimetres") }
    if isBeyond { losses.insert("depth of 65.535 m and more") }
    return Raster(width: map.width, height: map.height, values: values)
  }

  /// What is not known is 0.
  private static func known(_ map: DepthMap) -> DepthMap {
    Raster(width: map.width, height: map.height, values: map.values.map { $0.isFinite && $0 > 0 ? $0 : 0 })
  }

  /// fx, fy, cx, cy at a size, counted from the centre of the first pixel.
  private static func centred(_ camera: CameraIntrinsics, _ size: RasterSize) -> [Double] {
    let k = camera.scaled(to: size)
    return [k.fx, k.fy, k.cx - 0.5, k.cy - 0.5]
  }

  private func put(_ bytes: [UInt8], _ name: String, _ folder: borrowing AtomicFolder) throws {
    try folder.write(bytes, to: place + name)
  }
}

extension RigidTransform {
  /// The same pose with camera axes x right, y down, z forward, where they are x right, y up, z back.
  fileprivate var turnedToOpenCV: RigidTransform {
    RigidTransform(xAxis: xAxis, yAxis: -yAxis, zAxis: -zAxis, translation: translation)
  }

  /// The rotation as a unit quaternion, w not negative.
  fileprivate var quaternion: SIMD4<Double> {
    let (x, y, z) = (xAxis, yAxis, zAxis)
    // The largest of the four is computed from the diagonal; the others from it.
    let squares = [1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z, 1 + x.x + y.y + z.z]
    let largest = squares.indices.max { squares[$0] < squares[$1] } ?? 3
    let double = squares[largest].squareRoot()
    let (a, b, c) = (z.y - y.z, x.z - z.x, y.x - x.y)
    let q: SIMD4<Double> =
      switch largest {
      case 0: [double * double, y.x + x.y, z.x + x.z, -a]
      case 1: [y.x + x.y, double * double, z.y + y.z, -b]
      case 2: [z.x + x.z, z.y + y.z, double * double, -c]
      default: [-a, -b, -c, double * double]
      }
    let unit = q / (q * q).sum().squareRoot()
    return unit.w < 0 ? -unit : unit
  }
}
