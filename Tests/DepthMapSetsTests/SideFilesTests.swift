import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomPlainText
import FathomStorage
import FathomTestSupport
import Testing

/// Folders that hold several kinds of files: which of them are the truth, and which a network's.
@Suite struct SideFilesTests {
  private func picture(_ made: MadeMapSet, _ name: String) throws {
    try made.folder.put(MadePNG.rgb(8, 6, (0..<144).map { UInt8($0) }), name)
  }

  @Test("of DIODE's folder, depth is the truth, masks say where it counts, and pictures are skipped")
  func diode() throws {
    let made = try MadeMapSet()
    for frame in 0..<3 {
      let name = "diode/indoors/scene_00019/scan_00183/00019_00183_indoors_000_0\(frame)0"
      try made.put(frame, name + "_depth.npy")
      try made.folder.put(MadeMapSet.numpy((0..<48).map { $0 < 8 ? 0 : 1 }), name + "_depth_mask.npy")
      try picture(made, name + ".png")
      try made.put(frame, "net/00019_00183_indoors_000_0\(frame)0.npy") { $0 * 1.02 }
    }
    var request = made.request(truth: "diode")
    request.images = made.folder.path("diode")
    let source = try MapSetSource(request)
    #expect(source.scenes.reduce(0) { $0 + $1.frameCount } == 3)
    let frame = try source.everything(0)
    #expect(frame.truth?.values.prefix(8).allSatisfy(\.isNaN) == true)
    #expect(frame.truth?.values.dropFirst(8).elementsEqual(MadeMapSet.metres(0).dropFirst(8)) == true)
    #expect(frame.image != nil)
    #expect(source.issues.filter { $0.severity == .warning }.isEmpty)
    #expect(
      source.notes.contains {
        $0.contains("read as the truth: 3 files")
          && $0.contains("truth counts where its masks are not 0 (3 files")
          && $0.contains("skipped: 3 pictures")
      }, "\(source.notes)")
    // Masks that the user names take their place.
    for frame in 0..<3 {
      try made.folder.put(
        MadePNG.grey8(8, 6, [UInt8](repeating: 1, count: 48)), "own/00019_00183_indoors_000_0\(frame)0.png")
    }
    request.truthMask = made.folder.path("own")
    #expect(try MapSetSource(request).everything(0).truth?.values == MadeMapSet.metres(0))
  }

  @Test("of KITTI's and LingBot's folders the truth is taken, and the sensor's own depth beside it is not")
  func sensors() throws {
    let made = try MadeMapSet()
    for frame in 0..<3 {
      for (root, truth, raw) in [
        ("val", "proj_depth/groundtruth/image_02", "proj_depth/velodyne_raw/image_02"),
        ("room", "gtdepth", "rawdepth"),
      ] {
        try made.put(frame, "\(root)/drive_0002_sync/\(truth)/000\(frame).npy")
        try made.put(frame, "\(root)/drive_0002_sync/\(raw)/000\(frame).npy") { $0 * 3 }
        try picture(made, "\(root)/drive_0002_sync/color/000\(frame).png")
      }
      try made.put(frame, "net/drive_0002_sync/000\(frame).npy")
    }
    for root in ["val", "room"] {
      let source = try MapSetSource(made.request(truth: root))
      #expect(source.scenes.map(\.frameCount) == [3])
      #expect(try source.everything(1).truth?.values == MadeMapSet.metres(1))
    }
  }

  @Test(
    "iBims-1 has its masks 0 where pixels are invalid or transparent; other masks beside depth are skipped")
  func ibims() throws {
    let made = try MadeMapSet()
    for name in ["corridor_01", "kitchen_02"] {
      try made.put(0, "ibims/depth/\(name).npy")
      try picture(made, "ibims/rgb/\(name).png")
      for (mask, first) in [("mask_invalid", 4), ("mask_transp", 8), ("mask_floor", 40)] {
        try made.folder.put(
          MadePNG.grey8(8, 6, (0..<48).map { $0 < first ? 0 : 1 }), "ibims/\(mask)/\(name).png")
      }
      try made.put(0, "net/\(name).npy")
    }
    let source = try MapSetSource(made.request(truth: "ibims"))
    let truth = try #require(try source.everything(0).truth)
    #expect(truth.values.prefix { $0.isNaN }.count == 8)
    #expect(
      source.notes.contains { $0.contains("skipped: 2 masks, 2 pictures, first mask_floor/corridor_01.png") },
      "\(source.notes)")
  }

  @Test("truth and prediction in one folder are told apart by _gt and _pred, and by the network's name")
  func suffixes() throws {
    let made = try MadeMapSet()
    for frame in 0..<3 {
      try made.put(frame, "all/00\(frame)_gt.npy")
      try made.put(frame, "all/00\(frame)_pred.npy") { $0 * 1.02 }
      try made.put(frame, "two/00\(frame)_depth.npy")
      for (name, factor) in [("netA", Float(1.1)), ("netB", 1.2)] {
        try made.put(frame, "two/00\(frame)_\(name).npy") { $0 * factor }
      }
    }
    var request = made.request(["all"], truth: "all")
    var frame = try MapSetSource(request).everything(0)
    #expect(frame.truth?.values == MadeMapSet.metres(0))
    #expect(frame.predictions.map(\.map.values) == [MadeMapSet.metres(0).map { $0 * 1.02 }])
    request = MapSetRequest(
      predictions: ["netA", "netB"].map {
        MapRequest(name: $0, path: made.folder.path("two"), meaning: .metric)
      },
      truth: MapRequest(name: nil, path: made.folder.path("two")))
    frame = try MapSetSource(request).everything(0, 2)
    #expect(
      frame.predictions.map(\.map.values)
        == [Float(1.1), 1.2].map { factor in MadeMapSet.metres(2).map { $0 * factor } })
  }

  @Test("a folder that is given as both is refused, and a set of frames may be called valid")
  func same() throws {
    let made = try MadeMapSet()
    for frame in 0..<2 {
      for set in ["train", "valid"] {
        try made.put(frame, "gt/\(set)/\(frame).npy")
        try made.put(frame, "net/\(set)/\(frame).npy")
      }
    }
    #expect(try MapSetSource(made.request()).scenes.map(\.frameCount) == [2, 2])
    #expect(made.fault(made.request(["gt"])).contains("it is the truth itself: both are the same 4 files"))
  }
}
