import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomPlainText
import FathomTestSupport
import Foundation
import Testing

@Suite struct MapSetChecksTests {
  /// Two frames of metric maps that are the truth.
  private func made(frames: Int = 2) throws -> MadeMapSet {
    let made = try MadeMapSet()
    for frame in 0..<frames {
      try made.put(frame, "gt/\(frame).npy")
      try made.put(frame, "net/\(frame).npy")
    }
    return made
  }

  @Test("millimetres that are read as metres are named with their factor")
  func millimetres() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "gt/\(frame).npy") { $0 * 1000 } }
    #expect(
      made.fault(made.request()) { _ = try $0.requireTruth(within: 0...10) }
        == "cannot read the truth: gt: all truth lies beyond 10 m: median 2,175; in millimetres it would be 2.2 m: --truth-scale 0.001"
    )
    var request = made.request()
    request.truthScale = 0.001
    #expect(try MapSetSource(request).requireTruth(within: 0...10).isEmpty)
    // Maps whose kind only the truth could show.
    #expect(
      made.fault(made.request(meaning: nil))
        == "cannot read the truth: gt: all truth lies beyond 200 m: median 2,175; in millimetres it would be 2.2 m: --truth-scale 0.001"
    )
  }

  @Test("among the units of a truth beyond the range, the one that fits metric predictions is named")
  func centimetres() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "gt/\(frame).npy") { $0 * 100 } }
    #expect(
      made.fault(made.request()) { _ = try $0.requireTruth(within: 0...10) }
        == "cannot read the truth: gt: all truth lies beyond 10 m: median 218; in centimetres it would be 2.2 m: --truth-scale 0.01"
    )
  }

  @Test("folders that are named as each other's role, and a truth of disparity, are doubted")
  func names() throws {
    let made = try MadeMapSet()
    for frame in 0..<2 {
      try made.put(frame, "pred/\(frame).npy")
      try made.put(frame, "gt/\(frame).npy")
      try made.put(frame, "disp_gt/\(frame).npy") { 1 / $0 }
    }
    #expect(try MapSetSource(made.request(["pred"])).notes.isEmpty)
    #expect(
      try MapSetSource(made.request(["gt"], truth: "pred")).notes
        == ["the maps of 'gt' are named as a truth, and the truth is named as predictions"])
    #expect(
      try MapSetSource(made.request(["pred"], truth: "disp_gt")).notes.first
        == "the maps of 'pred' fall where the truth rises, and the truth is named as disparity")
  }

  @Test("the map of an archive is the one array that is named so; points are not a map")
  func arrays() throws {
    let made = try made()
    for frame in 0..<2 {
      let map = MadeMapSet.numpy(MadeMapSet.metres(frame))
      let archive = MadeArchive.zip([
        .file("depth_gt.npy", map), .file("valid.npy", map), .file("depth_mask.npy", map),
      ])
      try made.folder.put(archive, "archives/\(frame).npz")
      try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(frame), "4, 4, 3"), "points/\(frame).npy")
    }
    #expect(
      try MapSetSource(made.request(truth: "archives")).everything(0).truth?.values == MadeMapSet.metres(0))
    #expect(
      made.fault(made.request(["points"])).contains(
        "0.npy: it holds 4 maps of three columns, as points [h,w,3] are stored; write their depth alone, [h,w]"
      ))
  }

  @Test("truth outdoors needs a larger range, and some of it is a note")
  func outdoors() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "gt/\(frame).npy") { $0 * 20 } }
    #expect(
      made.fault(made.request()) { _ = try $0.requireTruth(within: 0...10) }
        == "cannot read the truth: gt: all truth lies beyond 10 m: median 43.5; give --max-truth 70")
    for frame in 0..<2 { try made.put(frame, "gt_disparity/\(frame).npy") { 200 / $0 } }
    #expect(
      made.fault(made.request(truth: "gt_disparity")) { _ = try $0.requireTruth(within: 0...10) }.contains(
        "it is named as disparity; convert it to depth in metres: of the truth, --truth-formula 'F * B / v' does it"
      ))
    let source = try MapSetSource(made.request())
    #expect(try source.requireTruth(within: 0...80).isEmpty)
    let notes = try source.requireTruth(within: 0...21.5)
    #expect(notes.map(\.problem) == ["95 % of the truth lies beyond 21.5 m"])
  }

  @Test("a sky that was set to the end of the range counts, and is named; one beyond it is not")
  func sky() throws {
    let made = try MadeMapSet()
    let (width, height) = (96, 72)
    for frame in 0..<4 {
      let truth = (0..<width * height).map { pixel -> Float in
        let (x, y) = (Float(pixel % width), Float(pixel / width))
        if y < 24 + 6 * sin(0.1 * x + Float(frame)) { return 80 }
        return 12 + 0.4 * (72 - y) + 2 * sin(0.07 * x + 0.5 * Float(frame))
      }
      let map = truth.map { $0 == 80 ? 70 : 1.02 * $0 }
      try made.folder.put(MadeMapSet.numpy(truth, "72, 96"), "gt/0\(frame).npy")
      try made.folder.put(MadeMapSet.numpy(map, "72, 96"), "net/0\(frame).npy")
    }
    let source = try MapSetSource(made.request())
    let found = try #require(try source.requireTruth(within: 0.1...80).first)
    #expect(
      found.problem.hasSuffix(
        "of the truth is exactly 80 m, the farthest, up to a border of the maps, and counts"))
    #expect(found.advice.onCommandLine == "if it is the sky, give --truth-invalid 80")
    #expect(try source.requireTruth(within: 0.1...79).isEmpty)
  }

  @Test("whole numbers without a scale are asked for it")
  func wholeNumbers() throws {
    let made = try made()
    try made.folder.put(MadePNG.grey16(8, 6, (0..<48).map { 7213 - $0 }), "counts/0.png")
    #expect(
      made.fault(made.request(truth: "counts"))
        == "cannot read the truth: counts: 0.png: it holds whole numbers up to 7,213; --truth-scale says the metres of one count: 0.001 for millimetres, 0.00390625 for KITTI"
    )
  }

  @Test("turned maps, another aspect and other sizes in one scene are named")
  func sizes() throws {
    let made = try made()
    try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(0), "8, 6"), "net/1.npy")
    #expect(
      made.fault(made.request())
        == "cannot read the prediction net: net: 1.npy: it has 6×8 pixels, and its truth 8×6: it is turned; save the maps as the truth stands"
    )
    try made.folder.put(MadeMapSet.numpy(MadeMapSet.metres(0), "4, 12"), "net/1.npy")
    #expect(
      made.fault(made.request())
        == "cannot read the prediction net: net: 1.npy: it has 12×4 pixels, another aspect than its truth with 8×6; give maps of the whole picture, not cut or padded; if it was squashed to that size, give --prediction-resize stretch"
    )
    var stretched = made.request()
    stretched.predictionResize = .stretch
    #expect(try MapSetSource(stretched).scenes.count == 2)
    try made.folder.put(MadeMapSet.numpy([Float](repeating: 2, count: 12), "3, 4"), "net/1.npy")
    #expect(try MapSetSource(made.request()).scenes.count == 2)
    var request = made.request()
    request.scenes = .folder
    #expect(
      made.fault(request)
        == "cannot read scene 'gt': net: its prediction net has 8×6 and 4×3 pixels; --scene-by image takes sizes apart"
    )
  }

  @Test("a side may be rounded to multiples of 14 pixels, and no further")
  func rounded() throws {
    let made = try MadeMapSet()
    let truth = [Float](repeating: 1, count: 640 * 480).enumerated().map { $1 + Float($0 % 640) / 640 }
    try made.folder.put(MadeMapSet.numpy(truth, "480, 640"), "gt/0.npy")
    try made.folder.put(
      MadeMapSet.numpy(truth.dropLast(640 * 480 - 518 * 378).map { $0 }, "378, 518"), "net/0.npy")
    #expect(try MapSetSource(made.request()).scenes.count == 1)
    try made.folder.put(
      MadeMapSet.numpy(truth.dropLast(640 * 480 - 518 * 360).map { $0 }, "360, 518"), "net/0.npy")
    #expect(made.fault(made.request()).contains("another aspect than its truth with 640×480"))
    let small = Array(truth.prefix(160 * 120))
    try made.folder.put(MadeMapSet.numpy(small, "120, 160"), "gt/0.npy")
    for (height, isTaken) in [(112, true), (98, true), (84, false)] {
      try made.folder.put(MadeMapSet.numpy(Array(small.prefix(140 * height)), "\(height), 140"), "net/0.npy")
      #expect((made.fault(made.request()) == "no error") == isTaken, "\(height)")
    }
  }

  @Test(
    "maps without numbers and relative maps of one number are refused; metric ones of one number are a note")
  func empty() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") { _ in .nan } }
    #expect(
      made.fault(made.request(meaning: .disparity))
        == "cannot read the prediction net: net: the maps of 'net' hold no number; check what wrote them")
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") { -$0 } }
    #expect(
      made.fault(made.request())
        == "cannot read the prediction net: net: the maps of 'net' hold no number above 0; check what wrote them"
    )
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") { _ in 0.5 } }
    #expect(
      made.fault(made.request(meaning: .depth))
        == "cannot read the prediction net: net: the maps of 'net' are constant: 0.5 everywhere; check what wrote them"
    )
    #expect(try MapSetSource(made.request()).notes == ["the maps of 'net' are constant: 0.5 everywhere"])
  }

  @Test("truth without any known pixel is refused")
  func noTruth() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "gt/\(frame).npy") { _ in 0 } }
    #expect(
      made.fault(made.request())
        == "cannot read the truth: gt: no pixel of its 2 maps is above 0; check the files")
  }

  @Test("maps of another unit or kind than was said are a note")
  func kinds() throws {
    let made = try made()
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") { $0 * 1000 } }
    let source = try MapSetSource(made.request())
    #expect(source.notes == ["the maps of 'net' are 1,000 times the truth"])
    #expect(source.issues.allSatisfy { $0.severity == .warning })
    #expect(source.issues[0].advice.onCommandLine == "millimetres are --prediction net:millimetres=")
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") { 1 / $0 } }
    #expect(
      try MapSetSource(made.request(meaning: .depth)).notes
        == ["the maps of 'net' fall where the truth rises: they look like disparity"])
    #expect(try MapSetSource(made.request(meaning: .disparity)).issues.isEmpty)
    for frame in 0..<2 { try made.put(frame, "net/\(frame).npy") }
    #expect(
      try MapSetSource(made.request(meaning: .disparity)).notes
        == ["the maps of 'net' rise where the truth rises: they look like depth"])
  }

  @Test("maps of 8 bits need a word, a network's and the truth's")
  func eightBits() throws {
    let made = try made(frames: 1)
    let bytes = (0..<48).map { UInt8(100 + $0) }
    try made.folder.put(MadePNG.grey8(8, 6, bytes), "grey/0.png")
    #expect(made.fault(made.request(["grey"])).contains("it has 8 bits: at most 256 levels"))
    #expect(made.fault(made.request(truth: "grey")).contains("--allow-8bit"))
    var request = made.request(truth: "grey")
    request.truth?.allowsEightBits = true
    request.truthScale = 0.01
    let truth = try #require(try MapSetSource(request).everything(0).truth)
    #expect(zip(truth.values, bytes).allSatisfy { abs($0 - Float($1) / 100) < 1e-6 })
  }

  @Test("single images that look like one video are a note, and unrelated ones are none")
  func video() throws {
    let note = "adjacent images look alike"
    let video = try MadeMapSet()
    for frame in 0..<20 {
      for side in ["gt", "net"] { try video.put(frame, "\(side)/\(frame).npy") { $0 + 0.1 * Float(frame) } }
    }
    #expect(try MapSetSource(video.request()).notes == [note])
    var request = video.request()
    request.scenes = .image
    #expect(try MapSetSource(request).issues.isEmpty)
    let images = try MadeMapSet()
    for frame in 0..<20 {
      let step = Float(frame * 7 % 20)
      for side in ["gt", "net"] { try images.put(frame, "\(side)/\(frame).npy") { $0 + step } }
    }
    #expect(try MapSetSource(images.request()).issues.isEmpty)
  }

  /// Depths of 32×24 of a room with a column that moves to the right from frame to frame, and lies otherwise in none.
  private static func room(_ frame: Int) -> [Float] {
    (0..<24 * 32).map { pixel in
      let (x, y) = (pixel % 32, pixel / 32)
      if (frame * 2 + 2..<frame * 2 + 8).contains(x), y > 6 { return 1 + 0.01 * Float(y) }
      return 2 + 0.05 * Float(y) + 0.01 * Float(x + 2 * frame)
    }
  }

  private func room(_ map: (_ frame: Int) -> [Float]) throws -> MadeMapSet {
    let made = try MadeMapSet()
    for frame in 0..<12 {
      try made.folder.put(MadeMapSet.numpy(Self.room(frame), "24, 32"), "gt/\(frame).npy")
      try made.folder.put(MadeMapSet.numpy(map(frame), "24, 32"), "net/\(frame).npy")
    }
    return made
  }

  /// Many boxes before a wall, 128×96: a twentieth of the pixels and more lie at a step.
  private static func boxes(
    _ frame: Int, _ place: (_ x: Double, _ y: Double) -> (Double, Double) = { ($0, $1) }
  )
    -> [Float]
  {
    (0..<96 * 128).map { pixel in
      let (x, y) = place(Double(pixel % 128), Double(pixel / 128))
      let depths = (0..<40).compactMap { box -> Float? in
        let centre = (Double((37 * box + 11 * frame) % 128), Double((53 * box + 7 * frame) % 96))
        let half = Double(3 + (box * 5 + frame) % 6)
        return abs(x - centre.0) <= half && abs(y - centre.1) <= half ? 1.2 + 0.15 * Float(box) : nil
      }
      return depths.min() ?? 8
    }
  }

  @Test(
    "maps that are moved by a few pixels, or cut out of the picture and enlarged, are named; coarse, wide and moved by one they are not"
  )
  func moved() throws {
    func notes(_ map: (_ frame: Int) -> [Float]) throws -> [String] {
      let made = try MadeMapSet()
      for frame in 0..<6 {
        try made.folder.put(MadeMapSet.numpy(Self.boxes(frame), "96, 128"), "gt/\(frame).npy")
        try made.folder.put(MadeMapSet.numpy(map(frame), "96, 128"), "net/\(frame).npy")
      }
      return try MapSetSource(made.request()).notes.filter { $0.contains("otherwise") }
    }
    let shifted = try notes { Self.boxes($0) { ($0 - 4, $1 + 3) } }
    #expect(
      shifted.count == 1
        && shifted[0].hasPrefix(
          "the maps of 'net' lie otherwise than the truth: 4 pixels further right, 3 pixels further up, in 6 of 6 images"
        ), "\(shifted)")
    let sideways = try notes { Self.boxes($0) { ($0 - 5, $1) } }
    #expect(
      sideways.count == 1 && sideways[0].contains("truth: 5 pixels further right, in 6 of 6"), "\(sideways)")
    let enlarged = try notes { Self.boxes($0) { (63.5 + ($0 - 63.5) * 0.8, 47.5 + ($1 - 47.5) * 0.8) } }
    // Steps lie between pixels, so that a factor is known to a hundredth or two.
    #expect(
      enlarged.count == 1 && enlarged[0].contains(/1\.2[3-7] times as wide, 1\.2[3-7] times as high/),
      "\(enlarged)")
    #expect(try notes { Self.boxes($0) }.isEmpty)
    #expect(try notes { Self.boxes($0) { ($0 - 1, $1) } }.isEmpty)
    #expect(
      try notes {
        Self.boxes($0) { (($0 / 4).rounded(.down) * 4 + 1.5, ($1 / 4).rounded(.down) * 4 + 1.5) }
      }.isEmpty)
    // Like a network's halos, which lie around all objects.
    #expect(
      try notes { frame in
        let map = Self.boxes(frame)
        return map.indices.map { i in
          (-2...2).map { map[min(max(i / 128 + $0, 0), 95) * 128 + i % 128] }.min() ?? 0
        }
      }.isEmpty)
  }

  @Test("maps that lie otherwise are named, and not called disparity")
  func turned() throws {
    let mirrored = try room { frame in
      let map = Self.room(frame)
      return map.indices.map { map[$0 / 32 * 32 + 31 - $0 % 32] }
    }
    let notes = try MapSetSource(mirrored.request()).notes
    #expect(notes.count == 1 && notes[0].hasPrefix("the maps of 'net' look mirrored left to right: "))
    let turned = try room { Self.room($0).reversed().map { 1 / $0 } }
    #expect(
      try MapSetSource(turned.request(meaning: .disparity)).notes.contains {
        $0.hasPrefix("the maps of 'net' look turned by 180°: ")
      })
    let right = try room(Self.room)
    #expect(try MapSetSource(right.request()).notes.isEmpty)
    let disparity = try room { Self.room($0).map { 1 / $0 } }
    #expect(
      try MapSetSource(disparity.request(meaning: .depth)).notes
        == ["the maps of 'net' fall where the truth rises: they look like disparity"])
  }

  @Test("maps of the next image are named, and a shift pairs them with their own", arguments: [1, -1, 2])
  func late(by count: Int) throws {
    let late = try room { Self.room($0 + count) }
    var request = late.request()
    let issues = try MapSetSource(request).issues
    let notes = issues.map(\.problem)
    let images = abs(count) == 1 ? "one image" : "2 images"
    #expect(
      notes.count == 1
        && notes[0].hasPrefix(
          "the maps of 'net' fit the truth \(images) \(count > 0 ? "later" : "earlier") better than their own"
        ))
    #expect(issues[0].advice.onCommandLine.hasSuffix("--shift net=\(count) pairs them so"))
    request.shifts = ["net": count]
    let source = try MapSetSource(request)
    #expect(source.notes.last == "\(abs(count)) of 12 truth maps have no prediction and are skipped")
    #expect(source.matching == "by their names, shifted by \(count)")
    let frame = try source.everything(0, 3)
    #expect(frame.truth?.values == frame.predictions[0].map.values)
    request.shifts = ["net": 12]
    #expect(late.fault(request).hasSuffix("it leaves no map with a truth; give fewer images"))
    request.shifts = ["other": 1]
    #expect(late.fault(request).contains("there is no --prediction 'other'"))
  }

  @Test("a file that cannot be read is named with its reason")
  func damaged() throws {
    let made = try made()
    try made.folder.put("nothing", "net/1.npy")
    let words = made.fault(made.request())
    #expect(words.hasPrefix("cannot read the prediction net: net: 1.npy: it is text"))
  }
}
