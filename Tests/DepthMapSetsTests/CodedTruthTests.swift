import DepthCore
import DepthDataset
import DepthImport
import DepthMapSets
import FathomTestSupport
import Testing

/// Truths in formats whose maps are not depth as they are stored.
@Suite struct CodedTruthTests {
  private static let picture = MadePNG.rgb(8, 6, [UInt8](repeating: 5, count: 144))

  private static func bytes(_ values: [Float]) -> [UInt8] { values.withUnsafeBytes { Array($0) } }

  @Test("TartanAir V2: a float in the four bytes of each pixel is a truth, too")
  func tartanAirV2() throws {
    let files = try MadeMapSet()
    var metres = (0..<48).map { Float(Double(1000 + 10 * $0) / 1000) }
    (metres[0], metres[1], metres[2]) = (0, 6.1e4, 0.1)
    let pixels = metres.flatMap { metre -> [UInt8] in
      let bytes = withUnsafeBytes(of: metre.bitPattern.littleEndian) { Array($0) }
      return [bytes[2], bytes[1], bytes[0], bytes[3]]
    }
    try files.folder.put(
      MadePNG.rgba(8, 6, pixels), "P000/depth_lcam_front/000000_lcam_front_depth.png")
    try files.folder.put(Self.picture, "P000/image_lcam_front/000000_lcam_front.png")
    try files.folder.put("1 2 3 0 0 0 1\n", "P000/pose_lcam_front.txt")
    try files.folder.put(MadeMapSet.numpy(metres), "net/000000.npy")
    var request = files.request(truth: "P000")
    let source = try MapSetSource(request)
    #expect(source.notes.contains { $0.contains("decoded as TartanAir V2") })
    #expect(Array(try source.everything(0).truth?.values[1...] ?? []) == Array(metres[1...]))
    request.truthScale = 0.001
    #expect(files.fault(request).contains("leave --truth-scale out"))
  }

  @Test(
    "a truth of MoGe's and of Middlebury's data is decoded by its format, each scene with its own numbers")
  func codedTruth() throws {
    let files = try MadeMapSet()
    let range = [("near", "2"), ("far", "200")].map { ("tEXt", Array($0.utf8) + [0] + Array($1.utf8)) }
    var counts = [UInt16](repeating: 65_534, count: 48)
    (counts[0], counts[1], counts[2]) = (0, 65_535, 1)
    for name in ["a", "b"] {
      try files.folder.put(MadePNG.grey16(8, 6, counts, chunks: range), "moge/\(name)/depth.png")
      try files.folder.put(Self.picture, "moge/\(name)/image.jpg")
      try files.folder.put(
        #"{"intrinsics": [[0.8, 0, 0.5], [0, 1.07, 0.5], [0, 0, 1]]}"#, "moge/\(name)/meta.json")
      try files.put(0, "net/\(name).npy")
      let disparities = Array("Pf\n8 6\n-1.0\n".utf8) + Self.bytes([Float](repeating: 8, count: 48))
      try files.folder.put(disparities, "stereo/\(name)/disp0GT.pfm")
      try files.folder.put(Self.picture, "stereo/\(name)/im0.png")
      try files.folder.put(
        "cam0=[20 0 4; 0 20 3; 0 0 1]\ndoffs=2\nbaseline=\(name == "a" ? 100 : 200)\n",
        "stereo/\(name)/calib.txt")
    }
    let moge = try MapSetSource(files.request(truth: "moge"))
    let truth = try moge.everything(0).truth?.values ?? []
    #expect(moge.scenes.count == 2 && truth[..<2].allSatisfy { !($0 > 0) })
    #expect(abs(truth[2] - 2) < 1e-5 && abs(truth[3] - 200) < 1e-3)
    let stereo = try MapSetSource(files.request(truth: "stereo"))
    for (scene, baseline) in [(0, Float(0.1)), (1, 0.2)] {
      let value = try stereo.everything(0, scene).truth?.values[5] ?? 0
      #expect(abs(value - 20 * baseline / 10) < 1e-6)
    }
  }

  @Test("SUN RGB-D's bits are turned back, as a recording and as a truth, each picture with its own camera")
  func sunRGBD() throws {
    let files = try MadeMapSet()
    for (name, focal) in [("NYU0001", 20), ("NYU0002", 25)] {
      // 1,500 mm, and 40,000 mm, whose highest bits come round.
      let counts = [UInt16](repeating: 12_000, count: 47) + [UInt16(40_000 << 3 & 65_535 | 40_000 >> 13)]
      for depth in ["depth", "depth_bfx"] {
        try files.folder.put(
          MadePNG.grey16(8, 6, depth == "depth" ? counts.map { _ in 8 } : counts),
          "kv1/\(name)/\(depth)/7.png")
      }
      try files.folder.put(Self.picture, "kv1/\(name)/image/7.jpg")
      try files.folder.put("\(focal) 0 4 0 \(focal) 3 0 0 1 \n", "kv1/\(name)/intrinsics.txt")
      try files.put(0, "net/\(name).npy")
    }
    let recording = try FolderRecording(files.folder.path("kv1"))
    #expect(recording.format == "sunrgbd" && recording.scenes.map(\.intrinsics?.fx) == [20, 25])
    let own = try recording.frame(0, of: recording.scenes[1], including: .all)
    let truth = try MapSetSource(files.request(truth: "kv1")).everything(0).truth
    for map in [own.lidar, truth] { #expect(map?.values.first == 1.5 && map?.values.last == 40) }
    #expect(own.image != nil)
  }
}
