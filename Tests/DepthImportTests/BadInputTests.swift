import Foundation
import DepthCore
import DepthDataset
import DepthImport
import FathomStorage
import FathomTestSupport
import Testing

/// What is wrong with a recording costs a frame with its reason, or is one clear line; it is never a wrong number.
@Suite struct BadInputTests {
  private func error(_ made: MadeRecording, _ options: ImportOptions = ImportOptions()) throws -> FathomError
  {
    do { _ = try made.open(options) } catch let error as FathomError { return error }
    throw Unexpected()
  }
  private struct Unexpected: Error {}

  /// What the record says was dropped.
  private func dropped(_ recording: FolderRecording) -> [String: String] {
    let entries = recording.scenes[0].importRecord?.entries.filter { $0.step == .dropped } ?? []
    return Dictionary(entries.map { ($0.subject, $0.words) }) { first, _ in first }
  }

  @Test func aCutPictureCostsItsFrame() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.write(Array(made.depth(1).prefix(70)), to: MadeRecording.depthName(1))
    try made.write([], to: MadeRecording.confidenceName(2))
    let recording = try made.open()
    #expect(recording.scenes[0].frameIDs == ["000000", "000003"])
    #expect(dropped(recording)["depth/000001.png"] == "the PNG is cut short")
    #expect(dropped(recording)["confidence/000002.png"] != nil)
  }

  @Test func aFrameOfAnotherSizeIsDropped() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.write(MadePNG.grey16(4, 3, [UInt16](repeating: 1, count: 12)), to: MadeRecording.depthName(2))
    try made.write(MadePNG.grey8(4, 3, [UInt8](repeating: 1, count: 12)), to: MadeRecording.confidenceName(3))
    let recording = try made.open()
    #expect(recording.scenes[0].frameIDs == ["000000", "000001"])
    #expect(dropped(recording)["depth/000002.png"] == "it has 4×3 pixels, and the first one 8×6")
    #expect(dropped(recording)["confidence/000003.png"] == "it has 4×3 pixels, and its depth 8×6")
  }

  @Test func aFrameWithoutConfidenceIsDropped() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.remove(MadeRecording.confidenceName(0))
    let recording = try made.open()
    #expect(recording.scenes[0].frameCount == 3)
    #expect(dropped(recording)["depth/000000.png"] == "there is no confidence of this frame")
  }

  @Test func depthOfEightBitsIsRefusedWithTheReason() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    for frame in 0..<4 {
      try made.write(
        MadePNG.grey8(8, 6, [UInt8](repeating: 7, count: 48)), to: MadeRecording.depthName(frame))
    }
    let error = try error(made)
    #expect(error.kind == .badData && error.object == "depth/000000.png")
    #expect(error.reason.contains("8 bits") && error.reason.contains("NeRFCapture"))
    // A stray one among others costs its frame.
    try made.write(made.depth(0), to: MadeRecording.depthName(0))
    #expect(try made.open().scenes[0].frameIDs == ["000000"])
  }

  @Test func poseThatIsNoneCostsNoFrame() throws {
    let made = try MadeRecording(frames: 6)
    defer { withExtendedLifetime(made) {} }
    try made.replaceOdometry(line: 2, with: "100.02, 1, nan, 0, 0, 0, 0, 0, 1")
    try made.replaceOdometry(line: 3, with: "100.03, 2, 0, 0, 0, 0, 0, 0, 0")
    try made.replaceOdometry(line: 4, with: "100.04, 3, 0, 0, 0, 0.5, 0.5, 0, 0")
    try made.replaceOdometry(line: 5, with: "100.05, 4, 1e9, 0, 0, 0, 0, 0, 1")
    let recording = try made.open()
    let scene = recording.scenes[0]
    #expect(scene.frameCount == 6 && scene.hasPoses)
    for index in 1...4 { #expect(try recording.frame(index, of: scene).worldFromCamera == nil) }
    #expect(try recording.frame(5, of: scene).worldFromCamera != nil)
    #expect(dropped(recording)["depth/000001.png"] == "its pose is not finite; the frame stays without it")
    #expect(dropped(recording)["depth/000002.png"] == "its pose is all zero; the frame stays without it")
    #expect(
      dropped(recording)["depth/000003.png"]
        == "its pose is not a rotation and a translation; the frame stays without it")
    // In the file it is not a number, and reads as none.
    let folder = try TemporaryFolder()
    var writer = try DatasetWriter(creating: folder.path("out.h5"), attributes: DatasetAttributes())
    try writer.addScene(scene)
    for index in 0..<6 {
      try writer.write(try recording.frame(index, of: scene, including: .all), to: scene.name)
    }
    try writer.commit()
    let reader = try DatasetReader(readingFrom: folder.path("out.h5"))
    #expect(reader.schemaVersion == 2 && reader.scenes == [scene])
    #expect(try reader.frame(2, of: scene).worldFromCamera == nil)
    #expect(
      try reader.frame(5, of: scene).worldFromCamera == (try recording.frame(5, of: scene).worldFromCamera))
  }

  @Test func aTimeThatGoesBackCostsItsFrame() throws {
    let made = try MadeRecording(frames: 30)
    defer { withExtendedLifetime(made) {} }
    try made.replaceOdometry(line: 8, with: "99, 7, 0, 0, 0, 0, 0, 0, 1")
    let recording = try made.open()
    #expect(recording.scenes[0].frameCount == 29)
    #expect(dropped(recording)["depth/000007.png"] == "its time goes back")
    let times = try #require(recording.scenes[0].timestampsSeconds)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // A clock that is set back in the middle is not a stray frame.
    for frame in 15..<30 {
      try made.replaceOdometry(line: frame + 1, with: "\(frame), \(frame), 0, 0, 0, 0, 0, 0, 1")
    }
    #expect(try error(made).reason.contains("go back"))
  }

  @Test func depthThatWrapsCostsItsFrame() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    var wall = [UInt16](repeating: 65_200, count: 48)  // 65.2 m, and beside it 65.7 m as 0.164 m
    for index in 24..<48 { wall[index] = 164 }
    try made.write(MadePNG.grey16(8, 6, wall), to: MadeRecording.depthName(1))
    let recording = try made.open()
    let decoder = try #require(recording.decoder(of: recording.scenes[0]))
    var unusable: [FolderRecording.UnusableFile] = []
    for index in 0..<4 {
      do { _ = try decoder.frame(index) } catch { unusable.append(error) }
    }
    let rest = try recording.without(unusable)
    #expect(rest.scenes[0].frameIDs == ["000000", "000002", "000003"])
    #expect(dropped(rest)["depth/000001.png"]?.hasPrefix("its numbers wrap at 65535") == true)
    // What reads the recording directly leaves out the same.
    #expect(try recording.decodable().scenes == rest.scenes)
    // A reader of one frame cannot.
    #expect(throws: FathomError.self) { try recording.frame(1, of: recording.scenes[0]) }
  }

  @Test("a number near the end of 16 bits that stands for no depth is named, and is none when it is said")
  func fillBelowTheLargestCount() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    var values = [UInt16](repeating: 2500, count: 48)
    for index in 10..<16 { values[index] = 65_534 }
    try made.write(MadePNG.grey16(8, 6, values), to: MadeRecording.depthName(1))
    let recording = try made.open().decodable()
    #expect(
      dropped(recording)["depth/000001.png"]?.hasPrefix("12.5 % of its pixels are exactly 65534,") == true)
    #expect(dropped(recording)["depth/000001.png"]?.contains("`--invalid 65534`") == true)
    var options = ImportOptions()
    options.invalid = [65_534]
    let told = try made.open(options)
    #expect(try told.frame(1, of: told.scenes[0]).lidar.values[9..<11] == [2.5, 0])
  }

  @Test func theLargestCountIsNoDepth() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    var values = MadeRecording.millimetres(0)
    (values[3], values[4]) = (65_535, 0)
    try made.write(MadePNG.grey16(8, 6, values), to: MadeRecording.depthName(0))
    let recording = try made.open()
    #expect(try recording.frame(0, of: recording.scenes[0]).lidar.values[3...4] == [0, 0])
  }

  @Test func aNumberThatIsNoConfidenceEndsTheImport() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.write(
      MadePNG.grey8(8, 6, [UInt8](repeating: 127, count: 48)), to: MadeRecording.confidenceName(2))
    let recording = try made.open()
    let decoder = try #require(recording.decoder(of: recording.scenes[0]))
    do {
      _ = try decoder.frame(2)
      Issue.record("127 was read as a level of 0/1/2")
    } catch {
      #expect(FolderRecording.isOfRecording(error))
      #expect(throws: FathomError.self) { try recording.decodable() }
      #expect(recording.error(error).reason == "it holds the confidence 127, and the recording's is 0/1/2")
    }
  }

  @Test func intrinsicsOfAnotherSizeAreRefused() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.write("213, 0, 128\n0, 213, 96\n0, 0, 1\n", to: "camera_matrix.csv")
    #expect(try error(made).reason.contains("belong to another size"))
    try made.write("1600, 0, 0\n0, 1600, 0\n960, 720, 1\n", to: "camera_matrix.csv")
    #expect(try error(made).reason.contains("column by column"))
    try made.write("1600, 0, 0\n0, abc, 0\n", to: "camera_matrix.csv")
    #expect(try error(made).reason == "line 2 holds 'abc', which is not a number")
  }

  @Test func filesThatBelongToNoFrameAndPosesThatAreMissingChangeNoNumber() throws {
    let made = try MadeRecording(frames: 5)
    defer { withExtendedLifetime(made) {} }
    let whole = try made.open()
    let last = try whole.frame(4, of: whole.scenes[0], including: .all)
    try made.write("not a picture", to: "depth/notes.txt")
    try made.write(made.confidence(9), to: MadeRecording.confidenceName(9))
    try made.remove(MadeRecording.depthName(2))
    let recording = try made.open()
    #expect(recording.scenes[0].frameIDs == ["000000", "000001", "000003", "000004"])
    let again = try recording.frame(3, of: recording.scenes[0], including: .all)
    #expect(again.lidar == last.lidar && again.confidence == last.confidence)
    #expect(again.worldFromCamera == last.worldFromCamera)
  }

  @Test func twoFilesOfOneFrameAreRefused() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    try made.write(made.depth(1), to: "depth/1.png")
    #expect(try error(made).reason.contains("belongs to the same frame as"))
  }

  @Test func aFolderOfNothingUsableSaysWhy() throws {
    let made = try MadeRecording(frames: 1)
    defer { withExtendedLifetime(made) {} }
    try made.write(Array(made.depth(0).prefix(60)), to: MadeRecording.depthName(0))
    let error = try error(made)
    #expect(error.reason == "no frame can be used: the PNG is cut short")
    #expect(error.description.contains("depth/000000.png") && !error.description.contains("\n"))
  }

  @Test func recordingsTwoFoldersDownAreNamed() throws {
    let folder = try TemporaryFolder()
    try MadeStray.write("raw/Training/4277", in: folder)
    #expect(try FolderRecording(folder.path("raw/Training")).scenes.map(\.name) == ["4277"])
    let error = try #require(throws: FathomError.self) { try FolderRecording(folder.path("raw")) }
    #expect(error.kind == .badData && error.reason.contains("raw/Training/4277 is Stray Scanner"))
    #expect(error.advice.contains("give \(folder.path("raw/Training"))"))
  }
}

/// Tables that a recorder or an editor left in a strange state.
@Suite struct OddTableTests {
  /// An app that is ended while it writes leaves a line in pieces; the frame stays without its pose.
  @Test(arguments: ["0.05, 3, 0.3, 1.", "0.05, 3, 0.3, 1.5, -2, 0, 0, 0, -", "\0\0\0\0"])
  func aLastLineInPiecesCostsItsPose(_ end: String) throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    let text = try String(contentsOfFile: made.path + "/odometry.csv", encoding: .utf8)
    let whole = text.split(separator: "\n").dropLast().joined(separator: "\n")
    try made.write(whole + "\n" + end, to: "odometry.csv")
    let recording = try made.open()
    let entries = recording.scenes[0].importRecord?.entries.filter { $0.step == .dropped } ?? []
    #expect(entries.contains { $0.subject == "odometry.csv" && $0.words.contains("line 5") })
    #expect(try recording.frame(2, of: recording.scenes[0]).worldFromCamera != nil)
  }

  @Test func aByteOrderMarkIsNoWord() throws {
    let made = try MadeRecording()
    defer { withExtendedLifetime(made) {} }
    for name in ["odometry.csv", "camera_matrix.csv"] {
      let text = try String(contentsOfFile: made.path + "/" + name, encoding: .utf8)
      try made.write("\u{FEFF}" + text, to: name)
    }
    let scene = try made.open().scenes[0]
    #expect(scene.frameCount == 4 && scene.hasPoses && scene.intrinsics != nil)
  }
}
