import DepthCore
import DepthDataset
import DepthImport
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// A folder that no format describes is told by what its files hold; names choose only among what is possible.
@Suite struct FolderSurveyTests {
  private let folder: TemporaryFolder
  private static let (width, height) = (32, 24)

  init() throws { folder = try TemporaryFolder() }

  // MARK: A made room

  private enum Unit { case millimetres, tum, metres }

  private static func depth(_ frame: Int, _ unit: Unit = .millimetres) -> [UInt8] {
    let values = (0..<width * height).map { UInt16(1800 + $0 * 3 + frame * 7) }
    switch unit {
    case .millimetres: return MadePNG.grey16(width, height, values)
    case .tum: return MadePNG.grey16(width, height, values.map { $0 * 5 })
    case .metres: return MadeTIFF.floats(width, height, values.map { Float($0) / 1000 + 0.00025 })
    }
  }

  private static func picture(_ frame: Int) -> [UInt8] {
    MadePNG.rgb(
      2 * width, 2 * height, (0..<4 * width * height * 3).map { UInt8(($0 * 31 + frame * 17) & 255) })
  }

  private static func levels(_ values: [UInt8]) -> [UInt8] {
    MadePNG.grey8(width, height, (0..<width * height).map { values[$0 % values.count] })
  }

  private static func matrix(_ frame: Int) -> String { "1 0 0 \(frame)\n0 1 0 0\n0 0 1 0\n0 0 0 1\n" }
  private static let camera = "53 0 31.5\n0 53 23.5\n0 0 1\n"

  private typealias Files = [(String, (Int) -> [UInt8])]

  /// Files by the pattern of their names, in which "#" is the frame's number.
  private func make(_ name: String, frames: Range<Int> = 0..<4, _ files: Files) throws -> String {
    for (pattern, bytes) in files {
      for frame in pattern.contains("#") ? frames : 0..<1 {
        try write(bytes(frame), "\(name)/\(pattern.replacing("#", with: String(format: "%04d", frame)))")
      }
    }
    return folder.path(name)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let url = URL(fileURLWithPath: folder.path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private func roles(_ path: String) throws -> [String: String] {
    let groups = try FolderSurvey.opened(path).groups
    return Dictionary(groups.map { ($0.files, $0.role ?? "–") }) { first, _ in first }
  }

  /// As an import reads it.
  private func read(_ path: String, scale: Double? = nil) throws -> FolderRecording {
    var options = ImportOptions()
    (options.takesTheOnlyReading, options.depthScale) = (true, scale)
    return try FolderRecording(path, as: .recognised, options)
  }

  private func assumed(_ recording: FolderRecording) -> [String: String] {
    let entries = recording.scenes[0].importRecord?.entries.filter { $0.step == .assumed } ?? []
    return Dictionary(entries.map { ($0.subject, $0.words) }) { first, _ in first }
  }

  private func refusal(_ path: String) throws -> FathomError {
    try #require(throws: FathomError.self) { _ = try read(path) }
  }

  // MARK: Roles

  @Test(
    "what files hold tells their roles, whatever their folders are called",
    arguments: [("depth", "rgb", "confidence", "pose"), ("a", "b", "c", "d"), ("D", "Left Cam", "q", "x")])
  func rolesByContent(names: (String, String, String, String)) throws {
    let (depth, colour, confidence, pose) = names
    let path = try make(
      "any",
      [
        ("\(depth)/#.png", { Self.depth($0) }), ("\(colour)/#.png", Self.picture),
        ("\(confidence)/#.png", { _ in Self.levels([0, 1, 2]) }),
        ("\(pose)/#.txt", { Array(Self.matrix($0).utf8) }), ("k.txt", { _ in Array(Self.camera.utf8) }),
      ])
    #expect(
      try roles(path) == [
        "\(depth)/*.png": "depth", "\(colour)/*.png": "colour", "\(confidence)/*.png": "confidence",
        "\(pose)/*.txt": "poses", "k.txt": "camera",
      ])
    let recording = try read(path)
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 4 && scene.hasPoses && scene.hasConfidence)
    #expect(scene.intrinsics?.fx == 53 && scene.intrinsics?.cx == 32)
    #expect(scene.colourSize == RasterSize(width: 64, height: 48))
    let frame = try recording.frame(3, of: scene, including: .all)
    #expect(frame.lidar[0, 0] == 1.821 && frame.worldFromCamera?.translation == [3, 0, 0])
    let said = assumed(recording)
    #expect(said["unit of the depth"]?.hasPrefix("0.001 m a count") == true)
    #expect(
      said["format"] != nil && said["depth"] != nil && said["poses"] != nil && said["intrinsics"] != nil)
  }

  @Test("coloured pictures of depth are left over, and the files of 16 bits are the depth")
  func painted() throws {
    let path = try make(
      "viewer",
      [
        ("depth_#.png", { Self.depth($0) }), ("depthColorized_#.png", Self.picture),
        ("color_#.png", Self.picture),
      ])
    #expect(
      try roles(path) == ["depth_*.png": "depth", "depthColorized_*.png": "–", "color_*.png": "colour"])
    // By the format of one's own folders, too.
    var options = ImportOptions()
    options.depthScale = 0.001
    let recording = try FolderRecording(path, as: .format("folder"), options)
    #expect(recording.scenes[0].frameCount == 4)
    #expect(assumed(recording)["depth"]?.contains("depthColorized_*.png cannot be") == true)
  }

  @Test("disparities without a baseline are named, with the formula that makes them depth")
  func disparities() throws {
    let path = try make("stereo", [("disp_0/#.png", { Self.depth($0) }), ("image_0/#.png", Self.picture)])
    let survey = try FolderSurvey.opened(path)
    #expect(survey.open.count == 2 && survey.open[0].contains("depth is fx · baseline / disparity"))
    let mapping = try #require(survey.mapping)
    #expect(mapping.contains("formula: fx * BASELINE / (v / 256)"))
    #expect(survey.command?.contains("mapping FILE") == true)
    let given = try MappingFile.mapping(
      mapping.replacing("BASELINE", with: "0.5"), named: "given.yaml")
    var options = ImportOptions()
    options.intrinsics = "32,32,16,12"
    let recording = try FolderRecording(path, as: .mapping(given), options)
    let value = try recording.frame(0, of: recording.scenes[0], including: .lidar).lidar[0, 0]
    // The camera is that of the pictures, which are twice as large.
    #expect(abs(value - 16 * 0.5 * 256 / 1800) < 1e-5)
  }

  @Test("masks, predictions and truth are not taken for the depth")
  func otherRoles() throws {
    let path = try make(
      "roles",
      [
        ("raw/#.png", { Self.depth($0) }), ("gt/#.png", { Self.depth($0) }),
        ("pred/#.png", { Self.depth($0) }),
        ("mask/#.png", { _ in Self.levels([0, 255]) }), ("img/#.png", Self.picture),
      ])
    #expect(
      try roles(path) == [
        "raw/*.png": "depth", "gt/*.png": "truth", "pred/*.png": "prediction", "mask/*.png": "mask",
        "img/*.png": "colour",
      ])
    #expect(try read(path, scale: 0.001).scenes[0].truthSize == RasterSize(width: 32, height: 24))
  }

  @Test("a folder names its numbering, its sizes and its values")
  func lines() throws {
    let path = try make("lines", frames: 2..<5, [("depth/#.png", { Self.depth($0 * 10) })])
    try write(Self.depth(0), "lines/depth/0007.png")
    let group = try #require(try FolderSurvey.opened(path).groups.first)
    #expect(group.files == "depth/*.png" && group.count == 4)
    #expect(group.numbers == "0002 to 0007, 2 missing" && group.size == "32×24")
    #expect(group.kind == "PNG 16 bits a channel" && group.range?.hasPrefix("1800 to ") == true)
  }

  // MARK: Units

  @Test("decimal numbers are metres, without anybody's word")
  func metres() throws {
    let path = try make("tiff", [("depth/#.tiff", { Self.depth($0, .metres) })])
    let recording = try read(path)
    #expect(
      abs(try recording.frame(0, of: recording.scenes[0], including: .all).lidar[0, 0] - 1.80025) < 1e-6)
    #expect(assumed(recording)["unit of the depth"]?.contains("decimal") == true)
  }

  @Test("decimal numbers that are near in millimetres may be centimetres: the unit stays open")
  func centimetres() throws {
    let path = try make(
      "cm",
      [
        (
          "depth/#.tiff",
          { _ in
            MadeTIFF.floats(
              Self.width, Self.height, (0..<Self.width * Self.height).map { 180.5 + Float($0) / 4 })
          }
        )
      ])
    #expect(try refusal(path).description.contains("or 0.01 (centimetres): 1.81 to "))
    #expect(try read(path, scale: 0.01).scenes[0].frameCount == 4)
  }

  @Test("whole numbers without a witness are not read, and each unit is shown")
  func openUnit() throws {
    let path = try make("unit", [("depth/#.png", { Self.depth($0) })])
    let error = try refusal(path)
    #expect(error.kind == .badData && error.description.contains("0.001 (millimetres): 1.8 to 4.1"))
    #expect(error.description.contains("or 0.0002 (1/5000 m)"))
    #expect(error.description.contains("--depth-scale METRES"))
    #expect(try read(path, scale: 0.0002).scenes[0].frameCount == 4)
  }

  @Test("a scale that a file states is taken")
  func statedScale() throws {
    let path = try make(
      "stated",
      [
        ("depth/#.png", { Self.depth($0, .tum) }),
        ("camera.json", { _ in Array(#"{"camera": {"fx": 53, "scale": 5000}}"#.utf8) }),
      ])
    let recording = try read(path)
    #expect(try recording.frame(0, of: recording.scenes[0], including: .all).lidar[0, 0] == 1.8)
    #expect(assumed(recording)["unit of the depth"]?.contains("camera.scale in camera.json is 5000") == true)
  }

  // MARK: What stays open

  @Test("a list of a network's own data set says the factor of its pictures, as 256 for KITTI's")
  func statedInAList() throws {
    let path = try make(
      "demo", frames: 0..<3,
      [
        ("depth/#.png", { Self.depth($0) }), ("rgb/#.png", Self.picture),
        (
          "test_annotations.json",
          { _ in
            let files = (0..<3).map { #"{"rgb": "rgb/000\#($0).png", "depth_scale": 256.0}"# }
            return Array(#"{"files": [\#(files.joined(separator: ", "))]}"#.utf8)
          }
        ),
      ])
    let survey = try FolderSurvey.opened(path)
    #expect(survey.open == [])
    #expect(survey.mapping?.contains("scale: 0.00390625") == true)
  }

  @Test("folders that hold a frame each are frames, of one recording or of several")
  func frames() throws {
    let files: Files = [
      ("#/depth.png", { Self.depth($0) }), ("#/rgb.png", Self.picture),
      ("#/pose.txt", { Array(Self.matrix($0).utf8) }),
    ]
    let flat = try FolderSurvey.opened(try make("flat", files))
    #expect(flat.groups.map(\.files) == ["*/depth.png", "*/pose.txt", "*/rgb.png"])
    #expect(flat.groups.allSatisfy { $0.count == 4 && $0.numbers == "0000 to 0003" } && flat.scenes.isEmpty)
    let rooms = try make("rooms", files.map { ("kitchen/" + $0.0, $0.1) })
    _ = try make("rooms", files.map { ("office/" + $0.0, $0.1) })
    let nested = try FolderSurvey.opened(rooms)
    #expect(nested.scenes == ["kitchen", "office"])
    #expect(nested.mapping?.contains(#"files: ["*/depth.png"]"#) == true)
    // Of several frames in each, the folders are scenes.
    let scenes = try make("scenes", [("1/depth/#.png", { Self.depth($0) }), ("1/rgb/#.png", Self.picture)])
    _ = try make("scenes", [("2/depth/#.png", { Self.depth($0) }), ("2/rgb/#.png", Self.picture)])
    _ = try make("scenes", [("3/depth/#.png", { Self.depth($0) }), ("3/rgb/#.png", Self.picture)])
    #expect(try FolderSurvey.opened(scenes).scenes == ["1", "2", "3"])
  }

  @Test(
    "a folder whose name begins with a digit, a picture deeper than the depth, a narrow table, and files of roles of their own"
  )
  func names() throws {
    let path = try make(
      "6d_real", frames: 0..<1,
      [
        ("3d/depth.png", { Self.depth($0) }), ("3d/run0/rgb.png", Self.picture), ("3d/rgb.png", Self.picture),
        ("3d/grasps.npy", { _ in MadeNumpy.array((0..<17 * 64).map(Float.init), "64, 17") }),
        ("3d/normals.png", Self.picture),
        ("3d/mask.png", { _ in Self.levels([0, 255]) }), ("3d/before.png", Self.picture),
        ("3d/shown.png", Self.picture),
      ])
    let survey = try FolderSurvey.opened(path)
    #expect(survey.mapping?.contains(#"files: ["3d/depth.png"]"#) == true)
    #expect(survey.mapping?.contains(#"colour: ["3d/rgb.png"]"#) == true)
    #expect(survey.groups.first { $0.files == "3d/grasps.npy" }.map(\.role) == .some(nil))
  }

  @Test("two groups that can be depth are both shown, and none is read")
  func twoDepths() throws {
    let path = try make(
      "two", [("left/#.tiff", { Self.depth($0, .metres) }), ("right/#.tiff", { Self.depth($0, .metres) })])
    let survey = try FolderSurvey.opened(path)
    #expect(survey.open.contains("right/*.tiff can be depth as well as left/*.tiff"))
    #expect(survey.mapping?.contains("# or: files: [\"right/*.tiff\"]") == true)
    #expect(try refusal(path).description.contains("right/*.tiff can be depth as well"))
  }

  @Test("numbers that are shifted, and poses of another count, are not paired in silence")
  func pairing() throws {
    var path = try make("shifted", [("depth/#.tiff", { Self.depth($0, .metres) })])
    for frame in 1...4 { try write(Self.picture(frame), String(format: "shifted/rgb/%04d.png", frame)) }
    #expect(try refusal(path).description.contains("by number or in their order"))
    path = try make(
      "poses",
      [
        ("depth/#.tiff", { Self.depth($0, .metres) }),
        ("poses.txt", { _ in Array((0..<5).map { "\($0) 0 0 0 0 0 1\n" }.joined().utf8) }),
      ])
    #expect(
      try refusal(path).description.contains("to which of the 4 frames the 5 poses of poses.txt belong"))
  }

  @Test("maps of the whole folder that have no name of depth may be a network's")
  func lonelyMaps() throws {
    let path = try make("maps", [("#.tiff", { Self.depth($0, .metres) })])
    #expect(try refusal(path).description.contains("a network's maps"))
  }

  // MARK: Places

  @Test("files are found as deep as they lie, and names in any case")
  func places() throws {
    var path = try make(
      "deep",
      [
        ("session/day 1/cam0/Depth/#.TIFF", { Self.depth($0, .metres) }),
        ("session/day 1/cam0/RGB/#.PNG", Self.picture),
      ])
    let recording = try read(path)
    #expect(recording.scenes[0].frameCount == 4 && recording.scenes[0].colourSize != nil)
    path = try make("capitals", [("DEPTH/#.PNG", { Self.depth($0) }), ("Rgb/#.PNG", Self.picture)])
    var options = ImportOptions()
    options.depthScale = 0.001
    let own = try FolderRecording(path, as: .format("folder"), options)
    #expect(own.scenes[0].frameCount == 4 && own.scenes[0].colourSize != nil)
  }

  @Test("folders of the same files are scenes, also under a mapping")
  func scenes() throws {
    for scene in ["kitchen", "office", "attic"] {
      _ = try make(
        "rooms/\(scene)", [("depth/#.tiff", { Self.depth($0, .metres) }), ("rgb/#.png", Self.picture)])
    }
    let survey = try FolderSurvey.opened(folder.path("rooms"))
    #expect(
      survey.scenes == ["attic", "kitchen", "office"]
        && survey.groups.map(\.files) == ["depth/*.tiff", "rgb/*.png"])
    #expect(try read(folder.path("rooms")).scenes.map(\.name) == ["attic", "kitchen", "office"])
    let mapping = folder.path("rooms.yaml")
    try folder.put(try #require(survey.mapping), "rooms.yaml")
    #expect(try FolderRecording(folder.path("rooms"), mappedBy: mapping).scenes.count == 3)
  }

  // MARK: Numbers with names

  @Test(
    "a camera is read under its usual names",
    arguments: [
      #"{"fx": 53, "fy": 54, "cx": 31.5, "cy": 23.5, "width": 64, "height": 48}"#,
      #"{"camera": {"f_x": 53, "f_y": 54, "c_x": 31.5, "c_y": 23.5}}"#,
      #"{"fl_x": 53, "fl_y": 54, "cx": 32, "cy": 24, "w": 64, "h": 48}"#,
      #"{"cam_K": [53, 0, 31.5, 0, 54, 23.5, 0, 0, 1]}"#,
      #"{"width": 64, "height": 48, "intrinsic_matrix": [53, 0, 0, 0, 54, 0, 31.5, 23.5, 1]}"#,
      "image_width: 64\nimage_height: 48\ncamera_matrix:\n  rows: 3\n  cols: 3\n  data: [53, 0, 31.5, 0, 54, 23.5, 0, 0, 1]\n",
      "%YAML:1.0\n---\nK:\n  rows: 3\n  cols: 3\n  data: [53., 0., 31.5, 0., 54., 23.5, 0., 0., 1.]\n",
      "[[53. 0. 31.5]\n [ 0. 54. 23.5]\n [ 0. 0. 1.]]\n",
      "ppx: 31.5\nppy: 23.5\nfx: 53\nfy: 54\n",
    ])
  func namedCameras(text: String) throws {
    let path = try make(
      "cameras",
      [
        ("depth/#.tiff", { Self.depth($0, .metres) }), ("rgb/#.png", Self.picture),
        ("calib.any", { _ in Array(text.utf8) }),
      ])
    let camera = try #require(try read(path).scenes[0].intrinsics)
    #expect([camera.fx, camera.fy, camera.cx, camera.cy] == [53, 54, 32, 24])
    #expect(camera.imageSize == RasterSize(width: 64, height: 48))
  }

  @Test("pictures of a second camera are not taken as the depth's view, and the depth keeps its own camera")
  func colourCameraBeside() throws {
    let shared: Files = [("depth/#.tiff", { Self.depth($0, .metres) }), ("color/#.png", Self.picture)]
    func made(_ name: String, _ others: Files) throws -> FolderRecording {
      try read(try make(name, shared + others))
    }
    let own = Array("20 0 15.5\n0 20 11.5\n0 0 1\n".utf8)
    let beside = try made(
      "beside", [("depth_k.txt", { _ in own }), ("color_k.txt", { _ in Array(Self.camera.utf8) })])
    #expect(beside.scenes[0].intrinsics?.fx == 20 && beside.scenes[0].intrinsics?.imageSize.width == 32)
    #expect(beside.scenes[0].colourSize == nil)
    #expect(
      assumed(beside)["pictures"]
        == "color/*.png: not taken, because they show another view: color_k.txt is their camera, and depth_k.txt is the depth's"
    )
    // The same camera at twice the size is the same view.
    let same = Array("40 0 31.5\n0 40 23.5\n0 0 1\n".utf8)
    let registered = try made("one", [("depth_k.txt", { _ in own }), ("color_k.txt", { _ in same })])
    #expect(registered.scenes[0].colourSize == RasterSize(width: 64, height: 48))
  }

  @Test("a calibration.json of another program does not make a folder of results")
  func foreignCalibration() throws {
    let path = try make(
      "other",
      [
        ("depth/#.tiff", { Self.depth($0, .metres) }),
        ("calibration.json", { _ in Array(#"{"fx": 20, "fy": 20, "cx": 15.5, "cy": 11.5}"#.utf8) }),
      ])
    #expect(try read(path).scenes[0].intrinsics?.fx == 20)
  }

  @Test("a file that names two cameras is not chosen from")
  func twoCameras() throws {
    let text =
      #"{"left": {"fx": 53, "fy": 54, "cx": 31, "cy": 23}, "right": {"fx": 55, "fy": 54, "cx": 31, "cy": 23}}"#
    let path = try make(
      "cameras", [("depth/#.tiff", { Self.depth($0, .metres) }), ("calib.json", { _ in Array(text.utf8) })])
    #expect(try read(path).scenes[0].intrinsics == nil)
  }

  @Test("where none of several cameras is the depth's, they are listed with the option that says it")
  func unclearCameras() throws {
    let sections = ["LEFT", "RIGHT"].map { "[\($0)_CAM_HD]\nfx=\($0.count + 20)\nfy=20\ncx=16\ncy=12\n\n" }
    let path = try make(
      "stereo",
      [
        ("depth#.tiff", { Self.depth($0, .metres) }),
        ("SN1.conf", { _ in Array((sections.joined() + "[STEREO]\nBaseline=120\n").utf8) }),
      ])
    let entries = try read(path).scenes[0].importRecord?.entries ?? []
    let absent = try #require(entries.first { $0.step == .absent && $0.subject == "cameras of SN1.conf" })
    #expect(absent.words.contains("LEFT_CAM_HD.fx 24 20 16 12, RIGHT_CAM_HD.fx 25 20 16 12"))
  }

  @Test("depth that was brought to the colour camera has that one's intrinsics, and comes before other depth")
  func alignedDepth() throws {
    let text =
      "color:\n  fx: 30\n  fy: 31\n  ppx: 16\n  ppy: 12\ndepth:\n  fx: 20\n  fy: 20\n  ppx: 15\n  ppy: 11\n"
    let path = try make(
      "hands",
      [
        ("aligned_depth_to_color_#.png", { Self.depth($0) }), ("depth_#.png", { Self.depth($0 + 9) }),
        ("color_#.png", Self.picture), ("k.yml", { _ in Array(text.utf8) }),
      ])
    let recording = try read(path, scale: 0.001), scene = recording.scenes[0]
    #expect(scene.intrinsics?.fx == 30 && scene.intrinsics?.cy == 12.5 && scene.colourSize != nil)
    #expect(assumed(recording)["depth"]?.hasSuffix("; not depth_*.png, which is not aligned") == true)
  }

  @Test("infinity below 0, as stereo cameras write too near, leaves decimal numbers metres")
  func tooNear() throws {
    let path = try make(
      "zed",
      [
        (
          "depth/#.tiff",
          { _ in
            MadeTIFF.floats(
              Self.width, Self.height,
              (0..<Self.width * Self.height).map { $0 < 9 ? -.infinity : Float($0) / 99 + 0.5 })
          }
        )
      ])
    #expect(try FolderSurvey.opened(path).open.isEmpty)
  }

  @Test("counts that would reach far as millimetres leave the unit open, whatever poses lie beside them")
  func farCounts() throws {
    func made(_ name: String, _ unit: Unit) throws -> FolderSurvey {
      try FolderSurvey.opened(
        try make(
          name,
          [
            ("depth/#.png", { Self.depth($0, unit) }), ("pose/#.txt", { Array(Self.matrix($0).utf8) }),
            ("k.txt", { _ in Array("26 0 15.5\n0 26 11.5\n0 0 1\n".utf8) }),
          ]))
    }
    #expect(try made("near", .millimetres).open.isEmpty)
    #expect(try made("far", .tum).open.first?.hasPrefix("the unit: 0.001") == true)
  }

  @Test("poses without times belong in their order to files that are named by times")
  func posesInOrder() throws {
    let path = folder.path("clock")
    for frame in 0..<4 {
      try write(Self.depth(frame), "clock/depth/13300000000\(frame)000000.png")
    }
    try write(Array("26 0 15.5\n0 26 11.5\n0 0 1\n".utf8), "clock/k.txt")
    let log = (0..<4).map { "\($0) \($0) \($0)\n" + Self.matrix($0) }.joined()
    try write(Array(log.utf8), "clock/odometry.log")
    let recording = try read(path)
    for index in 0..<4 {
      let frame = try recording.frame(index, of: recording.scenes[0], including: .all)
      #expect(frame.worldFromCamera?.translation == [Double(index), 0, 0])
    }
  }

  @Test("a proposal for numbers without a header names the camera and the poses beside them")
  func rawWithCamera() throws {
    let path = try make(
      "raw",
      [
        ("depth/#.depth16", { frame in (0..<2 * Self.width * Self.height).map { UInt8(($0 + frame) % 7) } }),
        ("rgb/#.png", Self.picture), ("k.txt", { _ in Array(Self.camera.utf8) }),
        ("pose/#.txt", { Array(Self.matrix($0).utf8) }),
      ])
    let mapping = try #require(try FolderSurvey.opened(path).mapping)
    #expect(mapping.contains("raw: {type: u2") && mapping.contains("k.txt") && mapping.contains("pose/*.txt"))
    let read = try FolderRecording(
      path, as: .mapping(try MappingFile.mapping(mapping, named: "raw.yaml")), ImportOptions())
    #expect(read.scenes[0].hasPoses && read.scenes[0].intrinsics?.fx == 53)
  }

  @Test("matrices that are rotations only column by column are read so, and it is said")
  func matricesByColumns() throws {
    let lines = (0..<4).map { "1 0 0 0 0 1 0 0 0 0 1 0 \($0 + 1) 0 0 1\n" }.joined()
    let path = try make(
      "columns", [("depth/#.tiff", { Self.depth($0, .metres) }), ("poses.txt", { _ in Array(lines.utf8) })])
    let recording = try read(path)
    for index in 0..<4 {
      let frame = try recording.frame(index, of: recording.scenes[0], including: .all)
      #expect(frame.worldFromCamera?.translation == [Double(index + 1), 0, 0])
    }
    let entries = recording.scenes[0].importRecord?.entries ?? []
    #expect(entries.contains { $0.step == .assumed && $0.words.contains("column by column") })
  }

  @Test("the poses of a list belong to the files that it names, in whatever order it stands")
  func listedPoses() throws {
    let frames = [2, 0, 3, 1].map { frame in
      #"{"file_path": "rgb/\#(frame).png", "depth_file_path": "depth/000\#(frame).png", "transform_matrix": [[1, 0, 0, \#(frame)], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]}"#
    }
    let text =
      #"{"fl_x": 53, "fl_y": 53, "cx": 32, "cy": 24, "w": 64, "h": 48, "frames": [\#(frames.joined(separator: ", "))]}"#
    let path = try make(
      "listed",
      [
        ("depth/#.png", { Self.depth($0) }), ("rgb/#.png", Self.picture),
        ("cameras.json", { _ in Array(text.utf8) }),
      ])
    let recording = try read(path)
    let scene = recording.scenes[0]
    #expect(scene.intrinsics?.cx == 32 && scene.cameraConvention == .arkit)
    for index in 0..<4 {
      let frame = try recording.frame(index, of: scene, including: .all)
      #expect(frame.worldFromCamera?.translation == [Double(index), 0, 0])
    }
    #expect(assumed(recording)["unit of the depth"]?.contains("depth_file_path") == true)
  }

  @Test("a file for each frame may hold a camera and a pose under names of their own")
  func camerasOfFrames() throws {
    let path = try make(
      "phone",
      [
        ("shots/depth/#.png", { Self.depth($0) }), ("shots/images/#.png", Self.picture),
        ("shots/confidence/#.png", { _ in Self.levels([0, 127, 255]) }),
        (
          "shots/cameras/#.json",
          { frame in
            let pose = (0..<12).map {
              #""t_\#($0 / 4)\#($0 % 4)": \#($0 == 3 ? frame : $0 % 5 == 0 ? 1 : 0)"#
            }
            let all = [#""fx": 53, "fy": 53, "cx": 31.5, "cy": 23.5, "width": 64, "height": 48"#] + pose
            return Array("{\(all.joined(separator: ", "))}".utf8)
          }
        ),
      ])
    let recording = try read(path)
    let scene = recording.scenes[0]
    #expect(scene.hasConfidence && scene.hasPoses && scene.cameraConvention == .arkit)
    let frame = try recording.frame(2, of: scene, including: .all)
    #expect(frame.intrinsics?.cx == 32 && frame.worldFromCamera?.translation == [2, 0, 0])
  }

  // MARK: As the field lays folders out

  @Test("the names of files of poses say their direction", arguments: ["poses", "extrinsics", "w2c"])
  func directions(name: String) throws {
    let path = try make(
      "rig",
      [
        ("z16/#.png", { Self.depth($0) }), ("farbe/#.png", Self.picture), ("ir/#.png", { Self.depth($0) }),
        ("\(name)/#.txt", { Array(Self.matrix($0).utf8) }), ("K.txt", { _ in Array(Self.camera.utf8) }),
      ])
    #expect(try roles(path)["ir/*.png"] == "–")
    let recording = try read(path)
    let pose = try recording.frame(3, of: recording.scenes[0], including: .all).worldFromCamera
    #expect(pose?.translation == [name == "poses" ? 3 : -3, 0, 0])
  }

  @Test("MVSNet's cameras belong to models with a unit of their own: the user says it, of depth and poses")
  func models() throws {
    let path = try make(
      "mvs",
      [
        ("blended_images/#.png", Self.picture), ("rendered_depth_maps/#.tiff", { Self.depth($0, .metres) }),
        (
          "cams/#_cam.txt",
          { Array("extrinsic\n\(Self.matrix($0))\nintrinsic\n\(Self.camera)\n1 0.02 128 5\n".utf8) }
        ), ("cams/pair.txt", { _ in Array("2\n0\n1 1 9\n1\n1 0 9\n".utf8) }),
      ])
    #expect(try refusal(path).onCommandLine.contains("--depth-scale METRES"))
    let recording = try read(path, scale: 0.5)
    let frame = try recording.frame(2, of: recording.scenes[0], including: .all)
    #expect(frame.worldFromCamera?.translation == [-1, 0, 0] && frame.intrinsics?.fx == 53)
    #expect(abs(frame.lidar[0, 0] - (1.814 + 0.00025) / 2) < 1e-6)
  }

  @Test("an archive of numpy for each frame may hold its camera and its pose, whose axes are OpenCV's")
  func arrays() throws {
    func numpy(_ shape: String, _ numbers: [Float]) -> [UInt8] { MadeNumpy.array(numbers, shape) }
    let path = try make(
      "cut3r",
      [
        ("rgb/#.png", Self.picture), ("depth/#.tiff", { Self.depth($0, .metres) }),
        (
          "cam/#.npz",
          { frame in
            let pose: [Float] = [1, 0, 0, Float(frame), 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
            return MadeArchive.zip([
              .file("intrinsics.npy", numpy("3, 3", [106, 0, 31, 0, 106, 23, 0, 0, 1])),
              .file("pose.npy", numpy("4, 4", pose)),
            ])
          }
        ),
      ])
    let recording = try read(path)
    let scene = recording.scenes[0], frame = try recording.frame(3, of: scene, including: .all)
    #expect(scene.cameraConvention == .opencv && frame.worldFromCamera?.translation == [3, 0, 0])
    #expect(frame.intrinsics?.imageSize == RasterSize(width: 64, height: 48) && frame.intrinsics?.fx == 106)
  }

  @Test("HDF5 files of one array are maps; those of Hypersim hold lengths of rays, which need a camera")
  func hdf5() throws {
    let path = try make("flat", [("rgb/#.png", Self.picture), ("k.txt", { _ in Array(Self.camera.utf8) })])
    try FileManager.default.createDirectory(atPath: path + "/depth", withIntermediateDirectories: true)
    for ending in ["hdf5", "depth_meters.hdf5"] {
      for frame in 0..<4 {
        let file = try HDF5File(creating: "\(path)/depth/000\(frame).\(ending)")
        try file.createDataset("dataset", shape: [Self.height, Self.width], of: Float.self)
          .write((0..<Self.width * Self.height).map { 2 + Float($0) / 500 })
        try file.close()
      }
      let recording = try read(path)
      let map = try recording.frame(1, of: recording.scenes[0], including: .all).lidar
      // The camera counts the pictures' pixels, half as large: the first centre is 31 left of the axis and 23 above it.
      let ray = (1 + pow(31.0 / 53, 2) + pow(23.0 / 53, 2)).squareRoot()
      #expect(abs(Double(map[0, 0]) - (ending == "hdf5" ? 2 : 2 / ray)) < 1e-6)
      for frame in 0..<4 { try FileManager.default.removeItem(atPath: "\(path)/depth/000\(frame).\(ending)") }
    }
  }

  @Test("a camera of the pictures beside the depth's leaves the depth its own, and the pictures out")
  func camerasInOneFile() throws {
    let json =
      #"{"depth": {"fx": 53, "fy": 53, "cx": 15.5, "cy": 11.5, "width": 32, "height": 24}, "color": {"fx": 90, "fy": 90, "cx": 31, "cy": 23, "width": 64, "height": 48}}"#
    let path = try make(
      "two",
      [
        ("depth/#.png", { Self.depth($0) }), ("color/#.png", Self.picture),
        ("pose/#.txt", { Array(Self.matrix($0).utf8) }), ("calibration.json", { _ in Array(json.utf8) }),
      ])
    let recording = try read(path)
    #expect(recording.scenes[0].intrinsics?.fx == 53 && recording.scenes[0].colourSize == nil)
    #expect(assumed(recording)["pictures"]?.contains("holds a camera of 64×48") == true)
  }

  @Test("where the file says what lies between the two cameras, pictures are brought onto the depth")
  func rig() throws {
    let json =
      #"{"depth": {"fx": 53, "fy": 53, "cx": 15.5, "cy": 11.5, "width": 32, "height": 24}, "color": {"fx": 90, "fy": 90, "cx": 31, "cy": 23, "width": 64, "height": 48}, "depth_to_color": {"rotation": [1, 0, 0, 0, 1, 0, 0, 0, 1], "translation": [15, 0, 0]}}"#
    let path = try make(
      "rig",
      [
        ("depth/#.png", { Self.depth($0) }), ("color/#.png", Self.picture),
        ("pose/#.txt", { Array(Self.matrix($0).utf8) }), ("calibration.json", { _ in Array(json.utf8) }),
      ])
    let recording = try read(path)
    let scene = recording.scenes[0], frame = try recording.frame(0, of: scene, including: .all)
    #expect(scene.intrinsics?.fx == 53 && scene.colourSize == scene.lidarSize)
    // At 3 m: 90 · ((16 − 15.5)/53 + 0.015/3) + 31 = 32.3, and 90 · (12 − 11.5)/53 + 23 = 23.8.
    let at = (24 * 64 + 32) * 3
    let colour = RGB(
      red: UInt8(at * 31 & 255), green: UInt8((at + 1) * 31 & 255), blue: UInt8((at + 2) * 31 & 255))
    #expect(frame.image?[12, 16] == colour)
    #expect(assumed(recording)["pictures"]?.hasSuffix("of calibration.json, row by row, in mm") == true)
  }

  // MARK: Kinds that were read wrongly

  @Test("Isaac Sim's distance_to_camera holds lengths of rays; Blender's 1e10 means nothing")
  func rendered() throws {
    let path = try make(
      "sim", [("rgb_#.png", Self.picture), ("distance_to_camera_#.tiff", { Self.depth($0, .metres) })])
    #expect(try refusal(path).onCommandLine.contains("distances along the ray"))
    let blender = try make(
      "blender",
      [
        ("Image#.png", Self.picture),
        (
          "Depth#.tiff",
          { _ in
            MadeTIFF.floats(
              Self.width, Self.height,
              (0..<Self.width * Self.height).map { $0 < 40 ? 1e10 : 2 + Float($0) / 999 })
          }
        ),
      ])
    let recording = try read(blender)
    let map = try recording.frame(0, of: recording.scenes[0], including: .all).lidar
    #expect(map.values.prefix(40).allSatisfy { $0 == 0 } && map.values[40] > 2)
  }

  @Test(
    "folders that differ in a number are scenes of one map each; packed depth and a nearly known format get a command"
  )
  func otherLayouts() throws {
    var files: Files = []
    for number in 0..<3 {
      files.append(("sequence.\(number)/step0.Depth.tiff", { _ in Self.depth(number, .metres) }))
      files.append(("sequence.\(number)/step0.png", { _ in Self.picture(number) }))
    }
    let scenes = try read(try make("solo", files)).scenes
    #expect(scenes.map(\.name) == ["sequence.0", "sequence.1", "sequence.2"])
    let packed = try make("carla", [("depth/#.png", Self.picture), ("rgb/#.png", Self.picture)])
    #expect(try refusal(packed).onCommandLine.contains("if depth/*.png packs depth into its channels"))
    let near = try make(
      "fusion",
      [
        ("frame-#.depth.pgm", { _ in Self.pgm }), ("frame-#.color.png", Self.picture),
        ("frame-#.pose.txt", { Array(Self.matrix($0).utf8) }),
      ])
    let said = try refusal(near).onCommandLine
    #expect(said.contains("nearly 7-Scenes") && !said.contains("--format seven-scenes"))
  }

  private static let pgm =
    Array("P5\n\(width) \(height)\n65535\n".utf8)
    + (0..<width * height).flatMap { [UInt8(7 + $0 / 256), UInt8($0 & 255)] }

  @Test("sparse depth and SUN3D's counts leave the unit to the user, and the likely one is named")
  func unitsToAsk() throws {
    let camera = ("k.txt", { (_: Int) in Array(Self.camera.utf8) })
    let poses = ("pose/#.txt", { Array(Self.matrix($0).utf8) })
    func depth(_ value: @escaping (Int) -> UInt16) -> (Int) -> [UInt8] {
      { _ in MadePNG.grey16(Self.width, Self.height, (0..<Self.width * Self.height).map(value)) }
    }
    let sparse = try make(
      "void",
      [
        ("image/#.png", Self.picture), ("sparse_depth/#.png", depth { $0 % 20 == 0 ? UInt16(500 + $0) : 0 }),
        camera, poses,
      ])
    #expect(try refusal(sparse).onCommandLine.contains("--depth-scale METRES"))
    let rotated = try make(
      "sun3d",
      [("image/#.png", Self.picture), ("depth/#.png", depth { UInt16(8 * (1500 + $0)) }), camera, poses])
    #expect(try refusal(rotated).onCommandLine.contains("the unit: 0.000125 (1/8000 m, because every count"))
  }

  @Test("a comment that names columns says the order of quaternions, and which pose belongs to which frame")
  func commentedColumns() throws {
    let half = 0.5.squareRoot()
    for (name, text) in [
      (
        "kalibr",
        "#timestamp,p_x,p_y,p_z,q_w,q_x,q_y,q_z\n"
          + (0..<4).map { "\($0),\($0),0,0,\(half),0,\(half),0" }.joined(separator: "\n")
      ),
      (
        "rtab",
        "#timestamp x y z qx qy qz qw id\n"
          + (0..<4).reversed().map { "16\($0).5 \($0) 0 0 0 \(half) 0 \(half) \($0)" }.joined(separator: "\n")
      ),
    ] {
      let path = try make(
        name,
        [
          ("depth/#.png", { Self.depth($0) }), ("rgb/#.png", Self.picture),
          ("k.txt", { _ in Array(Self.camera.utf8) }), ("traj.txt", { _ in Array(text.utf8) }),
        ])
      let recording = try read(path)
      let pose = try recording.frame(3, of: recording.scenes[0], including: .all).worldFromCamera
      #expect(pose?.translation == [3, 0, 0] && abs((pose?.xAxis.z ?? 0) + 1) < 1e-9, "\(name)")
    }
  }

  // MARK: What is missing

  @Test("an empty folder, and one that lacks one file of a format, are called that")
  func nearly() throws {
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    #expect(try refusal(folder.path("empty")).reason == "the folder is empty")
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.remove("camera_matrix.csv")
    #expect(try refusal(made.path).reason.hasPrefix("nearly Stray Scanner: camera_matrix.csv is missing"))
    let plain = try make("plain", [("depth/#.png", { Self.depth($0) }), ("rgb/#.png", Self.picture)])
    #expect(try FolderSurvey.opened(plain).nearly.isEmpty)
  }

  @Test(
    "a folder that has its pictures under another name than a format is not nearly that, and its unit is asked"
  )
  func otherPictures() throws {
    let poses = "# timestamp tx ty tz qx qy qz qw\n" + (0..<4).map { "\($0) 0.\($0) 0 0 0 0 0 1\n" }.joined()
    let path = try make(
      "lab",
      [
        ("aligned_depth/#.png", { Self.depth($0) }), ("depth/#.png", { Self.depth($0) }),
        ("color/#.png", Self.picture), ("groundtruth.txt", { _ in Array(poses.utf8) }),
      ])
    let said = try refusal(path).onCommandLine
    #expect(!said.contains("TUM") && said.contains("--depth-scale METRES"), "\(said)")
    let recording = try read(path, scale: 0.001)
    let frame = try recording.frame(0, of: recording.scenes[0], including: .all)
    #expect(abs((frame.lidar.values.first ?? 0) - 1.8) < 1e-5 && frame.image != nil)
  }

  @Test("where a pattern matches nothing, what lies there is said")
  func noMatch() throws {
    let path = try make("other", [("range/#.png", { Self.depth($0) })])
    var options = ImportOptions()
    options.depthScale = 0.001
    let asked = options
    let error = try #require(throws: FathomError.self) {
      _ = try FolderRecording(path, as: .format("folder"), asked)
    }
    #expect(error.reason.contains("it holds range/*.png (4 files, PNG 16 bits a channel, 32×24: depth)"))
  }

  @Test("the folder of a recording's depth is told to be a part of it")
  func partOfRecording() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    let error = try #require(throws: FathomError.self) {
      _ = try RecordingRequest(made.path + "/depth").opened()
    }
    #expect(error.reason == "it is a part of a recording: the folder that it lies in is Stray Scanner")
  }

  @Test("every proposal is a mapping that can be read")
  func proposals() throws {
    let path = try make(
      "odd \"names\"",
      [
        ("a b/d'#.png", { Self.depth($0) }), ("a b/c'#.png", Self.picture),
        ("frame-#.pose.txt", { Array(Self.matrix($0).utf8) }), ("k.txt", { _ in Array(Self.camera.utf8) }),
      ])
    let text = try #require(try FolderSurvey.opened(path).mapping)
    #expect(try MappingFile.mapping(text, named: "proposal").name == "surveyed")
  }
}
