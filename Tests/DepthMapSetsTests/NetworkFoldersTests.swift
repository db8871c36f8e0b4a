import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

/// Folders as networks and their scripts leave them: results beside truth in one file, a file for each video, pictures beside arrays.
@Suite struct NetworkFoldersTests {
  private static let (width, height) = (MapFault.width, MapFault.height)

  private static func room(_ frame: Int) -> [UInt8] { numpy(MapFault.room(frame)) }
  private static func network(_ frame: Int) -> [UInt8] { numpy(MapFault.network(frame)) }
  private static func numpy(_ values: [Float], maps: Int = 0) -> [UInt8] {
    MadeMapSet.numpy(values, (maps == 0 ? "" : "\(maps), ") + "\(height), \(width)")
  }
  private static func counts(_ values: [Float], _ scale: Float) -> [UInt8] {
    MadePNG.grey16(width, height, values.map { UInt16(($0 * scale).rounded()) })
  }
  private static func picture(_ frame: Int) -> [UInt8] {
    MadePNG.rgb(width, height, (0..<width * height * 3).map { UInt8(($0 * 31 + frame * 17) & 255) })
  }

  /// "#" in a name is the frame's number.
  private func made(_ files: [(String, (Int) -> [UInt8])], frames: Int = 3) throws -> MadeMapSet {
    let made = try MadeMapSet()
    for (name, bytes) in files {
      for frame in name.contains("#") ? 0..<frames : 0..<1 {
        try made.folder.put(bytes(frame), name.replacing("#", with: "00\(frame)"))
      }
    }
    return made
  }

  private func command(_ made: MadeMapSet, _ name: String = "all") -> String? {
    MapFolders([made.folder.path(name)])?.command.replacing(made.folder.path("x").dropLast(), with: "")
  }

  @Test(
    "a sensor's depth beside its aligned depth is a recording, and a network's depth beside a truth is not")
  func aligned() throws {
    let both: (String) -> [(String, (Int) -> [UInt8])] = { other in
      [
        ("all/depth/#.png", { Self.counts(MapFault.room($0), 1000) }),
        ("all/\(other)/#.png", { Self.counts(MapFault.network($0), 1000) }),
        ("all/color/#.png", Self.picture),
      ]
    }
    #expect(command(try made(both("aligned_depth"))) == nil)
    #expect(command(try made(both("pred"))) != nil)
  }

  // MARK: Which array, which map

  @Test(
    "in a file with the arrays gt and pred, truth and prediction are each their own, one a frame and as a stack"
  )
  func bothInOneFile() throws {
    let made = try made([
      (
        "all/#.npz",
        { MadeArchive.zip([.file("pred.npy", Self.network($0)), .file("gt.npy", Self.room($0))]) }
      ),
      (
        "stack.npz",
        { _ in
          MadeArchive.zip([
            .file("depth.npy", Self.numpy(MapFault.room(0) + MapFault.room(1), maps: 2)),
            .file("prediction.npy", Self.numpy(MapFault.network(0) + MapFault.network(1), maps: 2)),
          ])
        }
      ),
    ])
    for name in ["all", "stack.npz"] {
      let path = made.folder.path(name)
      let source = try MapSetSource(
        MapSetRequest(
          predictions: [MapRequest(name: "net", path: path, meaning: .metric)],
          truth: MapRequest(name: nil, path: path)))
      let frame = try source.everything(0, 1)
      #expect(frame.truth?.values == MapFault.room(1))
      #expect(frame.predictions[0].map.values == MapFault.network(1))
    }
    #expect(command(made) == "fathom evaluate --truth all --prediction pred:metric=all")
  }

  @Test("a file of maps for each video makes scenes, and a single one in a folder stands for the folder")
  func stacks() throws {
    let made = try made([
      ("gt/hall.npy", { _ in Self.numpy(MapFault.room(0) + MapFault.room(1), maps: 2) }),
      ("gt/yard.npy", { _ in Self.numpy(MapFault.room(2) + MapFault.room(3) + MapFault.room(4), maps: 3) }),
      ("net/hall_depths.npy", { _ in Self.numpy(MapFault.network(0) + MapFault.network(1), maps: 2) }),
      (
        "net/yard_depths.npy",
        { _ in Self.numpy(MapFault.network(2) + MapFault.network(3) + MapFault.network(4), maps: 3) }
      ),
      ("one/out/walk.npy", { _ in Self.numpy(MapFault.network(0) + MapFault.network(1), maps: 2) }),
      ("frames/#.npy", { Self.room($0) }),
    ])
    let source = try MapSetSource(made.request())
    #expect(source.scenes.map(\.name) == ["hall", "yard"] && source.scenes.map(\.frameCount) == [2, 3])
    let frame = try source.everything(2, 1)
    #expect(frame.truth?.values == MapFault.room(4))
    #expect(frame.predictions[0].map.values == MapFault.network(4))
    try FileManager.default.removeItem(atPath: made.folder.path("frames/002.npy"))
    let one = try MapSetSource(made.request(["one"], truth: "frames"))
    #expect(one.scenes.count == 2 && one.matching == "by their order")
    #expect(try one.everything(0, 1).predictions[0].map.values == MapFault.network(1))
  }

  @Test("points, normals and deviations beside depth are not maps without a truth")
  func besideDepth() throws {
    let made = try made([
      ("net/#/depth.npy", { Self.network($0) }), ("net/#/points.npy", { Self.network($0) }),
      ("sigma/#_depth.npy", { Self.network($0) }), ("sigma/#_std.npy", { Self.network($0) }),
      ("wizard/depth_npy/#_pred.npy", { Self.network($0) }),
      ("wizard/normal_npy/#_pred.npy", { Self.network($0) }), ("gt/#.npy", { Self.room($0) }),
    ])
    for name in ["net", "sigma", "wizard"] {
      let source = try MapSetSource(made.request([name]))
      #expect(source.scenes.count == 3 && source.issues.allSatisfy { $0.severity == .note }, "\(name)")
    }
    #expect(try MapSetSource(made.request(["wizard"], meaning: nil)).meaning(of: "wizard")?.meaning == .depth)
  }

  @Test("of several numbers in a name, the one that varies tells KITTI's frames apart")
  func kittiNames() throws {
    let made = try made([
      ("gt/2011_09_26_drive_0002_sync_groundtruth_depth_#_image_02.npy", { Self.room($0) }),
      ("net/#.npy", { Self.network($0) }),
    ])
    #expect(try MapSetSource(made.request()).matching == "by their numbers")
  }

  @Test("a MATLAB 7.3 file of maps is read with its axes turned")
  func matlab() throws {
    let made = try made([("net/#.npy", { Self.network($0) })])
    let file = try HDF5File(creating: made.folder.path("plain.h5"))
    var numbers: [Float] = []
    for frame in 0..<3 {
      let room = MapFault.room(frame)
      for column in 0..<Self.width {
        for row in 0..<Self.height { numbers.append(room[row * Self.width + column]) }
      }
    }
    try file.createDataset("depths", shape: [3, Self.width, Self.height], of: Float.self).write(numbers)
    try file.close()
    let plain = try Data(contentsOf: URL(fileURLWithPath: made.folder.path("plain.h5")))
    let name = Array("MATLAB 7.3 MAT-file".utf8)
    try made.folder.put(name + [UInt8](repeating: 32, count: 512 - name.count) + Array(plain), "gt.mat")
    let source = try MapSetSource(made.request(truth: "gt.mat"))
    #expect(try source.everything(0, 2).truth?.values == MapFault.room(2))
  }

  // MARK: Names

  @Test(
    "names of data sets and of networks meet, though each has words and folders of its own",
    arguments: [
      (
        "gt/2011_09_26_drive_0002_sync_groundtruth_depth_#_image_02.npy",
        "net/2011_09_26_drive_0002_sync_image_#_image_02_raw_depth_meter.npy"
      ),
      ("gt/hall/point_#_view_3_domain_depth_zbuffer.npy", "net/hall/point_#_view_3_domain_rgb.npy"),
      ("gt/frame-#.depth.npy", "net/frame-#.color.npy"),
      ("gt/frame-#.depth.npy", "net/frame-#.color/depth.npy"),
      ("gt/#.npy", "net/#/depth_meter.npy"), ("gt/#x/disp_07.npy", "net/#x.npy"),
      ("gt/DSC_#.npy", "net/DSC_#.JPG.geometric.npy"), ("gt/#.npy", "net/#.png.npy"),
      ("gt/2f3a#/d_1.npy", "net/2f3a#/l_1.npy"),
    ])
  func names(_ truth: String, _ net: String) throws {
    let made = try made([(truth, { Self.room($0) }), (net, { Self.network($0) })])
    let source = try MapSetSource(made.request())
    for row in 0..<3 {
      let frame = source.scenes.count == 1 ? try source.everything(row) : try source.everything(0, row)
      #expect(frame.truth?.values == MapFault.room(row))
      #expect(frame.predictions[0].map.values == MapFault.network(row))
    }
  }

  @Test("maps of pictures that were taken between the depth maps are found by the nearest time")
  func times() throws {
    let made = try MadeMapSet()
    for frame in 0..<4 {
      try made.put(frame, "gt/13050311\(10 + frame).160407.npy")
      if frame != 2 { try made.put(frame, "net/13050311\(10 + frame).175304.npy") }
    }
    try made.put(9, "net/1305031119.175304.npy")
    let source = try MapSetSource(made.request())
    #expect(source.matching == "by the times in their names, at most 15 ms apart")
    #expect(source.scenes.count == 3)
    #expect(try source.everything(0, 2).predictions[0].map.values == MadeMapSet.metres(3))
    #expect(source.notes.contains { $0.contains("1 of 4 truth maps have no prediction") })
    #expect(source.notes.contains { $0.contains("1 map of the prediction net has no truth") })
  }

  @Test("a file of maps for each video belongs by order to frames that begin at 1, and is not Depth Pro's")
  func depthCrafter() throws {
    let made = try made([
      ("gt/alley/frame_#1.npy", { Self.room($0) }),
      (
        "net/alley.npz",
        { _ in
          MadeArchive.zip([
            .file(
              "depth.npy", Self.numpy((0..<3).flatMap { MapFault.network($0) }.map { 1 / $0 }, maps: 3))
          ])
        }
      ), ("net/yard.mp4", { _ in Array("not read".utf8) }),
    ])
    let source = try MapSetSource(made.request(meaning: nil))
    #expect(source.matching == "by their order")
    #expect(try source.everything(2).predictions[0].map.values == MapFault.network(2).map { 1 / $0 })
    #expect(source.meaning(of: "net")?.meaning == .disparity)
  }

  @Test(
    "files of other kinds beside maps are skipped by what they hold, where no word of their names is known")
  func kindsBeside() throws {
    let header = "{'descr': [('id', '<u4')], 'fortran_order': False, 'shape': (1,), }\n"
    let table =
      [0x93] + Array("NUMPY".utf8) + [1, 0, UInt8(header.utf8.count), 0] + Array(header.utf8) + [1, 0, 0, 0]
    let made = try made([
      ("gt/depth_#.npy", { Self.room($0) }), ("gt/rgba_#.png", Self.picture),
      (
        "gt/coordinates_#.png",
        { frame in
          MadePNG.channels16(
            Self.width, Self.height, colour: 2,
            (0..<Self.width * Self.height * 3).map { UInt16($0 * 7 % 60_000 + frame) })
        }
      ), ("gt/boxes_#.npy", { _ in table }), ("net/#.png", Self.picture),
      ("net/#_uint16.png", { Self.counts(MapFault.network($0), 256) }),
    ])
    let source = try MapSetSource(made.request(meaning: .kitti))
    #expect(source.scenes.count == 3)
    #expect(try source.everything(0, 1).truth?.values == MapFault.room(1))
  }

  @Test("truth and maps in one folder are told apart where only the truth's names say what they are")
  func sharedFolder() throws {
    let made = try made([("all/#_d.npy", { Self.network($0) }), ("all/#_gt.npy", { Self.room($0) })])
    let path = made.folder.path("all")
    let source = try MapSetSource(
      MapSetRequest(
        predictions: [MapRequest(name: "net", path: path, meaning: .metric)],
        truth: MapRequest(name: nil, path: path)))
    #expect(source.scenes.count == 3)
    #expect(try source.everything(0, 1).truth?.values == MapFault.room(1))
    #expect(try source.everything(0, 1).predictions[0].map.values == MapFault.network(1))
  }

  // MARK: Numbers that become metres

  @Test("a formula makes metres of packed channels, rotated bits and disparities of the truth")
  func formula() throws {
    let made = try made([
      (
        "carla/#.png",
        { frame in
          MadePNG.rgb(
            Self.width, Self.height,
            MapFault.room(frame).flatMap { depth -> [UInt8] in
              let count = Int(depth / 1000 * 16_777_215)
              return [UInt8(count & 255), UInt8(count >> 8 & 255), UInt8(count >> 16)]
            })
        }
      ), ("sun/#.png", { Self.counts(MapFault.room($0).map { ($0 * 1000).rounded() }, 8) }),
      ("pixels/#.npy", { Self.numpy(MapFault.room($0).map { 60 / $0 }) }),
      ("net/#.npy", { Self.network($0) }),
    ])
    for (name, formula) in [
      ("carla", "(r + 256*g + 65536*b) / 16777215 * 1000"), ("sun", "(v >> 3 | v << 13 & 65535) / 1000"),
      ("pixels", "500 * 0.12 / v"),
    ] {
      var request = made.request(truth: name)
      if name == "carla" {
        #expect(made.fault(request).contains("say how, as of CARLA: --truth-formula '(r + 256*g"))
      }
      request.truth?.formula = formula
      let values = try MapSetSource(request).everything(0, 1).truth?.values ?? []
      #expect(
        zip(values, MapFault.room(1)).allSatisfy { abs($0 - $1) < 0.0011 } && !values.isEmpty, "\(name)")
    }
    var request = made.request(truth: "pixels")
    request.truth?.formula = "fx * 0.12 / v"
    #expect(made.fault(request).contains("it names 'fx', which a map does not have; v is the stored number"))
  }

  @Test("a layer of Blender's EXR and a field of MATLAB's structure are found by their names")
  func insideFiles() throws {
    let made = try made([
      (
        "gt/#.exr",
        { frame in
          let room = MapFault.room(frame).map(\.bitPattern)
          return MadeEXR.file(
            Self.width, Self.height,
            [
              ("ViewLayer.Combined.R", .float, room.map { _ in Float(1).bitPattern }),
              ("ViewLayer.Combined.G", .float, room.map { _ in Float(2).bitPattern }),
              ("ViewLayer.Depth.Z", .float, room),
            ])
        }
      ),
      (
        "ibims/#.mat",
        { frame in
          let room = MapFault.room(frame)
          let columns = (0..<Self.width).flatMap { x in
            (0..<Self.height).map { Double(room[$0 * Self.width + x]) }
          }
          let bytes = columns.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
          return MadeMAT.structure([
            ("depth", [Self.height, Self.width], bytes), ("mask_invalid", [Self.height, Self.width], bytes),
            ("calib", [3, 3], [UInt8](repeating: 0, count: 72)),
          ])
        }
      ), ("net/#.npy", { Self.network($0) }),
    ])
    for name in ["gt", "ibims"] {
      #expect(try MapSetSource(made.request(truth: name)).everything(0, 1).truth?.values == MapFault.room(1))
    }
  }

  // MARK: The command that is printed

  @Test("samples, splits, grey pictures and disparities are not compared as networks and a truth")
  func notMaps() throws {
    let made = try made([
      ("samples/000000/depth.npy", { Self.room($0) }), ("samples/000000/left.png", Self.picture),
      ("samples/000001/depth.npy", { Self.room($0) }), ("samples/000001/left.png", Self.picture),
      ("splits/test/depth/#.npy", { Self.room($0) }), ("splits/test/rgb/#.png", Self.picture),
      ("splits/train/depth/#.npy", { Self.room($0) }), ("splits/train/rgb/#.png", Self.picture),
      ("splits/val/depth/#.npy", { Self.room($0) }), ("splits/val/rgb/#.png", Self.picture),
      ("oak/depth/#.png", { Self.counts(MapFault.room($0), 1000) }), ("oak/left/#.png", Self.picture),
      (
        "oak/right/#.png",
        { _ in MadePNG.grey8(Self.width, Self.height, [UInt8](repeating: 9, count: Self.width * Self.height))
        }
      ),
      ("stereo/disp_gt/#.npy", { Self.numpy(MapFault.room($0).map { 40 / $0 }) }),
      ("stereo/out/#.npy", { Self.numpy(MapFault.network($0).map { 40 / $0 }) }),
    ])
    for name in ["samples", "splits", "oak", "stereo"] { #expect(command(made, name) == nil, "\(name)") }
  }

  @Test("maps from 0 to 1 are depth beside a truth in millimetres, whatever scale makes their size alike")
  func relative() throws {
    func relative(_ frame: Int) -> [UInt8] {
      let map = MapFault.network(frame), low = map.min() ?? 0, high = map.max() ?? 1
      return Self.numpy(map.map { ($0 - low) / (high - low) })
    }
    let made = try made([
      ("all/gt/#.png", { Self.counts(MapFault.room($0), 1000) }), ("all/out/#.npy", relative),
      ("all/out/#_colored.png", Self.picture), ("all/viz/#.png", Self.picture),
    ])
    #expect(
      command(made)
        == "fathom evaluate --truth all/gt --truth-scale 0.001 --prediction out:depth=all/out --images all/viz"
    )
  }

  @Test("counts on both sides are KITTI's where a name says so, and do not show their unit")
  func kittiCounts() throws {
    let made = try made([
      ("all/gt/#.png", { Self.counts(MapFault.room($0), 1280) }),
      ("all/net/kitti/#.png", { Self.counts(MapFault.network($0), 1280) }),
    ])
    #expect(
      command(made)
        == "fathom evaluate --truth all/gt --truth-scale 0.00390625 --prediction net:kitti=all/net")
    #expect(
      MapFolders([made.folder.path("all")])?.refusal.onCommandLine.contains("counts do not show their unit")
        == true)
  }

  @Test("files of all maps are sides, too")
  func files() throws {
    let both = MapFault.room(0) + MapFault.room(1), maps = MapFault.network(0) + MapFault.network(1)
    let made = try made([
      ("all/gt.npy", { _ in Self.numpy(both, maps: 2) }),
      ("all/netA.npy", { _ in Self.numpy(maps, maps: 2) }),
      ("all/netB.npy", { _ in Self.numpy(maps.map { 1 / $0 }, maps: 2) }),
    ])
    #expect(
      command(made)
        == "fathom evaluate --truth all/gt.npy --prediction netA:metric=all/netA.npy --prediction netB:disparity=all/netB.npy"
    )
  }

  @Test("two disparities are not compared as depth in silence")
  func twoDisparities() throws {
    let made = try made([
      ("disp_gt/#.npy", { Self.numpy(MapFault.room($0).map { 40 / $0 }) }),
      ("net/#.npy", { Self.numpy(MapFault.network($0).map { 40 / $0 }) }),
    ])
    var request = made.request(truth: "disp_gt")
    request.scenes = .image
    #expect(try MapSetSource(request).notes.contains { $0.contains("which is named as disparity") })
  }

  // MARK: The survey

  private func survey(_ made: MadeMapSet, _ name: String) throws -> FolderSurvey {
    try FolderSurvey.opened(made.folder.path(name))
  }

  @Test("a camera's numbers without a header get a mapping with the size that their bytes allow")
  func raw() throws {
    let made = try made([
      (
        "rs/#_Depth.raw",
        {
          MapFault.room($0).flatMap { depth in
            [UInt8(Int(depth * 1000) & 255), UInt8(Int(depth * 1000) >> 8)]
          }
        }
      ), ("rs/#_Color.png", Self.picture),
    ])
    let survey = try survey(made, "rs")
    #expect(survey.open.first?.hasPrefix("whether *_Depth.raw holds 96×72 numbers of 16 bits") == true)
    let recording = try FolderRecording(
      made.folder.path("rs"), as: .mapping(try MappingFile.mapping(survey.mapping ?? "", named: "rs.yaml")),
      ImportOptions())
    let values = try recording.frame(1, of: recording.scenes[0], including: .lidar).lidar.values
    #expect(zip(values, MapFault.room(1)).allSatisfy { abs($0 - $1) < 0.0011 })
  }

  @Test("inverse metres are named, and so is a confidence whose levels are all the highest")
  func phones() throws {
    let made = try made([
      ("phone/#_disparity.npy", { Self.numpy(MapFault.room($0).map { 1 / $0 }) }),
      ("arkit/depth/#.png", { Self.counts(MapFault.room($0), 1000) }),
      (
        "arkit/confidence/#.png",
        { _ in MadePNG.grey8(Self.width, Self.height, [UInt8](repeating: 2, count: Self.width * Self.height))
        }
      ),
    ])
    #expect(try survey(made, "phone").open.contains { $0.contains("the formula 1 / v") })
    let arkit = try survey(made, "arkit")
    #expect(arkit.groups.first { $0.files.hasPrefix("confidence") }?.role == "confidence")
    #expect(arkit.open.isEmpty)
  }

  @Test(
    "what another program must unpack says how",
    arguments: [
      ("data/train-0.parquet", Array("PAR1".utf8) + [0, 0, 0, 0, 0], "load_dataset"),
      ("a.zarr/depth/0.0.0", [74, 75, 59, 64, 74, 75, 59, 64], "numpy.save"),
      ("IMG_1.HEIC", [0, 0, 0, 24] + Array("ftypheic".utf8), "write the depth in it"),
    ] as [(String, [UInt8], String)])
  func elsewhere(_ name: String, _ bytes: [UInt8], _ words: String) throws {
    let made = try made([("set/" + name, { _ in bytes })])
    let error = try #require(throws: FathomError.self) {
      var options = ImportOptions()
      options.takesTheOnlyReading = true
      _ = try FolderRecording(made.folder.path("set"), as: .recognised, options)
    }
    #expect(error.onCommandLine.contains(words))
  }
}
