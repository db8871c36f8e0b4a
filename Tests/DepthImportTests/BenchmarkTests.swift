import DepthCore
import DepthDataset
import DepthImport
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Small folders laid out as public benchmarks are, and what must come out of each.
@Suite struct BenchmarkTests {
  private static let numbers = (0..<48).map { UInt16(1000 + 10 * $0) }
  private static let depth = MadePNG.grey16(8, 6, numbers)
  private static let picture = MadePNG.rgb(8, 6, [UInt8](repeating: 5, count: 144))
  private static let floats = numbers.map { Float(Double($0) / 1000) }

  private static func bytes(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

  private static func numpy(_ type: String, _ shape: String, _ numbers: [UInt8]) -> [UInt8] {
    MadeNumpy.array(numbers, shape, type: type)
  }

  /// The first frame of the only scene, after its format was recognised.
  private func first(
    _ files: MadeFolder, below name: String, as format: String, frames: Int
  ) throws -> (scene: SceneHeader, frame: DepthFrame) {
    let recording = try FolderRecording(try files.asFolder(name))
    #expect(recording.format == format)
    let scene = try #require(recording.scenes.first)
    #expect(recording.scenes.count == 1 && scene.frameCount == frames && !scene.hasConfidence)
    return (scene, try recording.frame(0, of: scene, including: .all))
  }

  @Test("NYU as BTS lays it out: millimetres beside pictures, matched by number")
  func nyu() throws {
    let files = try MadeFolder()
    for number in ["00045", "00046"] {
      files.add("sync_depth_\(number).png", Self.depth)
      files.add("rgb_\(number).jpg", Self.picture)
    }
    let (scene, frame) = try first(files, below: "bathroom", as: "nyu", frames: 2)
    #expect(frame.lidar.values == Self.floats && frame.image != nil)
    #expect(scene.intrinsics?.fx == 518.8579 && scene.intrinsics?.cx == 325.5824 + 0.5)
  }

  @Test("KITTI's drives: the laser's scan, the accumulated truth, and the camera of the day")
  func kitti() throws {
    let files = try MadeFolder()
    let size = RasterSize(width: 1242, height: 375)
    let scan = MadePNG.grey16(size.width, size.height, [UInt16](repeating: 512, count: size.count))
    let truth = MadePNG.grey16(size.width, size.height, [UInt16](repeating: 640, count: size.count))
    let day = "2011_09_26_drive_0002_sync/"
    files.add(day + "proj_depth/velodyne_raw/image_02/0000000005.png", scan)
    files.add(day + "proj_depth/groundtruth/image_02/0000000005.png", truth)
    let (scene, frame) = try first(files, below: "val", as: "kitti-depth", frames: 1)
    #expect(frame.lidar.values[0] == 2 && frame.truth?.values[0] == 2.5)
    #expect(scene.truthIndependence == .sameSensor)
    #expect(
      scene.intrinsics
        == CameraIntrinsics(
          fx: 721.5377, fy: 721.5377, cx: 609.5593 + 0.5, cy: 172.854 + 0.5, imageSize: size))
  }

  @Test("KITTI's stereo pictures: counts of 1/256 pixel become depth by each picture's own calibration")
  func kittiStereo() throws {
    let files = try MadeFolder()
    for number in 0...1 {
      let counts = [0, 256] + [UInt16](repeating: UInt16(2560 * (number + 1)), count: 46)
      files.add("disp_occ_0/00000\(number)_10.png", MadePNG.grey16(8, 6, counts))
      files.add("disp_noc_0/00000\(number)_10.png", MadePNG.grey16(8, 6, [UInt16](repeating: 1, count: 48)))
      for time in [10, 11] { files.add("image_2/00000\(number)_\(time).png", Self.picture) }
      files.add(
        "calib_cam_to_cam/00000\(number).txt",
        "calib_time: 09-Jan-2012 13:57:47\nS_rect_02: 8 6\nP_rect_02: 20 0 4 \(number) 0 20 3 0 0 0 1 0\nP_rect_03: 20 0 4 -10 0 20 3 0 0 0 1 0\n"
      )
    }
    let path = try files.asFolder("training"), recording = try FolderRecording(path)
    #expect(recording.format == "kitti-stereo")
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 2 && scene.intrinsics?.fx == 20 && scene.intrinsics?.cx == 4.5)
    for (number, far) in [(0, Float(10)), (1, 11)] {
      let values = try recording.frame(number, of: scene, including: .lidar).lidar.values
      #expect(!(values[0] > 0) && abs(values[1] - far) < 1e-5)
      #expect(abs(values[2] - far / Float(10 * (number + 1))) < 1e-6)
    }
  }

  @Test("KITTI's stereo pictures of several sizes are scenes by size")
  func kittiStereoSizes() throws {
    let files = try MadeFolder()
    for (number, (width, height)) in [(8, 6), (9, 6), (8, 6)].enumerated() {
      let counts = [UInt16](repeating: UInt16(2560 * (number + 1)), count: width * height)
      files.add("disp_occ_0/00000\(number)_10.png", MadePNG.grey16(width, height, counts))
      files.add(
        "calib_cam_to_cam/00000\(number).txt",
        "P_rect_02: 20 0 4 0 0 20 3 0 0 0 1 0\nP_rect_03: 20 0 4 -10 0 20 3 0 0 0 1 0\n")
    }
    let path = try files.asFolder("training"), recording = try FolderRecording(path)
    #expect(recording.scenes.map(\.name) == ["training", "training-9x6"])
    #expect(recording.scenes.map(\.frameCount) == [2, 1])
    let map = try recording.frame(0, of: recording.scenes[1], including: .lidar).lidar
    #expect(map.size == RasterSize(width: 9, height: 6) && map.values[0] == 0.5)
    let said = recording.scenes[0].importRecord?.entries.first { $0.subject == "scenes" }?.words
    #expect(said == "this one has the frames of 8×6; others have those of 9×6")
    #expect(recording.scenes[0].importRecord?.entries.contains { $0.step == .dropped } == false)
  }

  @Test("DIODE's scans: metres with an axis of one, whose masks are not depth")
  func diode() throws {
    let files = try MadeFolder()
    for name in ["00019_00183_indoors_300_010", "00019_00183_indoors_300_020"] {
      files.add("\(name)_depth.npy", Self.numpy("<f4", "6, 8, 1", Self.bytes(Self.floats)))
      files.add(
        "\(name)_depth_mask.npy", Self.numpy("<f4", "6, 8", Self.bytes([Float](repeating: 1, count: 48))))
      files.add("\(name).png", Self.picture)
    }
    let (_, frame) = try first(files, below: "scan_00183", as: "diode", frames: 2)
    #expect(frame.lidar.values == Self.floats && frame.image != nil)
  }

  @Test("iBims-1 as pictures: 65535 counts are 50 m")
  func ibims() throws {
    let files = try MadeFolder()
    files.add("imagelist.txt", "corridor_01\n")
    for folder in ["mask_invalid", "mask_transp"] {
      files.add("\(folder)/corridor_01.png", MadePNG.grey8(8, 6, [UInt8](repeating: 1, count: 48)))
    }
    files.add("depth/corridor_01.png", MadePNG.grey16(8, 6, [UInt16](repeating: 13107, count: 48)))
    files.add("rgb/corridor_01.png", Self.picture)
    let (_, frame) = try first(files, below: "core_raw", as: "ibims", frames: 1)
    #expect(abs(frame.lidar.values[0] - 10) < 1e-5 && frame.image != nil)
  }

  @Test(
    "Middlebury 2014: disparity becomes depth by the focal length, the baseline and the shift of the principal points"
  )
  func middlebury() throws {
    let files = try MadeFolder()
    files.add(
      "calib.txt",
      "cam0=[20 0 4; 0 20 3; 0 0 1]\ncam1=[20 0 6; 0 20 3; 0 0 1]\ndoffs=2\nbaseline=193.5\nwidth=8\nheight=6\n"
    )
    var disparities = [Float](repeating: 8, count: 48)
    disparities[0] = .infinity
    files.add("disp0.pfm", Array("Pf\n8 6\n-1.0\n".utf8) + Self.bytes(disparities))
    files.add("disp1.pfm", Array("Pf\n8 6\n-1.0\n".utf8) + Self.bytes(disparities))
    files.add("im0.png", Self.picture)
    let (scene, frame) = try first(files, below: "Adirondack", as: "middlebury", frames: 1)
    // PFM begins with the lowest row.
    #expect(frame.lidar.values.count { $0.isFinite && $0 > 0 } == 47)
    #expect(abs(frame.lidar.values[0] - 20 * 0.1935 / 10) < 1e-6)
    #expect(scene.intrinsics?.fx == 20 && scene.intrinsics?.cx == 4.5 && frame.image != nil)
  }

  @Test("Sintel's .dpt and Replica's pictures with a pose a line")
  func rendered() throws {
    let sintel = try MadeFolder()
    for number in 1...2 {
      sintel.add(
        "frame_000\(number).dpt", Array("PIEH".utf8) + [8, 0, 0, 0, 6, 0, 0, 0] + Self.bytes(Self.floats))
    }
    #expect(
      try first(sintel, below: "alley_1", as: "sintel", frames: 2).frame.lidar.values == Self.floats)
    let replica = try MadeFolder()
    for number in 0...1 {
      let depth = [UInt16](repeating: UInt16(13107 + number), count: 48)
      replica.add("results/depth00000\(number).png", MadePNG.grey16(8, 6, depth))
      replica.add("results/frame00000\(number).jpg", Self.picture)
    }
    replica.add("traj.txt", "1 0 0 0.5 0 1 0 0 0 0 1 2 0 0 0 1\n1 0 0 0.6 0 1 0 0 0 0 1 2 0 0 0 1\n")
    let (_, frame) = try first(replica, below: "room0", as: "replica", frames: 2)
    #expect(abs(frame.lidar.values[0] - 2) < 1e-6 && frame.worldFromCamera?.translation == [0.5, 0, 2])
    // Maps of another aspect have not the format's camera, and a file of one's own comes first.
    #expect(frame.intrinsics == nil)
    replica.add("cam_params.json", #"{"camera": {"w": 8, "h": 6, "fx": 7, "fy": 7, "cx": 3.5, "cy": 2.5}}"#)
    #expect(try first(replica, below: "room1", as: "replica", frames: 2).frame.intrinsics?.fx == 7)
  }

  @Test(
    "TartanAir's trajectories: metres, and poses whose north, east and down become z, x and y of the camera")
  func tartanAir() throws {
    let files = try MadeFolder()
    for number in 0...1 {
      files.add(
        "depth_left/00000\(number)_left_depth.npy", Self.numpy("<f4", "6, 8", Self.bytes(Self.floats)))
      files.add("image_left/00000\(number)_left.png", Self.picture)
      files.add(
        "depth_right/00000\(number)_right_depth.npy", Self.numpy("<f4", "6, 8", Self.bytes(Self.floats)))
    }
    // Turned by 90° about down: the camera looks to the east.
    let turned = "0 0 0.7071067811865476 0.7071067811865476"
    files.add("pose_left.txt", "1 2 3 0 0 0 1\n1.5 2 3 \(turned)\n")
    files.add("pose_right.txt", "1 2 3 0 0 0 1\n1.5 2 3 \(turned)\n")
    let (scene, frame) = try first(files, below: "P001", as: "tartanair", frames: 2)
    #expect(frame.lidar.values == Self.floats && frame.image != nil)
    // In the file y points down.
    #expect(frame.worldFromCamera?.translation == [2, -3, -1] && scene.upAxis == .y)
    #expect(frame.worldFromCamera?.direction([0, 1, 0]) == [0, -1, 0])
    #expect(scene.intrinsics?.fx == 320 && scene.intrinsics?.cx == 320 && scene.intrinsics?.cy == 240)
  }

  @Test("Hypersim: distances along the ray in HDF5 become depth, by the camera that is given")
  func hypersim() throws {
    let files = try MadeFolder(), folder = try TemporaryFolder()
    let file = try HDF5File(creating: folder.path("made.hdf5"))
    try file.createDataset("dataset", shape: [6, 8], of: Float.self).write([Float](repeating: 2, count: 48))
    try file.close()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.path("made.hdf5"))))
    for number in 0...1 {
      files.add("images/scene_cam_00_geometry_hdf5/frame.000\(number).depth_meters.hdf5", bytes)
      files.add("images/scene_cam_00_geometry_hdf5/frame.000\(number).semantic.hdf5", bytes)
      files.add("images/scene_cam_00_final_preview/frame.000\(number).tonemap.jpg", Self.picture)
    }
    let (scene, frame) = try first(files, below: "ai_001_001", as: "hypersim", frames: 2)
    // The first of 8 columns is 3.5 of them left of the middle, and a column is 128 pixels of 1024.
    let ray = (1 + pow(3.5 * 128 / 886.81, 2) + pow(2.5 * 128 / 886.81, 2)).squareRoot()
    #expect(abs(Double(frame.lidar.values[0]) - 2 / ray) < 1e-6 && frame.image != nil)
    #expect(scene.intrinsics?.cx == 512 && scene.intrinsics?.cy == 384)
  }

  @Test("Hypersim's poses count in the unit of the scene, and a tilted lens turns the camera of the poses")
  func hypersimCamera() throws {
    let files = try MadeFolder(), folder = try TemporaryFolder()
    func array(_ shape: [Int], _ values: [Double]) throws -> [UInt8] {
      let path = folder.path("made.hdf5"), file = try HDF5File(creating: path)
      try file.createDataset("dataset", shape: shape, of: Double.self).write(values)
      try file.close()
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
    let distance = 2.0
    // Pictures 1 and 2 of three poses; the second looks along x of the world.
    for number in 1...2 {
      files.add(
        "images/scene_cam_00_geometry_hdf5/frame.000\(number).depth_meters.hdf5",
        try array([6, 8], [Double](repeating: distance, count: 48)))
    }
    let turned: [Double] = [0, 0, -1, -1, 0, 0, 0, 1, 0], plain: [Double] = [1, 0, 0, 0, 0, -1, 0, 1, 0]
    files.add(
      "_detail/cam_00/camera_keyframe_orientations.hdf5", try array([3, 3, 3], plain + turned + plain))
    files.add(
      "_detail/cam_00/camera_keyframe_positions.hdf5", try array([3, 3], [9, 9, 9, 100, 200, 300, 0, 0, 0]))
    files.add("_detail/metadata_scene.csv", "parameter_name,parameter_value\nmeters_per_asset_unit,0.02\n")
    let path = try files.asFolder("ai_001_001"), plainRecording = try FolderRecording(path)
    var frame = try plainRecording.frame(0, of: plainRecording.scenes[0], including: .all)
    #expect(frame.worldFromCamera?.translation == [2, 4, 6])
    #expect(frame.worldFromCamera?.direction([0, 0, -1]) == [1, 0, 0])
    #expect(plainRecording.scenes[0].upAxis == .z && plainRecording.scenes[0].cameraConvention == .arkit)

    // A plane of the picture that is tilted by 10° about the camera's x axis.
    let (c, s) = (cos(10 * Double.pi / 180), sin(10 * Double.pi / 180))
    let m = [0.5, 0, 0, 0, 0.375 * c, s, 0, 0.375 * s, -c]
    let names = m.indices.map { "M_cam_from_uv_\($0 / 3)\($0 % 3)" }.joined(separator: ",")
    let lines = [
      "scene_name,settings_output_img_height,settings_output_img_width,text,\(names)",
      "ai_001_001,6.0,8.0,\"AColor(0, 0)\",\(m.map { "\($0)" }.joined(separator: ","))", "",
    ]
    let cameras = folder.path("metadata_camera_parameters.csv")
    try Data(lines.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: cameras))
    var options = ImportOptions()
    options.intrinsics = cameras
    let recording = try FolderRecording(path, as: .recognised, options)
    frame = try recording.frame(0, of: recording.scenes[0], including: .all)
    let k = try #require(frame.intrinsics), pose = try #require(frame.worldFromCamera)
    #expect(abs(k.fx - 8) < 1e-9 && abs(k.fy - 8) < 1e-9 && abs(k.cx - 4) < 1e-9 && abs(k.cy - 3) < 1e-9)
    // The point of a pixel by the table's matrix, and by the recording's camera, depth and pose.
    let (x, y) = (6.5, 1.5), z = Double(frame.lidar.values[8 + 6])
    let (u, v) = (2 * x / 8 - 1, 1 - 2 * y / 6)
    let ray = SIMD3(m[0] * u + m[1] * v + m[2], m[3] * u + m[4] * v + m[5], m[6] * u + m[7] * v + m[8])
    let seen = ray * (distance / (ray * ray).sum().squareRoot())
    let wanted = SIMD3(2, 4, 6) + SIMD3(-seen.z, -seen.x, seen.y)
    let found = pose([(x - k.cx) / k.fx * z, -(y - k.cy) / k.fy * z, -z])
    #expect(((found - wanted) * (found - wanted)).sum().squareRoot() < 1e-6)
    options.intrinsics = nil

    // Poses need the unit of the scene, and the table of cameras a row for it.
    try FileManager.default.removeItem(atPath: path + "/_detail/metadata_scene.csv")
    #expect(try FolderRecording(path).scenes[0].hasPoses == false)
    options.intrinsics = cameras
    let other = try files.asFolder("ai_001_002")
    #expect {
      _ = try FolderRecording(other, as: .recognised, options)
    } throws: { "\($0)".contains("it has no line of the scene 'ai_001_002'") }
  }

  @Test("Virtual KITTI 2: centimetres, and tables with a line for each frame and camera")
  func virtualKITTI() throws {
    let files = try MadeFolder()
    var (intrinsic, extrinsic) = ("frame cameraID K[0,0] K[1,1] K[0,2] K[1,2]\n", "frame cameraID")
    for row in 1...3 { extrinsic += " r\(row),1 r\(row),2 r\(row),3 t\(row)" }
    extrinsic += " 0 0 0 1\n"
    for number in 0...1 {
      for camera in 0...1 {
        files.add("frames/depth/Camera_\(camera)/depth_0000\(number).png", Self.depth)
        files.add("frames/rgb/Camera_\(camera)/rgb_0000\(number).jpg", Self.picture)
        intrinsic += "\(number) \(camera) 20 21 4 \(camera + 3)\n"
        extrinsic += "\(number) \(camera) 0 0 -1 \(number + 7) 0 1 0 2 1 0 0 \(camera + 3) 0 0 0 1\n"
      }
    }
    files.add("intrinsic.txt", intrinsic)
    files.add("extrinsic.txt", extrinsic)
    let (scene, frame) = try first(files, below: "clone", as: "vkitti2", frames: 2)
    #expect(frame.lidar.values == Self.numbers.map { Float(Double($0) / 100) } && frame.image != nil)
    #expect(scene.intrinsics?.fy == 21 && scene.intrinsics?.cy == 3.5)
    // x of the camera is −z of the world, and z of the camera x of the world: the camera stands at −Rᵀt.
    #expect(frame.worldFromCamera?.translation == [-3, -2, 7])
  }

  @Test("TartanAir V2: a float in the four bytes of each pixel")
  func tartanAirV2() throws {
    let files = try MadeFolder()
    var metres = Self.floats
    (metres[0], metres[1], metres[2]) = (0, 6.1e4, 0.1)
    let pixels = metres.flatMap { metre -> [UInt8] in
      let bytes = withUnsafeBytes(of: metre.bitPattern.littleEndian) { Array($0) }
      return [bytes[2], bytes[1], bytes[0], bytes[3]]
    }
    files.add("depth_lcam_front/000000_lcam_front_depth.png", MadePNG.rgba(8, 6, pixels))
    files.add("image_lcam_front/000000_lcam_front.png", Self.picture)
    files.add("pose_lcam_front.txt", "1 2 3 0 0 0 1\n")
    let (scene, frame) = try first(files, below: "P000", as: "tartanair-v2", frames: 1)
    #expect(frame.lidar.values[0].isNaN || frame.lidar.values[0] == 0)
    #expect(Array(frame.lidar.values[1...]) == Array(metres[1...]))
    #expect(scene.upAxis == .y && frame.worldFromCamera?.translation == [2, -3, -1])
  }

  @Test("LingBot's data has a raw and a true depth")
  func lingbot() throws {
    let files = try MadeFolder()
    files.add("rawdepth/00000.png", Self.depth)
    files.add("gtdepth/00000.png", MadePNG.grey16(8, 6, [UInt16](repeating: 1500, count: 48)))
    files.add("color/00000.png", Self.picture)
    files.add("intrinsic.txt", "20 0 4\n0 20 3\n0 0 1\n")
    let (scene, frame) = try first(files, below: "realsense_D435_0", as: "lingbot", frames: 1)
    #expect(frame.lidar.values == Self.floats && frame.truth?.values[0] == 1.5)
    #expect(scene.intrinsics?.fx == 20 && scene.truthIndependence == .unknown)
  }

  @Test(
    "MoGe's evaluation data: logarithms between the near and far of each file, and a camera in shares of the picture"
  )
  func moge() throws {
    let files = try MadeFolder()
    for (name, far) in [("a", "200"), ("b", "800")] {
      var counts = [UInt16](repeating: 32_767, count: 48)  // the middle of 1 and 65533
      (counts[0], counts[1], counts[2], counts[3]) = (0, 65_535, 1, 65_534)
      let range = [("near", "2"), ("far", far)].map { ("tEXt", Array($0.utf8) + [0] + Array($1.utf8)) }
      files.add("\(name)/depth.png", MadePNG.grey16(8, 6, counts, chunks: range))
      files.add("\(name)/image.jpg", Self.picture)
      files.add("\(name)/meta.json", #"{"intrinsics": [[0.8, 0, 0.5], [0, 1.07, 0.5], [0, 0, 1]]}"#)
    }
    let (_, frame) = try first(files, below: "iBims-1", as: "moge", frames: 2)
    let values = frame.lidar.values
    #expect(values[..<2].allSatisfy { !($0.isFinite && $0 > 0) })
    #expect(abs(values[2] - 2) < 1e-5 && abs(values[3] - 200) < 1e-3)
    #expect(abs(values[4] - 20) < 0.01)  // √(2·200)
    #expect(frame.intrinsics?.scaled(to: RasterSize(width: 8, height: 6)).fx == 6.4)
  }

  /// Makes a file of zeros but for the last number, without writing the zeros.
  private func large(_ path: String, bytes: Int, header: [UInt8] = []) throws {
    try Data(header).write(to: URL(fileURLWithPath: path))
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.truncate(atOffset: UInt64(header.count + bytes - 4))
    try file.seekToEnd()
    try file.write(contentsOf: Data(Self.bytes([2.5])))
    try file.close()
  }

  @Test(
    "ETH3D's maps of 24 megapixels, without a header, and maps of 48 megapixels are read; larger ones are refused"
  )
  func megapixels() throws {
    let folder = try TemporaryFolder()
    for name in ["ground_truth_depth", "images"] {
      try FileManager.default.createDirectory(
        atPath: folder.path("courtyard/\(name)/dslr_images"), withIntermediateDirectories: true)
    }
    try large(
      folder.path("courtyard/ground_truth_depth/dslr_images/DSC_0286.JPG"), bytes: 6048 * 4032 * 4)
    try Data(Self.picture).write(
      to: URL(fileURLWithPath: folder.path("courtyard/images/dslr_images/DSC_0286.JPG")))
    let recording = try FolderRecording(folder.path("courtyard"))
    #expect(recording.format == "eth3d")
    let map = try recording.frame(0, of: recording.scenes[0], including: .lidar).lidar
    #expect(map.size == RasterSize(width: 6048, height: 4032) && map.values.last == 2.5)
    #expect(RasterSize(width: 8064, height: 6048).count <= SchemaLimits.mapPixels)

    for (width, height, isRead) in [(8064, 6048, true), (8192, 8192, false)] {
      let name = "phone\(width)"
      try FileManager.default.createDirectory(
        atPath: folder.path("\(name)/depth"), withIntermediateDirectories: true)
      try large(
        folder.path("\(name)/depth/0001.npy"), bytes: width * height * 4,
        header: Self.numpy("<f4", "\(height), \(width)", []))
      var options = ImportOptions()
      options.depthScale = 1
      let phone = Result { try FolderRecording(folder.path(name), as: .format("folder"), options) }
      #expect(
        (try? phone.get().scenes.first?.lidarSize)
          == (isRead ? RasterSize(width: width, height: height) : nil))
    }
  }
}
