import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomStorage
import FathomTestSupport
import Testing

@Suite struct FrameMapsTests {
  private func numpy(_ values: [Float], _ shape: String) -> [UInt8] {
    MadeNumpy.array(values, shape)
  }
  private func ramp(_ start: Float) -> [Float] { (0..<48).map { start + Float($0) } }

  private func open(_ recording: MadeRecording, _ request: MapRequest) throws -> FolderRecording {
    var options = ImportOptions()
    options.maps = [request]
    return try recording.open(options)
  }
  private func relative(_ recording: FolderRecording, _ frame: Int) throws -> DepthMap? {
    try recording.frame(frame, of: recording.scenes[0], including: .all).relative
  }
  private func fault(_ body: () throws -> Void) -> String {
    do { try body() } catch { return "\(error)" }
    return "no error"
  }

  @Test func mapsAreMatchedByNameAndTheProducersNameSaysTheirKind() throws {
    let recording = try MadeRecording(frames: 2)
    for frame in 0..<2 {
      try recording.write(
        numpy(ramp(Float(100 * frame)), "6, 8"), to: "maps/depth_npy/00000\(frame)_depth.npy")
    }
    let opened = try open(recording, MapRequest(name: nil, path: recording.path + "/maps/depth_npy"))
    #expect(opened.scenes[0].relativeKind == .depth)
    #expect(opened.scenes[0].relativeModel == "Marigold or GeoWizard")
    #expect(try relative(opened, 1)?.values == ramp(100))
  }

  @Test func everyFormatGivesTheSameMap() throws {
    let values = ramp(0.5)
    let rows = stride(from: 40, through: 0, by: -8).flatMap { values[$0..<$0 + 8] }
    let pfm = Array("Pf\n8 6\n-1.0\n".utf8) + rows.withUnsafeBytes { Array($0) }
    let files: [(String, [UInt8])] = [
      ("npy", numpy(values, "6, 8")), ("pfm", pfm), ("exr", MadeEXR.floats("Y", 8, 6, values)),
      ("tiff", MadeTIFF.floats(8, 6, values)),
    ]
    for (ending, bytes) in files {
      let recording = try MadeRecording(frames: 1)
      try recording.write(bytes, to: "maps/000000.\(ending)")
      let opened = try open(
        recording, MapRequest(name: nil, path: recording.path + "/maps", meaning: .disparity))
      #expect(try relative(opened, 0)?.values == values, "\(ending)")
      #expect(opened.scenes[0].relativeKind == .disparity)
    }
  }

  @Test("numbers of a network that stand for nothing are missing")
  func invalidNumbers() throws {
    let recording = try MadeRecording(frames: 1)
    try recording.write(numpy(ramp(1), "6, 8"), to: "maps/000000.npy")
    var request = MapRequest(name: nil, path: recording.path + "/maps", meaning: .disparity)
    let all = try #require(try relative(try open(recording, request), 0)).values
    request.invalid = [Double(all[5])]
    let values = try #require(try relative(try open(recording, request), 0)).values
    #expect(values[5].isNaN && values.count(where: \.isNaN) == all.count { $0 == all[5] })
  }

  @Test func whatNamesDoNotSettleIsAskedFor() throws {
    let recording = try MadeRecording(frames: 1)
    try recording.write(numpy(ramp(1), "6, 8"), to: "maps/000000.npy")
    let words = fault { _ = try open(recording, MapRequest(name: nil, path: recording.path + "/maps")) }
    #expect(words.contains("say it with relative-kind: "))
  }

  @Test func eightBitsNeedAWordAndColoursAreNeverTaken() throws {
    let recording = try MadeRecording(frames: 1)
    try recording.write(MadePNG.grey8(8, 6, (0..<48).map { UInt8($0) }), to: "grey/000000.png")
    try recording.write(MadePNG.rgb(8, 6, (0..<144).map { UInt8($0) }), to: "colour/000000.png")
    var request = MapRequest(name: nil, path: recording.path + "/grey", meaning: .disparity)
    #expect(fault { _ = try open(recording, request) }.contains("take them with allow-8bit"))
    request.allowsEightBits = true
    #expect(try relative(try open(recording, request), 0)?.values == (0..<48).map { Float($0) })
    request.path = recording.path + "/colour"
    #expect(fault { _ = try relative(try open(recording, request), 0) }.contains("colour map"))
  }

  @Test func picklesAreRefusedWithTheReason() throws {
    let recording = try MadeRecording(frames: 1)
    try recording.write([0x80, 4], to: "maps/000000.pkl")
    let request = MapRequest(name: nil, path: recording.path + "/maps", meaning: .depth)
    #expect(fault { _ = try open(recording, request) }.contains("pickle, which is code"))
  }

  @Test func turnedMapsAreNamedAndTurnedBack() throws {
    let recording = try MadeRecording(frames: 1)
    // Upright: column c of the frame's row r lies at row c, column 5 - r.
    let upright = (0..<8).flatMap { column in (0..<6).map { Float(8 * (5 - $0) + column) } }
    try recording.write(numpy(upright, "8, 6"), to: "maps/000000.npy")
    var request = MapRequest(name: nil, path: recording.path + "/maps", meaning: .depth)
    #expect(fault { _ = try open(recording, request) }.contains("turned"))
    request.rotation = 270
    #expect(try relative(try open(recording, request), 0)?.values == ramp(0))
  }

  @Test func aStackIsMatchedByOrderOnlyWhereTheNumbersAgree() throws {
    let recording = try MadeRecording(frames: 2)
    try recording.write(numpy(ramp(0) + ramp(100), "2, 6, 8"), to: "two.npy")
    try recording.write(numpy(ramp(0) + ramp(100) + ramp(200), "3, 6, 8"), to: "three.npy")
    let two = MapRequest(name: nil, path: recording.path + "/two.npy", meaning: .depth)
    #expect(try relative(try open(recording, two), 1)?.values == ramp(100))
    let three = MapRequest(name: nil, path: recording.path + "/three.npy", meaning: .depth)
    #expect(fault { _ = try open(recording, three) }.contains("3 maps, and there are 2 frames"))
  }

  @Test func aFrameWithoutAMapStaysAndIsNamed() throws {
    let recording = try MadeRecording(frames: 2)
    try recording.write(numpy(ramp(0), "6, 8"), to: "maps/000001.npy")
    let request = MapRequest(name: "net", path: recording.path + "/maps", meaning: .millimetres)
    let opened = try open(recording, request)
    let scene = opened.scenes[0]
    #expect(scene.frameCount == 2 && scene.predictions.map(\.kind) == [.metric])
    #expect(
      scene.importRecord?.entries.contains { $0.words == "1 of 2 frames have none, first 000000" } == true)
    let frames = try (0..<2).map { try opened.frame($0, of: scene, including: .all).predictions[0].map }
    #expect(frames[0].values.allSatisfy { $0.isNaN })
    #expect(frames[1].values == ramp(0).map { $0 * 0.001 })
  }
}
