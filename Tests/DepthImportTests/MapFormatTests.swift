import DepthCore
import DepthDataset
import FathomHDF5
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import DepthImport
@testable import FathomMapFiles

/// Every binary format of maps for every role, whatever the files are called; text for depth and truth.
@Suite struct MapFormatTests {
  private let folder: TemporaryFolder
  private static let (width, height) = (8, 6)

  init() throws { folder = try TemporaryFolder() }

  enum Format: String, CaseIterable, Sendable { case npy, npz, pfm, exr, tiff, h5, png, pgm, mat, bin, dpt }

  private static let depths = (1...48).map { UInt8($0) }
  private static let levels = (0..<48).map { UInt8($0 % 3) }

  private static func numpy(_ type: String, _ numbers: [UInt8]) -> [UInt8] {
    MadeNumpy.array(numbers, "6, 8", type: type)
  }

  private static func pfm(_ values: [UInt8]) -> [UInt8] {
    let rows = stride(from: values.count - width, through: 0, by: -width)
      .flatMap { values[$0..<$0 + width].map { Float($0) } }
    return Array("Pf\n8 6\n-1.0\n".utf8) + rows.withUnsafeBytes { Array($0) }
  }

  /// A map of whole numbers: with 16 bits or reals where it is to be depth, else with 8 bits where the format has them.
  private func map(_ format: Format, _ values: [UInt8], isDeep: Bool) throws -> [UInt8] {
    let (width, height) = (Self.width, Self.height)
    let wide = values.flatMap { [$0, 0] as [UInt8] }
    switch format {
    case .npy: return isDeep ? Self.numpy("<u2", wide) : Self.numpy("|u1", values)
    case .npz: return MadeArchive.zip([.file("depth.npy", try map(.npy, values, isDeep: isDeep))])
    case .pfm: return Self.pfm(values)
    case .bin:
      return Array("8&6&1&".utf8) + values.map { Float($0) }.withUnsafeBytes { Array($0) }
    case .dpt:
      return Array("PIEH".utf8) + [8, 0, 0, 0, 6, 0, 0, 0]
        + values.map { Float($0) }.withUnsafeBytes { Array($0) }
    case .exr: return MadeEXR.floats("Z", width, height, values.map { Float($0) })
    case .tiff:
      return isDeep
        ? MadeTIFF.file(width, height, bits: 16, format: 1, wide)
        : MadeTIFF.file(width, height, bits: 8, format: 1, values)
    case .h5:
      let path = folder.path("map.h5")
      let file = try HDF5File(creating: path)
      if isDeep {
        try file.createDataset("depth", shape: [height, width], of: UInt16.self).write(
          values.map { UInt16($0) })
      } else {
        try file.createDataset("depth", shape: [height, width], of: UInt8.self).write(values)
      }
      try file.close()
      defer { try? FileManager.default.removeItem(atPath: path) }
      return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    case .png:
      return isDeep
        ? MadePNG.grey16(width, height, values.map { UInt16($0) }) : MadePNG.grey8(width, height, values)
    case .mat:
      // Columns first.
      let turned = (0..<48).map { values[$0 % 6 * 8 + $0 / 6] }
      return MadeMAT.file("depth", [6, 8], kind: isDeep ? 11 : 9, type: 2, turned)
    case .pgm:
      return isDeep
        ? Array("P5\n# made\n8 6\n65535\n".utf8) + values.flatMap { [0, $0] as [UInt8] }
        : Array("P5 8 6 255\n".utf8) + values
    }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let url = URL(fileURLWithPath: folder.path("own/" + name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private static let mapping = """
    name: own
    match: {by: number}
    depth: {files: ["depth/*"], unit: m}
    truth: {independence: independent, depth: {files: ["truth/*"], unit: m}}
    confidence: {files: ["confidence/*"], code: 0/1/2}
    predictions: [{name: net, files: ["net/*"], kind: metric}]
    colour: ["image/*"]
    """

  private func open(_ maps: [MapRequest] = []) throws -> FolderRecording {
    var options = ImportOptions()
    options.maps = maps
    return try FolderRecording(
      folder.path("own"), as: .mapping(try MappingFile.mapping(Self.mapping, named: "own.yaml")), options)
  }

  private func fault(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "no error"
  }

  @Test(
    "depth, truth, confidence and predictions are read from every binary format, by the file's first bytes",
    arguments: Format.allCases, [nil, "png", "bin", "tif"])
  func roles(_ format: Format, named ending: String?) throws {
    let ending = ending ?? format.rawValue
    for role in ["depth", "truth", "net"] {
      try write(try map(format, Self.depths, isDeep: true), "\(role)/0001.\(ending)")
    }
    try write(try map(format, Self.levels, isDeep: false), "confidence/0001.\(ending)")
    try write(try map(format, Self.depths, isDeep: true), "added/0001.\(ending)")
    let added = MapRequest(name: "added", path: folder.path("own/added"), meaning: .metric)
    let recording = try open([added])
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 1 && scene.hasConfidence)
    #expect(scene.predictions.map(\.name) == ["net", "added"])
    let frame = try recording.frame(0, of: scene, including: .all)
    let metres = Self.depths.map { Float($0) }
    #expect(frame.lidar.values == metres)
    #expect(frame.truth?.values == metres)
    #expect(frame.confidence?.values == Self.levels)
    #expect(frame.predictions.map(\.map.values) == [metres, metres])
  }

  @Test("pictures are read from PNG and TIFF, whatever they are called")
  func pictures() throws {
    let bytes = (0..<144).map { UInt8($0) }
    let colours = stride(from: 0, to: 144, by: 3).map {
      RGB(red: bytes[$0], green: bytes[$0 + 1], blue: bytes[$0 + 2])
    }
    let files = [
      MadePNG.rgb(8, 6, bytes), MadeTIFF.file(8, 6, bits: 8, format: 1, samples: 3, bytes),
    ]
    for (index, file) in files.enumerated() {
      try write(try map(.npy, Self.depths, isDeep: true), "depth/\(index).npy")
      for role in ["truth", "net"] {
        try write(try map(.npy, Self.depths, isDeep: true), "\(role)/\(index).npy")
      }
      try write(try map(.npy, Self.levels, isDeep: false), "confidence/\(index).npy")
      try write(file, "image/\(index).jpg")
    }
    let recording = try open()
    for index in files.indices {
      let frame = try recording.frame(index, of: recording.scenes[0], including: .all)
      #expect(frame.image?.values == colours)
    }
  }

  @Test("exactly one format knows the beginning of a file, and no two share an ending")
  func formatsAreDistinct() throws {
    for format in Format.allCases {
      let first = Array(try map(format, Self.depths, isDeep: true).prefix(4096))
      let known = MapFormat.all.filter { $0.begins(first) }
      #expect(known.count == 1 && known[0].endings.contains(format.rawValue), "\(format)")
    }
    let endings = MapFormat.all.flatMap(\.endings)
    #expect(Set(endings).count == endings.count)
    for format in MapFormat.all { #expect(!format.begins([])) }
  }

  @Test("a file that is not a map is refused in one line that says what was found")
  func othersAreNamed() throws {
    let cases: [([UInt8], String)] = [
      ([], "it is empty"),
      ([0xFF, 0xD8, 0xFF, 0xE0, 0, 16], "a JPEG is lossy and has 8 bits"),
      ([0, 0, 0, 24] + Array("ftypisom".utf8), "a video is lossy and has 8 bits"),
      ([0x80, 4, 0x95], "it is a pickle, which is code; numpy.save writes its arrays"),
      (
        MadeArchive.zip([.file("archive/data.pkl", [0x80, 2])]),
        "it is a pickle, which is code; numpy.save writes its arrays"
      ),
      ([0x1F, 0x8B, 8, 0], "it is packed with gzip; unpack it"),
      (
        Array("version https://git-lfs.github.com/spec/v1\n".utf8),
        "it is a pointer of Git LFS, which 'git lfs pull' replaces by the file"
      ),
      (Array("<!DOCTYPE HTML>\n".utf8), "it is a web page, as a failed download leaves it"),
      (Array("MATLAB 5.0 MAT-file".utf8), "the MAT file is cut short or damaged"),
      (
        Array("1.0, 2.0\n".utf8),
        "it is text, but not numbers alone, and a map is one of NPY, NPZ, PFM, EXR, TIFF, HDF5, PNG, PGM, MAT 5, COLMAP's depth map, Sintel's depth map, OpenCV's YAML, CSV"
      ),
      (
        [0x01, 0x02, 0xAB, 0xCD],
        "its first bytes are 01 02 AB CD, and a map is one of NPY, NPZ, PFM, EXR, TIFF, HDF5, PNG, PGM, MAT 5, COLMAP's depth map, Sintel's depth map, OpenCV's YAML, CSV"
      ),
    ]
    for (bytes, reason) in cases {
      try write(bytes, "depth/1.png")
      #expect(fault { _ = try MapFile(at: folder.path("own/depth/1.png")) } == reason)
      let words = fault { _ = try open() }
      #expect(words.contains(reason) && !words.contains("\n"))
    }
  }

  @Test("a lone file of several maps holds the frames, one of several does not, and colours are not a map")
  func stacksAndColours() throws {
    let stack = MadeNumpy.array([UInt8](repeating: 1, count: 192), "2, 6, 8", type: "<u2")
    try write(stack, "depth/1.npy")
    #expect(try MapFile(at: folder.path("own/depth/1.npy")).header.layerCount == 2)
    try write(stack, "truth/all.png")
    let recording = try open()
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 2 && scene.frameIDs == ["000000", "000001"])
    for index in 0..<2 {
      let frame = try recording.frame(index, of: scene, including: .all)
      #expect(frame.lidar.values == [Float](repeating: 257, count: 48) && frame.truth == frame.lidar)
    }
    try write(stack, "depth/2.npy")
    #expect(fault { _ = try open() }.contains("it holds 2 maps, and the file of a frame holds one"))
    try FileManager.default.removeItem(atPath: folder.path("own/depth/2.npy"))
    try write(MadePNG.rgb(8, 6, [UInt8](repeating: 9, count: 144)), "depth/1.npy")
    #expect(fault { _ = try open() }.contains("8 bits a channel, with colours or opacity"))
  }

  @Test("text is a map where its rows are longer than those of cameras and poses")
  func texts() throws {
    let numbers = (0..<16 * 24).map { Double($0) / 8 }
    func rows(_ separator: String, comma: String = ".") -> String {
      stride(from: 0, to: numbers.count, by: 24).map { row in
        numbers[row..<row + 24].map { "\($0)".replacing(".", with: comma) }.joined(separator: separator)
      }.joined(separator: "\n") + "\n"
    }
    let data = numbers.map { $0 == 1 ? ".Nan" : "\($0)" }.joined(separator: ",\n   ")
    let yaml = """
      %YAML:1.0
      ---
      K: !!opencv-matrix
         rows: 3
         cols: 3
         dt: d
         data: [ 1., 0., 0., 0., 1., 0., 0., 0., 1. ]
      map: !!opencv-matrix
         rows: 16
         cols: 24
         dt: f
         data: [ \(data) ]

      """
    for text in [rows(","), rows(";"), rows("\t"), rows(";", comma: ","), yaml] {
      try write(Array(text.utf8), "depth/1.txt")
      try write(Array(text.utf8), "truth/1.txt")
      let recording = try open()
      let frame = try recording.frame(0, of: recording.scenes[0], including: .all)
      var metres = numbers.map { Float($0) }
      if text == yaml { metres[8] = 0 }
      #expect(frame.lidar.values == metres && frame.truth?.values == metres)
    }
    try write(Array((rows(",") + "1,2\n1,2\n").utf8), "depth/1.txt")
    #expect(fault { _ = try open() }.contains("its row 17 has 2 numbers, and the first 24"))
  }

  @Test("MATLAB's arrays are read packed, as stacks, and in the numbers that it stores them in")
  func matlab() throws {
    // Whole numbers of a double array are stored in bytes.
    let values = Self.depths + Self.depths.map { $0 + 1 }
    let columns = (0..<96).map { (place: Int) -> UInt8 in
      let (row, column) = (place % 6, place % 48 / 6)
      return values[place / 48 * 48 + row * 8 + column]
    }
    for isPacked in [false, true] {
      try write(
        MadeMAT.file("range", [6, 8, 2], kind: 6, type: 2, columns, isPacked: isPacked), "depth/1.mat")
      let recording = try open()
      let frames = try (0..<2).map { try recording.frame($0, of: recording.scenes[0], including: .lidar) }
      #expect(frames.flatMap(\.lidar.values) == values.map { Float($0) })
    }
    // Make3D's grid has coordinates before the depth.
    try write(
      MadeMAT.file(
        "Position3DGrid", [6, 8, 4], kind: 6, type: 2,
        [UInt8](repeating: 200, count: 144) + columns.prefix(48)), "depth/1.mat")
    let grid = try open()
    #expect(grid.scenes[0].frameCount == 1)
    #expect(
      try grid.frame(0, of: grid.scenes[0], including: .lidar).lidar.values == Self.depths.map { Float($0) })
    let whole = MadeMAT.file("range", [6, 8], kind: 6, type: 2, Self.depths)
    for count in [60, 130, 150, 200, whole.count - 8] {
      try write(Array(whole.prefix(count)), "depth/1.mat")
      #expect(fault { _ = try open() }.contains("the MAT file is cut short or damaged"), "\(count)")
    }
  }

  @Test("the largest count of a TIFF is not a depth, as that of a PNG")
  func largestCount() throws {
    var numbers = Self.depths.flatMap { [$0, 0] as [UInt8] }
    (numbers[0], numbers[1]) = (255, 255)
    for (role, file) in [
      ("depth", MadeTIFF.file(8, 6, bits: 16, format: 1, numbers)),
      ("truth", MadeTIFF.file(8, 6, bits: 16, format: 1, numbers)),
      ("net", try map(.npy, Self.depths, isDeep: true)),
      ("confidence", try map(.tiff, Self.levels, isDeep: false)),
    ] { try write(file, "\(role)/1.tiff") }
    let recording = try open()
    let frame = try recording.frame(0, of: recording.scenes[0], including: .all)
    #expect(frame.lidar[0, 0] == 0 && frame.lidar[0, 1] == 2 && frame.truth?[0, 0] == 0)
  }

  @Test("added maps of 8 bits need a word in every format")
  func eightBits() throws {
    let recording = try MadeRecording(frames: 1)
    for format in [Format.npy, .npz, .tiff, .h5, .png, .pgm] {
      try recording.write(try map(format, Self.depths, isDeep: false), to: "\(format)/000000.map")
      var options = ImportOptions()
      var request = MapRequest(name: nil, path: recording.path + "/\(format)", meaning: .depth)
      options.maps = [request]
      #expect(fault { _ = try recording.open(options) }.contains("allow-8bit"), "\(format)")
      request.allowsEightBits = true
      options.maps = [request]
      let opened = try recording.open(options)
      let frame = try opened.frame(0, of: opened.scenes[0], including: .all)
      #expect(frame.relative?.values == Self.depths.map { Float($0) })
    }
  }
}
