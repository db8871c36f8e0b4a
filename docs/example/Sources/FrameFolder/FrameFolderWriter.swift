public import Foundation

#if canImport(ARKit)
  public import ARKit
#endif

/// Writes frames of an app as a folder that `fathom import` reads. This one file needs nothing else: copy it into an app.
///
///     frames.csv                  timestamp, frame, x, y, z, qx, qy, qz, qw
///     depth/000000.npy            float32, metres
///     confidence/000000.npy       uint8: 0, 1, 2
///     intrinsics/000000.txt       width height fx fy cx cy
///     image/000000.jpg            where there is a picture
public struct FrameFolderWriter {
  /// A camera as ARKit has it: the principal point counts from the centre of the first pixel of an image of this size.
  public struct Camera: Sendable {
    public var width: Int, height: Int
    public var fx: Double, fy: Double, cx: Double, cy: Double

    public init(width: Int, height: Int, fx: Double, fy: Double, cx: Double, cy: Double) {
      (self.width, self.height, self.fx, self.fy, self.cx, self.cy) = (width, height, fx, fy, cx, cy)
    }
  }

  /// Where a camera is in the world, y up: its position, and its rotation as a quaternion x, y, z, w; camera axes x right, y up,
  /// z back.
  public struct Pose: Sendable {
    public var position: SIMD3<Double>
    public var rotation: SIMD4<Double>

    public init(position: SIMD3<Double>, rotation: SIMD4<Double>) {
      (self.position, self.rotation) = (position, rotation)
    }
  }

  /// What cannot be written.
  public struct Fault: Error, CustomStringConvertible {
    public let description: String
  }

  private let folder: URL
  private let list: FileHandle
  private var count = 0

  /// - Parameter folder: Must not exist yet.
  public init(_ folder: URL) throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for part in ["depth", "confidence", "intrinsics", "image"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(part), withIntermediateDirectories: false)
    }
    let path = folder.appendingPathComponent("frames.csv")
    try Data("timestamp, frame, x, y, z, qx, qy, qz, qw\n".utf8).write(to: path)
    list = try FileHandle(forWritingTo: path)
    try list.seekToEnd()
  }

  /// Adds a frame; every one with its time, and all with confidence or none.
  ///
  /// - Parameters:
  ///   - depth: Metres, row by row from the top; 0 where there is none.
  ///   - confidence: 0, 1 or 2 for each depth.
  ///   - pose: nil where it is not known.
  ///   - time: Seconds, larger than that of the frame before.
  ///   - picture: A JPEG, as the sensor lies.
  public mutating func write(
    depth: [Float], width: Int, height: Int, confidence: [UInt8]? = nil, camera: Camera, pose: Pose?,
    time: Double, picture: Data? = nil
  ) throws {
    guard width > 0, height > 0, depth.count == width * height else {
      throw Fault(description: "\(depth.count) depths are not a map of \(width)×\(height)")
    }
    if let confidence, confidence.count != depth.count || confidence.contains(where: { $0 > 2 }) {
      throw Fault(description: "a confidence is 0, 1 or 2 for each of \(depth.count) depths")
    }
    let number = String(count)
    let name = String(repeating: "0", count: max(0, 6 - number.count)) + number
    func put(_ data: Data, _ path: String) throws {
      try data.write(to: folder.appendingPathComponent(path))
    }
    var numbers = Data(capacity: 4 * depth.count)
    for value in depth {
      withUnsafeBytes(of: value.bitPattern.littleEndian) { numbers.append(contentsOf: $0) }
    }
    try put(Self.header("<f4", width, height) + numbers, "depth/\(name).npy")
    if let confidence {
      try put(Self.header("|u1", width, height) + Data(confidence), "confidence/\(name).npy")
    }
    let k = [camera.fx, camera.fy, camera.cx, camera.cy].map { "\($0)" }.joined(separator: " ")
    try put(Data("\(camera.width) \(camera.height) \(k)\n".utf8), "intrinsics/\(name).txt")
    if let picture { try put(picture, "image/\(name).jpg") }
    let place = pose.map { [$0.position.x, $0.position.y, $0.position.z] } ?? [.nan, .nan, .nan]
    let turn = pose.map { [$0.rotation.x, $0.rotation.y, $0.rotation.z, $0.rotation.w] }
    let row = place + (turn ?? [.nan, .nan, .nan, .nan])
    let line = (["\(time)", number] + row.map { "\($0)" }).joined(separator: ", ") + "\n"
    try list.write(contentsOf: Data(line.utf8))
    count += 1
  }

  /// What stands before the numbers of an array in numpy's format: a multiple of 64 bytes.
  private static func header(_ type: String, _ width: Int, _ height: Int) -> Data {
    var text = "{'descr': '\(type)', 'fortran_order': False, 'shape': (\(height), \(width)), }"
    text += String(repeating: " ", count: 63 - (10 + text.utf8.count) % 64) + "\n"
    return Data([
      0x93, 0x4E, 0x55, 0x4D, 0x50, 0x59, 1, 0, UInt8(text.utf8.count & 255), UInt8(text.utf8.count >> 8),
    ])
      + Data(text.utf8)
  }
}

#if canImport(ARKit)
  // Not compiled on Linux, and not tested.
  extension FrameFolderWriter {
    /// Adds a frame with scene depth.
    public mutating func write(_ frame: ARFrame, picture: Data? = nil) throws {
      guard let scene = frame.sceneDepth, let levels = scene.confidenceMap else { return }
      let depth: [Float] = Self.rows(scene.depthMap), confidence: [UInt8] = Self.rows(levels)
      let (k, size, m) = (frame.camera.intrinsics, frame.camera.imageResolution, frame.camera.transform)
      let (t, q) = (m.columns.3, simd_quatf(m).vector)
      try write(
        depth: depth, width: CVPixelBufferGetWidth(scene.depthMap),
        height: CVPixelBufferGetHeight(scene.depthMap),
        confidence: confidence,
        camera: Camera(
          width: Int(size.width), height: Int(size.height), fx: Double(k[0][0]), fy: Double(k[1][1]),
          cx: Double(k[2][0]), cy: Double(k[2][1])),
        pose: Pose(position: SIMD3(Double(t.x), Double(t.y), Double(t.z)), rotation: SIMD4<Double>(q)),
        time: frame.timestamp, picture: picture)
    }

    /// The pixels of a buffer without what pads its rows.
    private static func rows<Pixel>(_ buffer: CVPixelBuffer) -> [Pixel] {
      CVPixelBufferLockBaseAddress(buffer, .readOnly)
      defer { CVPixelBufferUnlockBaseAddress(buffer, .readOnly) }
      guard let base = CVPixelBufferGetBaseAddress(buffer) else { return [] }
      let (width, bytes) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetBytesPerRow(buffer))
      return (0..<CVPixelBufferGetHeight(buffer)).flatMap { row in
        Array(
          UnsafeBufferPointer(
            start: (base + row * bytes).assumingMemoryBound(to: Pixel.self), count: width))
      }
    }
  }
#endif
