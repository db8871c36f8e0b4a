import DepthCore
import DepthDataset
import FathomStorage
import FathomTestSupport
import Foundation
import Testing

@testable import DepthImport

/// Numbers that are packed, shifted or turned over, in maps of every role.
@Suite struct MapFormulaTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func fault(_ body: () throws -> Void) -> String {
    do { try body() } catch { return (error as? FathomError)?.reason ?? "\(error)" }
    return "no error"
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    let url = URL(fileURLWithPath: folder.path("own/" + name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  private func frame(_ mapping: String, _ options: ImportOptions = ImportOptions()) throws -> DepthFrame {
    let recording = try FolderRecording(
      folder.path("own"),
      as: .mapping(try MappingFile.mapping("match: {by: number}\n" + mapping, named: "own.yaml")), options)
    return try recording.frame(0, of: recording.scenes[0], including: .all)
  }

  /// Depth and confidence in one number, as ARCore writes them, turned over; a disparity; a logarithm; three bytes.
  @Test("channels, bits and formulas give depth, truth, confidence and predictions")
  func roles() throws {
    let counts: [UInt16] = [1000, 1 << 13 | 2000, 2 << 13 | 3000, 0]
    try write(MadePNG.grey16(2, 2, counts), "depth/1.png")
    try write(MadePNG.rgb(2, 2, [232, 3, 0, 208, 7, 0, 0, 0, 1, 255, 255, 255]), "truth/1.png")
    try write(MadePNG.channels16(2, 2, colour: 2, [1, 0, 100, 1, 0, 300, 1, 0, 500, 1, 0, 0]), "net/1.png")
    let mapping = """
      depth: {files: ["depth/*"], unit: mm, bits: [0, 13]}
      confidence: {files: ["depth/*"], bits: [13, 3], code: 0/1/2}
      truth:
        independence: independent
        depth: {files: ["truth/*"], unit: mm, channel: r + 256*g + 65536*b, invalid: [16777215], formula: "v"}
      predictions:
        - {name: net, files: ["net/*"], kind: metric, channel: b, formula: "fx * base / (v + doffs)", invalid: [0]}
      numbers: {base: 2, doffs: 100}
      intrinsics: {values: [50, 50, 0.5, 0.5], counted-from: centre, image-size: depth}
      """
    let frame = try frame(mapping)
    #expect(frame.lidar.values == [1, 2, 3, 0])
    #expect(frame.confidence?.values == [0, 1, 2, 0])
    #expect(frame.truth?.values == [1, 2, 65.536, 0])
    let net = try #require(frame.predictions.first?.map.values)
    #expect(net.prefix(3) == [0.5, 0.25, Float(100.0 / 600)] && net[3].isNaN)
  }

  @Test("numbers come from the recording, and a number is invalid as it is stored")
  func recordedNumbers() throws {
    try write(MadePNG.grey16(3, 1, [0, 65_533, 65_535]), "depth/1.png")
    try write(Array(#"{"planes": {"near": 0.5}, "far": 8000}"#.utf8), "camera.json")
    var mapping = """
      depth: {files: ["depth/*"], unit: m, invalid: [7], formula: "exp(log(near) + (log(far) - log(near)) * v / 65533)"}
      recording-file: [camera.json]
      numbers: {near: {key: planes.near}, far: {key: far, times: 0.001}}
      """
    let values = try frame(mapping).lidar.values
    #expect(abs(values[0] - 0.5) < 1e-6 && abs(values[1] - 8) < 1e-5 && values[2] == 0)
    mapping = mapping.replacing("[7]", with: "[0]")
    #expect(try frame(mapping).lidar.values[0] == 0)
    mapping = mapping.replacing("key: far", with: "key: fare")
    #expect(fault { _ = try frame(mapping) } == "nothing says 'fare', which is the number 'far'")
    mapping = mapping.replacing("v / 65533", with: "w / 65533")
    #expect(fault { _ = try frame(mapping) }.contains("names 'w'; "))
  }

  @Test("a formula that gives no depth in any frame is refused")
  func noDepth() throws {
    try write(MadePNG.grey16(2, 1, [1, 2]), "depth/1.png")
    try write(MadePNG.grey16(2, 1, [3, 4]), "depth/2.png")
    func reason(_ formula: String) -> String {
      fault { _ = try frame("depth: {files: [\"depth/*\"], unit: m, formula: \(formula)}") }
    }
    for formula in ["v / 0", "0 - v", "log(0 - v)"] {
      #expect(
        reason(formula).contains("gives no depth above 0 in any pixel of its 2 frames"), "\(reason(formula))")
    }
    // Depth in one pixel of one frame is enough.
    #expect(try frame("depth: {files: [\"depth/*\"], unit: m, formula: v - 3}").lidar.values == [0, 0])
  }

  @Test("of several channels one must be named, and one that is not there is refused")
  func channels() throws {
    try write(MadePNG.rgb(1, 1, [1, 2, 3]), "depth/1.png")
    func reason(_ keys: String) -> String {
      fault { _ = try frame("depth: {files: [\"depth/*\"], unit: m, \(keys)}") }
    }
    #expect(try frame("depth: {files: [\"depth/*\"], unit: m, formula: r + 4*b}").lidar.values == [13])
    #expect(reason("channel: 1").contains("8 bits a channel"))
    #expect(reason("formula: 2*v").contains("it has the channels r, g, b"))
    #expect(reason("formula: a + r").contains("it has no channel 'a', but r, g, b"))
    #expect(reason("formula: r * fx").contains("needs 'fx', and the frame has no intrinsics"))
    #expect(reason("bits: [3]").contains("'depth.bits' is not [first, count]"))
    var options = ImportOptions()
    options.depthFormula = "g * 2"
    #expect(try frame("depth: {files: [\"depth/*\"], unit: m}", options).lidar.values == [4])
    options.depthFormula = "g *"
    #expect(
      fault { _ = try frame("depth: {files: [\"depth/*\"], unit: m}", options) }.contains("a name is missing")
    )
  }
}
