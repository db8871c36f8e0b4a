import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct MapSetPlanTests {
  /// Truth and maps of these names, without endings.
  private func made(_ truth: [String], _ maps: [String], in folder: String = "net") throws -> MadeMapSet {
    let made = try MadeMapSet()
    for (frame, name) in truth.enumerated() { try made.put(frame, "gt/\(name).npy") }
    for (frame, name) in maps.enumerated() { try made.put(frame, "\(folder)/\(name).npy") }
    return made
  }

  private func numbered(_ range: ClosedRange<Int>, _ before: String = "", digits: Int = 4) -> [String] {
    range.map { number in
      let text = String(number)
      return before + String(repeating: "0", count: digits - text.count) + text
    }
  }

  @Test("0 to 11 and 1 to 12 never become pairs, whatever the names are")
  func shifted() throws {
    let other = try made(numbered(0...11, digits: 6), numbered(1...12, "frame_"))
    #expect(
      other.fault(other.request())
        == "cannot tell which map belongs to which truth: net: frame_0001.npy and gt/000000.npy have no common name, and the numbers are 1…12 and 0…11; give --match order, or a list with --match FILE"
    )
    let equal = try made(numbered(0...11), numbered(1...12))
    #expect(
      equal.fault(equal.request())
        == "cannot tell which map belongs to which truth: net: only some names are equal: the first are 0001.npy and gt/0000.npy, and the numbers are 1…12 and 0…11; give --match order, or a list with --match FILE"
    )
    var request = equal.request()
    request.matching = .order
    let source = try MapSetSource(request)
    #expect(source.scenes.count == 12 && source.matching == "by their order")
    #expect(try source.everything(0, 3).predictions[0].map.values == MadeMapSet.metres(3))
    request.matching = .name
    #expect(try MapSetSource(request).scenes.count == 11)
  }

  @Test("equal numbers on both sides are enough")
  func numbers() throws {
    let made = try made(
      ["rgb_7", "rgb_8", "rgb_10"], ["sync_depth_00008", "sync_depth_00007", "sync_depth_00010"])
    let source = try MapSetSource(made.request())
    #expect(source.scenes.map(\.name) == ["rgb_7", "rgb_8", "rgb_10"])
    #expect(source.matching == "by their numbers")
    // Maps were written in the order 8, 7, 10.
    #expect(try source.everything(0, 0).predictions[0].map.values == MadeMapSet.metres(1))
  }

  @Test(
    "a flat folder whose names hold the truth's folders, as BTS and AdaBins write them, and counts of 1/256 m"
  )
  func namesOfFolders() throws {
    let made = try made(
      ["drive_1/sync_depth_0005", "drive_1/sync_depth_0008", "drive_1_b/sync_depth_0005"],
      ["drive_1_rgb_0005", "drive_1__rgb_0008", "drive_1_b_rgb_0005"])
    let source = try MapSetSource(made.request())
    #expect(source.matching == "by the parts of their names that differ")
    for (scene, frame, map) in [(0, 0, 0), (0, 1, 1), (1, 0, 2)] {
      #expect(try source.everything(frame, scene).predictions[0].map.values == MadeMapSet.metres(map))
    }
    let counts = MadeMapSet.metres(0).map { UInt16($0 * 256) }
    try made.folder.put(MadePNG.grey16(8, 6, counts), "counts/drive_1_rgb_0005.png")
    try made.folder.put(MadePNG.grey16(8, 6, counts.reversed()), "counts/drive_1_rgb_0008.png")
    let kitti = try MapSetSource(made.request(["counts"], meaning: .kitti))
    #expect(try kitti.everything(0).predictions[0].map.values == counts.map { Float($0) / 256 })
  }

  @Test("archives of maps are read as the folders in them, also where a list names their files")
  func archives() throws {
    let made = try MadeMapSet()
    var entries: [[MadeArchive.Entry]] = [[], []]
    for frame in 0..<3 {
      try made.put(frame, "gt/test/room/depth_000\(frame).npy")
      try made.put(frame, "net/test/room/pred_000\(frame).npy") { $0 * 2 }
      entries[0].append(
        .file("test/room/depth_000\(frame).npy", MadeMapSet.numpy(MadeMapSet.metres(frame))))
      entries[1].append(
        .file("./test/room/pred_000\(frame).npy", MadeMapSet.numpy(MadeMapSet.metres(frame).map { $0 * 2 })))
    }
    try made.folder.put(MadeArchive.tar(entries[0]), "gt.tar")
    try made.folder.put(MadeArchive.zip(entries[1]), "net.zip")
    try made.folder.put(
      (0..<3).map { "test/room/pred_000\($0).npy test/room/depth_000\(2 - $0).npy\n" }.joined(), "list.txt")
    var (packed, folders) = (made.request(), made.request())
    packed.predictions[0].path = made.folder.path("net.zip")
    packed.truth?.path = made.folder.path("gt.tar")
    for list in [nil, made.folder.path("list.txt")] {
      (packed.list, folders.list) = (list, list)
      let (own, other) = (try MapSetSource(packed), try MapSetSource(folders))
      #expect(own.scenes.map(\.frameCount) == other.scenes.map(\.frameCount))
      for frame in 0..<own.scenes[0].frameCount {
        let (a, b) = (try own.everything(frame), try other.everything(frame))
        #expect(a.truth == b.truth && a.predictions[0].map == b.predictions[0].map)
      }
      try own.sources.requireUnchanged()
    }
    try made.folder.put(Array(MadeArchive.tar(entries[0]).prefix(900)), "gt.tar")
    #expect(made.fault(packed).hasPrefix("cannot unpack the archive: gt.tar: "))
  }

  @Test("suffixes that networks add to names do not count")
  func suffixes() throws {
    let made = try made(["a", "b_depth"], ["a_pred", "b_raw_depth_meter"])
    #expect(try MapSetSource(made.request()).scenes.map(\.name) == ["a", "b_depth"])
  }

  @Test("equal names in several folders belong together folder by folder")
  func folders() throws {
    let made = try made(["x/1", "y/1"], ["y/1", "x/1"])
    let source = try MapSetSource(made.request())
    #expect(source.scenes.map(\.name) == ["x", "y"])
    #expect(try source.everything(0, 1).predictions[0].map.values == MadeMapSet.metres(0))
  }

  @Test("truth without any map and maps without truth stop; by names they are skipped, and a note says so")
  func leftOver() throws {
    let made = try made(["a", "b", "c"], ["b", "c", "d"])
    try made.put(1, "half/b.npy")
    var request = made.request(["net", "half"])
    #expect(
      made.fault(request)
        == "cannot tell which map belongs to which truth: net: 1 map and 1 of the truth have no partner, first d.npy and gt/a.npy; check the names, or skip them with --match name"
    )
    request.matching = .name
    let source = try MapSetSource(request)
    #expect(source.scenes.map(\.name) == ["b", "c"])
    #expect(
      source.notes == [
        "1 map of the prediction net has no truth, first d.npy",
        "1 of 3 truth maps have no prediction and are skipped",
        "the prediction half has no map for 1 of 2 frames, first c.npy",
      ])
    #expect(try source.everything(0, 1).predictions[1].map.values.allSatisfy { $0.isNaN })
  }

  @Test("no common name and other counts are one line")
  func nothingInCommon() throws {
    let made = try made(["a", "b"], ["x"])
    #expect(
      made.fault(made.request())
        == "cannot tell which map belongs to which truth: net: x.npy and gt/a.npy have no common name; there are 1 map and 2 of the truth; give a list with --match FILE"
    )
    var request = made.request()
    request.matching = .order
    #expect(
      made.fault(request)
        == "cannot tell which map belongs to which truth: net: it holds 1 map, and there are 2 of the truth; give as many, or a list with --match FILE"
    )
  }

  @Test("two files of one frame: the first of two formats counts, two of one format are refused")
  func twins() throws {
    let made = try made(["a"], ["a"])
    try made.folder.put(MadePNG.grey8(8, 6, [UInt8](repeating: 9, count: 48)), "net/a.png")
    #expect(try MapSetSource(made.request()).everything(0).predictions[0].map.values == MadeMapSet.metres(0))
    try made.put(0, "net/a_pred.npy")
    #expect(made.fault(made.request()).contains("it is of the same frame as a"))
  }

  @Test("a stack belongs to numbered files by their order, and to others only where that is said")
  func stackAndFiles() throws {
    let made = try made(["f_1", "f_2", "f_10"], [])
    let values = MadeMapSet.metres(0) + MadeMapSet.metres(1) + MadeMapSet.metres(2)
    try made.folder.put(MadeMapSet.numpy(values, "3, 6, 8"), "net.npy")
    var request = made.request(["net.npy"])
    let source = try MapSetSource(request)
    #expect(source.scenes.map(\.name) == ["f_1", "f_2", "f_10"] && source.matching == "by their order")
    #expect(try source.everything(0, 2).predictions[0].map.values == MadeMapSet.metres(2))
    for (frame, name) in ["x", "y", "z"].enumerated() { try made.put(frame, "other/\(name).npy") }
    request.truth?.path = made.folder.path("other")
    #expect(
      made.fault(request)
        == "cannot tell which map belongs to which truth: net.npy: net.npy[0] and other/x.npy have no common name; give --match order, or a list with --match FILE"
    )
    request.matching = .order
    #expect(try MapSetSource(request).scenes.map(\.name) == ["x", "y", "z"])
    try made.folder.put(MadeMapSet.numpy(values, "3, 6, 8"), "net.npy")
    try made.put(3, "gt/f_11.npy")
    request = made.request(["net.npy"])
    #expect(made.fault(request).contains("it holds 3 maps, and there are 4 of the truth"))
  }

  @Test("a list says which belong together, for one network or several")
  func lists() throws {
    let made = try made(["one", "two"], ["p", "q"])
    try made.put(0, "half/p.npy")
    try made.put(1, "half/q.npy")
    try made.folder.put("# prediction truth\nnet/q.npy gt/one.npy\nnet/p.npy gt/two.npy\n", "pairs.txt")
    var request = made.request(truth: nil)
    request.list = made.folder.path("pairs.txt")
    let source = try MapSetSource(request)
    #expect(source.scenes.map(\.name) == ["one", "two"])
    #expect(source.matching.hasPrefix("as ") && source.matching.hasSuffix("pairs.txt says"))
    #expect(try source.everything(0, 0).predictions[0].map.values == MadeMapSet.metres(1))
    // The names of one column are those of every network.
    try made.folder.put("q.npy gt/one.npy\np.npy gt/two.npy\n", "pairs.txt")
    request.predictions = made.request(["net", "half"]).predictions
    #expect(try MapSetSource(request).everything(0, 1).predictions.count == 2)
    try made.folder.put("half=half/q.npy, net=net/p.npy, gt/one.npy\n", "pairs.txt")
    let named = try MapSetSource(request).everything(0, 0)
    #expect(named.predictions.map(\.map.values) == [MadeMapSet.metres(0), MadeMapSet.metres(1)])
  }

  @Test("a line that says too little, a file that is not there and an empty list are one line each")
  func badLists() throws {
    let made = try made(["one"], ["p"])
    var request = made.request(truth: nil)
    request.list = made.folder.path("pairs.txt")
    for (text, words) in [
      ("net/p.npy\n", "cannot read the list: pairs.txt: line 1 is not `prediction truth [image]`"),
      (
        "\nnet/p.npy gt/nine.npy\n",
        "cannot read the list: pairs.txt: line 2 names gt/nine.npy, and there is no such file"
      ),
      (
        "net/p.npy gt/one.npy\nnet/p.npy gt/one.npy\n",
        "cannot read the list: pairs.txt: lines 1 and 2 name one prediction, net/p.npy; give each truth its own"
      ),
      ("# nothing\n", "cannot read the list: pairs.txt: it holds no lines"),
    ] {
      try made.folder.put(text, "pairs.txt")
      #expect(made.fault(request).hasPrefix(words), "\(text)")
    }
  }

  @Test("images in a third column of a list are the frames' images")
  func listedImages() throws {
    let made = try made(["one"], ["p"])
    try made.folder.put(MadePNG.rgb(2, 1, [1, 2, 3, 4, 5, 6]), "pictures/x.png")
    try made.folder.put("net/p.npy\tgt/one.npy\tpictures/x.png\n", "pairs.txt")
    var request = made.request(truth: nil)
    request.list = made.folder.path("pairs.txt")
    #expect(try MapSetSource(request).everything(0).image?.values.first == RGB(red: 1, green: 2, blue: 3))
    // A first line says in which order they stand.
    try made.folder.put("image,depth,pred\npictures/x.png,gt/one.npy,net/p.npy\n", "pairs.txt")
    let frame = try MapSetSource(request).everything(0)
    #expect(frame.image != nil && frame.predictions.map(\.map.values) == [MadeMapSet.metres(0)])
  }

  @Test("scenes by folder, by image and by list")
  func scenes() throws {
    let made = try made(["x/1", "x/2", "y/1"], ["x/1", "x/2", "y/1"])
    var request = made.request()
    request.scenes = .image
    #expect(try MapSetSource(request).scenes.map(\.name) == ["x/1", "x/2", "y/1"])
    try made.folder.put("a\nb\na\n", "scenes.txt")
    request.scenes = .list(made.folder.path("scenes.txt"))
    let source = try MapSetSource(request)
    #expect(source.scenes.map(\.name) == ["a", "b"] && source.scenes.map(\.frameCount) == [2, 1])
    #expect(try source.everything(1, 0).truth?.values == MadeMapSet.metres(2))
    try made.folder.put("x/1 a\ny/1 b\nx/2.npy b\n", "scenes.txt")
    #expect(try MapSetSource(request).scenes.map(\.frameIDs) == [["1"], ["2", "1"]])
    try made.folder.put("a\nb\n", "scenes.txt")
    #expect(
      made.fault(request).hasPrefix(
        "cannot read the list: scenes.txt: it names 2 scenes, and there are 3 truth maps"))
  }

  @Test("without a prediction or a truth there is nothing to compare")
  func nothing() throws {
    let made = try MadeMapSet()
    #expect(made.fault(made.request([])).contains("without a prediction"))
    #expect(made.fault(made.request(truth: nil)).contains("without a truth"))
    #expect(
      made.fault(made.request())
        == "cannot read the truth: gt: there is no such file or folder; check the path")
  }
}
