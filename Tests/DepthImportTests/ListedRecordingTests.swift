import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Testing

/// Recordings whose frames stand in one file: small ones, with exact depth, cameras and poses.
@Suite struct ListedRecordingTests {
  private static let width = 8, height = 6

  /// The folders of a test, which are there as long as it.
  private final class Keeper { var folders: [MadeFolder] = [] }
  private let keeper = Keeper()

  private func kept(_ folder: MadeFolder) -> MadeFolder {
    keeper.folders.append(folder)
    return folder
  }

  private static let numbers = (0..<48).map { UInt16(1000 + 10 * $0) }

  private static func depth(_ frame: Int) -> [UInt8] {
    MadePNG.grey16(width, height, numbers.map { $0 + UInt16(frame) })
  }

  private static let picture = MadePNG.rgb(16, 12, [UInt8](repeating: 9, count: 576))
  /// A quarter turn about the vertical, and a step for each frame; row by row.
  private static func pose(_ frame: Int) -> String {
    "[[0, 0, 1, \(frame)], [0, 1, 0, 2], [-1, 0, 0, 3], [0, 0, 0, 1]]"
  }

  private static func listed(_ top: String, _ frames: [String]) -> String {
    "{\(top), \"frames\": [\(frames.joined(separator: ", "))]}"
  }

  private static let camera = #""fl_x": 20, "fl_y": 21, "cx": 8.5, "cy": 6.25, "w": 16, "h": 12"#

  private func entries(_ scene: SceneHeader, _ step: ImportRecord.Step) -> [String: String] {
    let all = scene.importRecord?.entries.filter { $0.step == step } ?? []
    return Dictionary(all.map { ($0.subject, $0.words) }) { first, _ in first }
  }

  private func refusal(_ path: String, _ options: ImportOptions = ImportOptions()) -> FathomError? {
    do { _ = try FolderRecording(path, as: .recognised, options) } catch { return error }
    return nil
  }

  @Test("nerfstudio's frames bring the files that they name, in millimetres, with one camera and a pose each")
  func nerfstudio() throws {
    let made = kept(try MadeFolder())
    // The list stands in another order than the names, and one picture is named without its ending.
    let frames = [2, 0, 1].map {
      #"{"file_path": "./shots/im_\#($0)\#($0 == 0 ? "" : ".png")", "depth_file_path": "z/\#($0)/far.png", "transform_matrix": \#(Self.pose($0))}"#
    }
    made.add(
      "transforms.json", Self.listed(Self.camera + #", "camera_model": "OPENCV", "k1": 0.1"#, frames))
    for frame in 0..<3 {
      made.add("z/\(frame)/far.png", Self.depth(frame))
      made.add("shots/im_\(frame).png", Self.picture)
    }
    let recording = try FolderRecording(try made.asFolder("room"))
    #expect(recording.format == "nerfstudio")
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 3 && scene.cameraConvention == .arkit && scene.upAxis == .z)
    #expect(
      scene.intrinsics
        == CameraIntrinsics(
          fx: 20, fy: 21, cx: 8.5, cy: 6.25, imageSize: RasterSize(width: 16, height: 12)))
    for (index, number) in [2, 0, 1].enumerated() {
      let frame = try recording.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values == Self.numbers.map { Float(Double($0 + UInt16(number)) / 1000) })
      let pose = try #require(frame.worldFromCamera)
      #expect(pose.rowMajor.prefix(12) == [0, 0, 1, Double(number), 0, 1, 0, 2, -1, 0, 0, 3])
      #expect(frame.image?.width == 16)
    }
    #expect(entries(scene, .assumed)["unit of the depth"]?.contains("millimetres") == true)
    #expect(entries(scene, .assumed)["lens distortion"]?.contains("not applied") == true)
  }

  @Test("a fisheye is refused, because only pinhole cameras are read")
  func fisheye() throws {
    let made = kept(try MadeFolder())
    let frame =
      #"{"file_path": "0.png", "depth_file_path": "d0.png", "transform_matrix": \#(Self.pose(0))}"#
    made.add("transforms.json", Self.listed(Self.camera + #", "camera_model": "OPENCV_FISHEYE""#, [frame]))
    made.add("d0.png", Self.depth(0))
    #expect(refusal(try made.asFolder("eye"))?.description.contains("OPENCV_FISHEYE") == true)
  }

  @Test(
    "NeRFCapture's scale is the recording's, its cameras are the frames' own, and without a scale it stops")
  func nerfCapture() throws {
    func made(_ scale: String, _ folder: String) throws -> MadeFolder {
      let made = kept(try MadeFolder())
      let frames = (0..<2).map {
        #"{"file_path": "\#(folder)/\#($0)", "depth_path": "\#(folder)/\#($0).depth.png", "transform_matrix": \#(Self.pose($0)), "fl_x": \#(20 + $0), "fl_y": 21, "cx": 8, "cy": 6, "w": 16, "h": 12}"#
      }
      made.add("transforms.json", Self.listed(Self.camera + scale, frames))
      for frame in 0..<2 {
        made.add("\(folder)/\(frame).depth.png", Self.depth(frame))
        made.add("\(folder)/\(frame).png", Self.picture)
      }
      return made
    }
    let whole = try made(#", "integer_depth_scale": 0.0005"#, "images")
    let recording = try FolderRecording(try whole.asFolder("phone"))
    let scene = recording.scenes[0]
    #expect(recording.format == "nerfcapture" && scene.upAxis == .y && scene.frameIDs == ["0", "1"])
    let frame = try recording.frame(1, of: scene, including: .all)
    #expect(frame.lidar.values == Self.numbers.map { Float(Double($0 + 1) / 2000) })
    // ARKit counts from the centre of the first pixel.
    #expect(frame.intrinsics?.fx == 21 && frame.intrinsics?.cx == 8.5 && frame.intrinsics?.cy == 6.5)
    // The same of instant-ngp, whose files are named otherwise, counts from the corner.
    let plain = try FolderRecording(
      try made(#", "integer_depth_scale": 0.0005"#, "train").asFolder("plain"))
    #expect(plain.format == "instant-ngp" && plain.scenes[0].intrinsics?.cx == 8)
    let path = try made("", "images").asFolder("silent")
    #expect(refusal(path)?.description.contains("integer_depth_scale") == true)
    var options = ImportOptions()
    options.depthScale = 0.001
    let given = try FolderRecording(path, as: .recognised, options)
    #expect(try given.frame(0, of: given.scenes[0]).lidar.values[0] == 1)
  }

  @Test("ScanNet++'s iPhone part: a camera, a pose in the world of the laser and a time for each number")
  func scanNetPlusPlus() throws {
    let made = kept(try MadeFolder())
    let frames = (0...1).map { index in
      #""frame_00000\#(index)": {"timestamp": \#(50 + index), "intrinsic": [[1600, 0, 959.5], [0, 1600, 719.5], [0, 0, 1]], "pose": [[1, 0, 0, 9], [0, 1, 0, 9], [0, 0, 1, 9], [0, 0, 0, 1]], "aligned_pose": [[1, 0, 0, \#(index)], [0, 0, 1, 2], [0, -1, 0, 3], [0, 0, 0, 1]]}"#
    }
    made.add("pose_intrinsic_imu.json", "{\(frames.joined(separator: ", "))}")
    for index in 0...1 { made.add("depth/frame_00000\(index).png", Self.depth(index)) }
    let recording = try FolderRecording(try made.asFolder("iphone"))
    #expect(recording.format == "scannetpp")
    let frame = try recording.frame(1, of: recording.scenes[0], including: .all)
    #expect(frame.lidar.values == Self.numbers.map { Float(Double($0 + 1) / 1000) })
    #expect(frame.worldFromCamera?.translation == [1, 2, 3] && frame.timestampSeconds == 1)
    #expect(
      frame.intrinsics?.cx == 960 && frame.intrinsics?.imageSize == RasterSize(width: 1920, height: 1440))
  }

  @Test("ScanNet++'s depth.bin: frames as blocks of LZ4 or deflated, each behind its length")
  func packedFrames() throws {
    let size = 256 * 192, literals = [UInt8](repeating: 0, count: 2 * size - 15 - 255 * 3)
    // 0x1234 everywhere: two literals, a match that repeats them, and the last literals.
    func lengths(_ count: Int) -> [UInt8] {
      [UInt8](repeating: 255, count: count / 255) + [UInt8(count % 255)]
    }
    let repeated = 2 * size - 2 - 6
    let block =
      [0x2F, 0x34, 0x12, 2, 0] + lengths(repeated - 4 - 15) + [0x60, 0x34, 0x12, 0x34, 0x12, 0x34, 0x12]
    // Deflated without packing: blocks of at most 65,535 bytes.
    let metres = [Float](repeating: 2.5, count: size).withUnsafeBytes { Array($0) }
    let stored = stride(from: 0, to: metres.count, by: 65_535).flatMap { start -> [UInt8] in
      let part = metres[start..<min(start + 65_535, metres.count)], count = UInt16(part.count)
      return [part.endIndex == metres.count ? 1 : 0, UInt8(count & 255), UInt8(count >> 8)]
        + [UInt8(~count & 255), UInt8(~count >> 8)] + part
    }
    func packed(_ frame: [UInt8]) -> [UInt8] { (0..<4).map { UInt8(frame.count >> (8 * $0) & 255) } + frame }
    func made(_ name: String, _ bytes: [UInt8]) throws -> FolderRecording {
      let made = kept(try MadeFolder())
      let frames = (0...1).map { index in
        #""frame_00000\#(index)": {"timestamp": \#(50 + index), "intrinsic": [[1600, 0, 959.5], [0, 1600, 719.5], [0, 0, 1]], "aligned_pose": [[1, 0, 0, \#(index)], [0, 0, 1, 2], [0, -1, 0, 3], [0, 0, 0, 1]]}"#
      }
      made.add("pose_intrinsic_imu.json", "{\(frames.joined(separator: ", "))}")
      made.add("depth.bin", bytes)
      return try FolderRecording(try made.asFolder(name))
    }
    let recording = try made("iphone", packed(block) + packed(stored)), scene = recording.scenes[0]
    #expect(recording.format == "scannetpp" && scene.frameCount == 2)
    let frames = try (0...1).map { try recording.frame($0, of: scene, including: .all) }
    #expect(frames[0].lidar.values == [Float](repeating: Float(Double(0x1234) / 1000), count: size))
    #expect(frames[1].lidar.values == [Float](repeating: 2.5, count: size))
    #expect(frames[1].worldFromCamera?.translation == [1, 2, 3] && frames[1].timestampSeconds == 1)

    // One stream, a cut file, and a block that gives too little or leads before its start.
    for bytes in [literals, Array((packed(block) + packed(stored)).dropLast(3))] {
      #expect { _ = try made("one\(bytes.count)", bytes) } throws: { "\($0)".contains("extract_depth") }
    }
    let tooFar: [UInt8] = [0x2F, 0x34, 0x12, 3, 0] + block.dropFirst(5), endless: [UInt8] = [0xF0, 255, 255]
    for (number, bad) in [Array(block.dropLast()), tooFar, endless].enumerated() {
      let spoilt = try made("bad\(number)", packed(bad) + packed(block))
      #expect(throws: (any Error).self) { try spoilt.frame(0, of: spoilt.scenes[0]) }
    }
  }

  @Test("a scene of BOP has its unit, a camera and a pose for each number, world to camera in millimetres")
  func bop() throws {
    func made(_ scales: [Double]) throws -> String {
      let made = kept(try MadeFolder())
      let frames = scales.enumerated().map { index, scale in
        #""\#(index + 3)": {"cam_K": [\#(20 + index), 0, 3.5, 0, 21, 2.5, 0, 0, 1], "depth_scale": \#(scale), "cam_R_w2c": [0, 0, 1, 0, 1, 0, -1, 0, 0], "cam_t_w2c": [\#(index * 1000), 500, 250]}"#
      }
      made.add("000001/scene_camera.json", "{\(frames.joined(separator: ", "))}")
      for index in scales.indices {
        made.add("000001/depth/00000\(index + 3).png", Self.depth(index))
        made.add("000001/rgb/00000\(index + 3).png", MadePNG.rgb(8, 6, [UInt8](repeating: 9, count: 144)))
      }
      return try made.asFolder("test\(scales.count)\(Set(scales).count)")
    }
    let recording = try FolderRecording(try made([0.1, 0.1]))
    let scene = recording.scenes[0]
    #expect(recording.format == "bop" && scene.name == "000001" && scene.frameIDs == ["000003", "000004"])
    #expect(scene.cameraConvention == .opencv && scene.colourSize == RasterSize(width: 8, height: 6))
    let frame = try recording.frame(1, of: scene, including: .all)
    #expect(frame.lidar.values == Self.numbers.map { Float(Double($0 + 1) / 10_000) })
    #expect(frame.intrinsics?.fx == 21 && frame.intrinsics?.cx == 4 && frame.intrinsics?.cy == 3)
    // Of p ↦ R p + t the inverse has the translation −Rᵀ t.
    #expect(frame.worldFromCamera?.translation == [0.25, -0.5, -1])
    #expect(refusal(try made([0.1, 1]))?.description.contains("one unit") == true)
  }

  @Test("ScanNet's frames as its C++ tool unpacks them: the depth's camera, poses and millimetres")
  func scanNet() throws {
    let made = kept(try MadeFolder())
    for frame in 0..<2 {
      let counts = (0..<48).flatMap { _ in [UInt8(7), UInt8(208 + frame)] }
      made.add("sequence/frame-00000\(frame).depth.pgm", Array("P5 8 6 65535\n".utf8) + counts)
      made.add("sequence/frame-00000\(frame).color.png", Self.picture)
      made.add("sequence/frame-00000\(frame).pose.txt", "1 0 0 \(frame)\n0 1 0 0\n0 0 1 0\n0 0 0 1\n")
    }
    made.add(
      "sequence/_info.txt",
      "m_colorWidth = 16\nm_colorHeight = 12\nm_depthWidth = 8\nm_depthHeight = 6\nm_depthShift = 1000\nm_calibrationColorIntrinsic = 20 0 8 0 0 20 6 0 0 0 1 0 0 0 0 1\nm_calibrationDepthIntrinsic = 10 0 4 0 0 11 3 0 0 0 1 0 0 0 0 1\n"
    )
    let recording = try FolderRecording(try made.asFolder("scan"))
    let scene = recording.scenes[0]
    #expect(recording.format == "scannet" && scene.intrinsics?.fy == 11 && scene.intrinsics?.cx == 4.5)
    let frame = try recording.frame(1, of: scene, including: .all)
    #expect(frame.lidar[0, 0] == 2.001 && frame.worldFromCamera?.translation == [1, 0, 0])
  }

  @Test("Polycam's cameras have single names, and its confidence is 0, 127 and 255")
  func polycam() throws {
    let made = kept(try MadeFolder())
    for frame in 0..<2 {
      let pose = (0..<12).map { place in
        #""t_\#(place / 4)\#(place % 4)": \#(place == 3 ? frame : place % 5 == 0 ? 1 : 0)"#
      }
      let camera =
        #"{"fx": 20, "fy": 21, "cx": 8, "cy": 6, "width": 16, "height": 12, "blur_score": 4, \#(pose.joined(separator: ", "))}"#
      let name = "keyframes/%/10000\(frame)50"
      func at(_ folder: String, _ ending: String) -> String { name.replacing("%", with: folder) + ending }
      made.add(at("cameras", ".json"), camera)
      made.add(at("depth", ".png"), Self.depth(frame))
      made.add(
        at("confidence", ".png"), MadePNG.grey8(8, 6, (0..<48).map { [0, 127, 255][($0 + frame) % 3] }))
      made.add(at("images", ".png"), Self.picture)
    }
    made.add("mesh_info.json", "{}")
    let recording = try FolderRecording(try made.asZip("capture.zip"))
    let scene = recording.scenes[0]
    #expect(recording.format == "polycam" && scene.frameCount == 2 && scene.cameraConvention == .arkit)
    let frame = try recording.frame(1, of: scene, including: .all)
    #expect(frame.lidar.values == Self.numbers.map { Float(Double($0 + 1) / 1000) })
    #expect(frame.confidence?.values.prefix(4) == [1, 2, 0, 1])
    #expect(frame.intrinsics?.cx == 8.5 && frame.worldFromCamera?.translation == [1, 0, 0])
  }

  // MARK: COLMAP

  private static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
  private static func bytes(_ number: Double) -> [UInt8] { bytes(number.bitPattern) }

  /// - Parameter model: 1 for PINHOLE, 2 for SIMPLE_RADIAL.
  private static func workspace(
    isBinary: Bool, model: Int32 = 1, _ parameters: [Double] = [20, 21, 8.5, 6.25]
  )
    throws -> MadeFolder
  {
    let made = try MadeFolder()
    let names = ["PINHOLE", "SIMPLE_RADIAL"]
    // Number, quaternion w x y z, translation, name; two points each.
    let images: [(Int32, [Double], String)] = [
      (7, [1, 0, 0, 0, 0, 0, 4], "b 2.png"), (3, [0, 0, 1, 0, 1, 2, 3], "a1.png"),
    ]
    if isBinary {
      var cameras = bytes(UInt64(1)) + bytes(Int32(5)) + bytes(model) + bytes(UInt64(16)) + bytes(UInt64(12))
      for number in parameters { cameras += bytes(number) }
      var file = bytes(UInt64(2))
      for (number, values, name) in images {
        file += bytes(number) + values.flatMap { bytes($0) } + bytes(Int32(5)) + Array(name.utf8) + [0]
        file += bytes(UInt64(2)) + [UInt8](repeating: 200, count: 48)
      }
      made.add("sparse/cameras.bin", cameras)
      made.add("sparse/images.bin", file)
    } else {
      let numbers = parameters.map { "\($0)" }.joined(separator: " ")
      made.add("sparse/cameras.txt", "# cameras\n5 \(names[Int(model) - 1]) 16 12 \(numbers)\n")
      let lines = images.map { number, values, name in
        "\(number) \(values.map { "\($0)" }.joined(separator: " ")) 5 \(name)\n\(number == 3 ? "" : "1 2 -1 3 4 9")\n"
      }
      made.add("sparse/images.txt", "# images\n" + lines.joined())
    }
    for (index, name) in ["a1.png", "b 2.png"].enumerated() {
      let values = numbers.map { Float($0) / 1000 + Float(index) }
      made.add(
        "stereo/depth_maps/\(name).geometric.bin",
        Array("8&6&1&".utf8) + values.flatMap { bytes($0.bitPattern) })
      made.add("images/\(name)", picture)
    }
    return made
  }

  @Test(
    "a workspace of COLMAP, binary or text, needs the metres of its unit, which hold for depth and poses",
    arguments: [true, false])
  func colmap(isBinary: Bool) throws {
    let path = try kept(try Self.workspace(isBinary: isBinary)).asFolder("dense")
    #expect(refusal(path)?.description.contains("depth-scale") == true)
    var options = ImportOptions()
    options.depthScale = 2
    let recording = try FolderRecording(path, as: .recognised, options)
    let scene = recording.scenes[0]
    #expect(recording.format == "colmap" && scene.frameIDs == ["a1", "b 2"])
    #expect(scene.cameraConvention == .opencv && scene.intrinsics?.cx == 8.5 && scene.intrinsics?.fy == 21)
    let frame = try recording.frame(0, of: scene, including: .all)
    #expect(frame.lidar.values == Self.numbers.map { 2 * (Float($0) / 1000) })
    // Half a turn about y: the inverse of p ↦ R p + (1, 2, 3) has the translation (1, −2, 3).
    let pose = try #require(frame.worldFromCamera)
    let wanted: [Double] = [-1, 0, 0, 2, 0, 1, 0, -4, 0, 0, -1, 6]
    #expect(zip(pose.rowMajor, wanted).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(try recording.frame(1, of: scene).worldFromCamera?.translation == [0, 0, -8])
  }

  @Test("COLMAP's radial lens is said and not applied; a model that is cut short is refused")
  func colmapLens() throws {
    var options = ImportOptions()
    options.depthScale = 1
    let radial = kept(try Self.workspace(isBinary: false, model: 2, [20, 8.5, 6.25, 0.25]))
    let recording = try FolderRecording(try radial.asFolder("radial"), as: .recognised, options)
    #expect(recording.scenes[0].intrinsics?.fy == 20)
    #expect(entries(recording.scenes[0], .assumed)["lens distortion"] != nil)
    let cut = kept(try Self.workspace(isBinary: true, [20, 21, 8.5]))
    #expect(refusal(try cut.asFolder("cut"), options)?.description.contains("cut short") == true)
  }
}
