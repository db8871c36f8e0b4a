import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct MapSetSourceTests {
  @Test("a truth folder and a prediction folder are frames without a LiDAR, each image a scene")
  func folders() throws {
    let made = try MadeMapSet()
    for frame in 0..<3 {
      try made.put(frame, "gt/00\(frame).npy")
      try made.put(frame, "net/00\(frame).npy") { $0 * 1.02 }
    }
    let source = try MapSetSource(made.request())
    #expect(source.scenes.map(\.name) == ["000", "001", "002"])
    #expect(source.scenes.allSatisfy { !$0.hasLidar && $0.frameCount == 1 })
    #expect(source.scenes[1].truthSize == RasterSize(width: 8, height: 6))
    #expect(source.scenes[1].predictions.map(\.name) == ["net"])
    #expect(source.scenes[1].predictions.map(\.kind) == [.metric])
    #expect(source.matching == "by their names" && source.issues.isEmpty)
    let frame = try source.everything(0, 1)
    #expect(!frame.hasLidar && frame.relative == nil && frame.image == nil)
    #expect(frame.truth?.values == MadeMapSet.metres(1))
    #expect(frame.predictions[0].map.values == MadeMapSet.metres(1).map { $0 * 1.02 })
  }

  @Test("folders below are scenes, and the scene of a folder is its name without what all have in common")
  func scenesOfFolders() throws {
    let made = try MadeMapSet()
    for scene in ["kitchen", "office"] {
      for frame in 0..<2 {
        try made.put(frame, "gt/\(scene)/depth/\(frame).npy")
        try made.put(frame, "net/\(scene)/\(frame).npy")
      }
    }
    let source = try MapSetSource(made.request())
    #expect(source.scenes.map(\.name) == ["kitchen", "office"])
    #expect(source.scenes.map(\.frameIDs) == [["0", "1"], ["0", "1"]])
    #expect(try source.everything(1, 1).truth?.values == MadeMapSet.metres(1))
  }

  @Test("whole numbers become metres by their scale, and what is 0 or 65535 is unknown")
  func counts() throws {
    let made = try MadeMapSet()
    var counts = MadeMapSet.metres(0).map { UInt16(($0 * 256).rounded()) }
    (counts[0], counts[1]) = (0, 65_535)
    try made.folder.put(MadePNG.grey16(8, 6, counts), "gt/0.png")
    try made.put(0, "net/0.npy")
    var request = made.request()
    request.truthScale = 1.0 / 256
    let truth = try #require(try MapSetSource(request).everything(0).truth)
    #expect(truth.values[0] == 0 && truth.values[1] == 0)
    #expect(truth.values[2...].elementsEqual(counts[2...].map { Float($0) / 256 }))
  }

  @Test(
    "millimetres of a network become metres, relative maps stay as they are with their kind, and sizes may differ"
  )
  func kinds() throws {
    let made = try MadeMapSet()
    try made.put(0, "gt/0.npy")
    try made.put(0, "mm/0.npy") { $0 * 1000 }
    let disparity = (0..<12).map { 1 - Float($0) / 12 }
    try made.folder.put(MadeMapSet.numpy(disparity, "3, 4"), "half/0.npy")
    var request = made.request(["mm", "half"])
    request.predictions[0].meaning = .millimetres
    request.predictions[1].meaning = .disparity
    let source = try MapSetSource(request)
    #expect(source.scenes[0].predictions.map(\.kind) == [.metric, .disparity])
    #expect(source.scenes[0].predictions.map(\.size.width) == [8, 4])
    let frame = try source.everything(0)
    #expect(zip(frame.predictions[0].map.values, MadeMapSet.metres(0)).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(frame.predictions[1].map.values == disparity)
  }

  @Test("single files and stacks are read like folders")
  func stacks() throws {
    let made = try MadeMapSet()
    let values = MadeMapSet.metres(0) + MadeMapSet.metres(1) + MadeMapSet.metres(2)
    try made.folder.put(MadeMapSet.numpy(values, "3, 6, 8"), "gt.npy")
    try made.folder.put(MadeMapSet.numpy(values.map { 2 * $0 }, "3, 6, 8"), "net.npy")
    var request = made.request(["net.npy"], truth: "gt.npy")
    let source = try MapSetSource(request)
    #expect(source.scenes.map(\.name) == ["000000", "000001", "000002"])
    #expect(source.matching == "by their order")
    #expect(try source.everything(0, 2).predictions[0].map.values == MadeMapSet.metres(2).map { 2 * $0 })
    request.scenes = .folder
    #expect(try MapSetSource(request).scenes.map(\.frameCount) == [3])
    try made.put(0, "one.npy")
    try made.put(0, "other.npy")
    #expect(try MapSetSource(made.request(["other.npy"], truth: "one.npy")).scenes.map(\.name) == ["one"])
  }

  @Test("images come with their own size, and a frame without one has none")
  func images() throws {
    let made = try MadeMapSet()
    for frame in 0..<2 {
      try made.put(frame, "gt/\(frame).npy")
      try made.put(frame, "net/\(frame).npy")
    }
    let bytes = (0..<4 * 3 * 3).map { UInt8($0) }
    try made.folder.put(MadePNG.rgb(4, 3, bytes), "rgb/1.png")
    var request = made.request()
    request.images = made.folder.path("rgb")
    request.scenes = .folder
    let source = try MapSetSource(request)
    #expect(source.scenes[0].colourSize == RasterSize(width: 4, height: 3))
    #expect(source.scenes[0].imageFrames == [1])
    #expect(try source.everything(0).image == nil)
    #expect(try source.everything(1).image?.values[1] == RGB(red: 3, green: 4, blue: 5))
  }

  @Test("truth counts where its mask is not 0 and the mask of what is ignored is 0")
  func masks() throws {
    let made = try MadeMapSet()
    try made.put(0, "gt/0.npy")
    try made.put(0, "net/0.npy")
    try made.folder.put(MadePNG.grey8(8, 6, (0..<48).map { $0 % 2 == 0 ? 255 : 0 }), "valid/0.png")
    try made.folder.put(MadePNG.grey8(8, 6, (0..<48).map { $0 < 8 ? 7 : 0 }), "ignore/0.png")
    var request = made.request()
    request.truthMask = made.folder.path("valid")
    request.ignoreMask = made.folder.path("ignore")
    let truth = try #require(try MapSetSource(request).everything(0).truth)
    let known = truth.values.indices.filter { truth.values[$0] > 0 }
    #expect(known == Array(stride(from: 8, to: 48, by: 2)))
  }

  @Test("masks of ids are read where they are asked for")
  func ids() throws {
    let made = try MadeMapSet()
    try made.put(0, "gt/0.npy")
    try made.put(0, "net/0.npy")
    try made.folder.put(MadePNG.grey8(8, 6, (0..<48).map { UInt8($0 / 8) }), "people/0.png")
    var request = made.request()
    let mask = try IDMask("person", at: made.folder.path("people"))
    #expect(mask.labels == PixelLabels(title: "person"))
    request.idMask = mask
    let source = try MapSetSource(request)
    #expect(try source.everything(0).ids == nil)
    let frame = try source.frame(0, of: source.scenes[0], including: [.truth, .ids])
    #expect(frame.ids?.values == (0..<48).map { UInt16($0 / 8) })
    try made.folder.put(MadePNG.grey8(4, 3, [UInt8](repeating: 1, count: 12)), "people/0.png")
    #expect(
      made.fault(request)
        == "cannot read the masks: people: 0.png: it has 4×3 pixels, and its truth 8×6; give masks of the truth's size"
    )
    // An array counts before a picture.
    try made.put(0, "people/0.npy") { $0 - 1 }
    #expect(
      made.fault(request) { _ = try $0.frame(0, of: $0.scenes[0], including: .ids) }.contains(
        "which is not an id; give masks of at most 256 different whole numbers from 0 to 65535"))
  }

  @Test("the names of ids stand in names.csv, and a line that is none is named")
  func labels() throws {
    let made = try MadeMapSet()
    func mask(_ text: String) throws -> IDMask {
      try made.folder.put(Array(text.utf8), "ids/names.csv")
      return try IDMask("class", at: made.folder.path("ids"))
    }
    #expect(try mask("id,name\n0,wall\n12,coffee table\n").labels.names == [0: "wall", 12: "coffee table"])
    for (text, reason) in [
      ("0,wall\nfloor,1\n", "line 2"), ("0,a\n0,b\n", "names 0 again"), ("4\n", "no name"),
    ] {
      do {
        _ = try mask(text)
        Issue.record("\(text) is taken")
      } catch let error as FathomError { #expect(error.onCommandLine.contains(reason)) }
    }
  }

  @Test("pictures may be a stack, an array of bytes with three channels")
  func pictureStack() throws {
    let made = try MadeMapSet()
    try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(0) + MadeMapSet.metres(1), "2, 6, 8"), "gt.npy")
    try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(0) + MadeMapSet.metres(1), "2, 6, 8"), "net.npy")
    let channels = (0..<2 * 3 * 4 * 3).map { UInt8($0) }
    func pictures(_ shape: String) -> [UInt8] {
      var file = MadeMapSet.numpy([], shape)
      let type = Array("'<f4'".utf8)
      if let place = file.firstRange(of: type) { file.replaceSubrange(place, with: Array("'|u1'".utf8)) }
      return file + channels
    }
    try made.folder.put(pictures("2, 3, 4, 3"), "rgb.npy")
    var request = made.request(["net.npy"], truth: "gt.npy")
    request.images = made.folder.path("rgb.npy")
    let source = try MapSetSource(request)
    #expect(source.scenes[1].colourSize == RasterSize(width: 4, height: 3))
    #expect(try source.everything(0, 1).image?.values[1] == RGB(red: 39, green: 40, blue: 41))
    try made.folder.put(pictures("2, 3, 3, 4"), "rgb.npy")
    #expect(made.fault(request).contains("pictures have the shape (n, h, w, 3)"))
  }

  @Test("distances along the ray become planar depth by the intrinsics")
  func distances() throws {
    let made = try MadeMapSet()
    try made.folder.put(MadeMapSet.numpy([Float](repeating: 2, count: 48)), "gt/0.npy")
    try made.put(0, "net/0.npy")
    var request = made.request()
    request.truthKind = .distance
    #expect(made.fault(request).contains("give --intrinsics fx,fy,cx,cy"))
    request.intrinsics = "4,4,3.5,2.5"
    let source = try MapSetSource(request)
    let frame = try source.everything(0)
    #expect(frame.intrinsics?.imageSize == RasterSize(width: 8, height: 6))
    // The first pixel's centre is 3.5 left of the axis and 2.5 above it.
    let ray = (1 + 0.875 * 0.875 + 0.625 * 0.625).squareRoot()
    #expect(abs(Double(frame.truth?.values[0] ?? 0) - 2 / ray) < 1e-6)
    request.intrinsics = "4,4,4"
    #expect(made.fault(request).contains("give fx,fy,cx,cy"))
    // Hypersim's names say it.
    let file = try HDF5File(creating: made.folder.path("frame.0000.depth_meters.hdf5"))
    try file.createDataset("dataset", shape: [6, 8], of: Float.self).write([Float](repeating: 2, count: 48))
    try file.close()
    request = made.request(truth: "frame.0000.depth_meters.hdf5")
    #expect(made.fault(request).contains("depth_meters (Hypersim)"))
    request.intrinsics = "4,4,3.5,2.5"
    #expect(abs(Double(try MapSetSource(request).everything(0).truth?.values[0] ?? 0) - 2 / ray) < 1e-6)
    request.truthKind = .planar
    #expect(try MapSetSource(request).everything(0).truth?.values[0] == 2)
  }

  @Test("the digests are those of all files, and a changed one is found at the end")
  func sources() throws {
    let made = try MadeMapSet()
    try made.put(0, "gt/0.npy")
    try made.put(0, "net/0.npy")
    let source = try MapSetSource(made.request())
    #expect(source.sources.externalNames == ["net/0.npy"])
    try source.sources.requireUnchanged()
    let before = try source.sources.digests()
    try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(5) + [1], "7, 7"), "net/0.npy")
    #expect(throws: FathomError.self) { try source.sources.requireUnchanged() }
    let after = try source.sources.digests()
    #expect(before.sha256 == after.sha256 && before != after)
  }

  @Test("a request comes back from its JSON as it was")
  func coding() throws {
    var request = try MadeMapSet().request(["a", "b"])
    request.scenes = .list("scenes.txt")
    request.idMask = try IDMask("person", at: "ids")
    request.idMask?.labels.names = [10: "b", 9: "a"]
    request.matching = .number
    let text = try CanonicalJSON.text(request)
    #expect(text.contains(#""scenes" : "scenes.txt""#))
    #expect(try CanonicalJSON.value(MapSetRequest.self, from: text) == request)
    #expect(
      SceneGrouping(rawValue: "folder") == .folder && SceneGrouping(rawValue: "./folder") == .list("./folder")
    )
  }
}
