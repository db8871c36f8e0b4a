import DepthCore
import DepthDataset
import DepthImport
import Foundation
import FathomPictureFiles
import FathomTestSupport
import Testing

/// Pictures of a recording that are a video.
@Suite(.enabled(if: VideoTools() != nil, "ffmpeg is not installed: make setup-test"))
struct VideoTests {
  private static let size = RasterSize(width: 64, height: 48)

  /// A video whose picture n is grey of 20 + 10·n, packed without loss.
  private func video(_ count: Int, at path: String, from first: Int = 0) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "64x48", "-r", "30", "-i",
        "pipe:0",
      ]
      + ["-c:v", "ffv1", "-pix_fmt", "bgr0", path]
    let pipe = Pipe()
    process.standardInput = pipe
    try process.run()
    for number in first..<first + count {
      try pipe.fileHandleForWriting.write(
        contentsOf: Data(repeating: UInt8(20 + 10 * number), count: 3 * Self.size.count))
    }
    try pipe.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  private func shade(_ recording: FolderRecording, _ index: Int) throws -> UInt8? {
    try recording.frame(index, of: recording.scenes[0], including: .image).image?.values[100].green
  }

  /// A recorder that leaves numbers out leaves no pictures out: the number counts, not the position.
  @Test func numbersOfFramesCountThePictures() throws {
    let made = try MadeRecording(frames: 8)
    for frame in [2, 5] {
      try made.remove(MadeRecording.depthName(frame))
      try made.remove(MadeRecording.confidenceName(frame))
    }
    try video(8, at: made.path + "/rgb.mkv")
    let recording = try made.open()
    #expect(recording.scenes[0].frameCount == 6 && recording.scenes[0].colourSize == Self.size)
    for (index, number) in [0, 1, 3, 4, 6, 7].enumerated() {
      #expect(try shade(recording, index) == UInt8(20 + 10 * number))
    }
    // Backwards, and again.
    #expect(try shade(recording, 1) == 30)
    #expect(try shade(recording, 5) == 90)
  }

  @Test func picturesMayBeAskedForInAnyOrder() async throws {
    let made = try MadeRecording(frames: 20)
    try video(20, at: made.path + "/rgb.mkv")
    let recording = try made.open()
    let shades = try await withThrowingTaskGroup(of: (Int, UInt8?).self) { group in
      for index in (0..<20).reversed() { group.addTask { (index, try self.shade(recording, index)) } }
      return try await group.reduce(into: [Int: UInt8]()) { $0[$1.0] = $1.1 }
    }
    #expect((0..<20).allSatisfy { shades[$0] == UInt8(20 + 10 * $0) })
  }

  /// A frame more or less at the end is usual; the frame without a picture stays.
  @Test func oneTooFewLeavesAFrameWithoutPicture() throws {
    let made = try MadeRecording(frames: 6)
    try video(5, at: made.path + "/rgb.mkv")
    let recording = try made.open()
    #expect(recording.scenes[0].frameCount == 6 && recording.scenes[0].imageFrames == Array(0..<5))
    #expect(try shade(recording, 4) == 60 && shade(recording, 5) == nil)
  }

  @Test func anotherNumberOfPicturesIsNotGuessedAt() throws {
    let made = try MadeRecording(frames: 12)
    try video(4, at: made.path + "/rgb.mkv")
    let scene = try made.open().scenes[0]
    #expect(scene.frameCount == 12 && scene.colourSize == nil)
    let entry = scene.importRecord?.entries.first { $0.subject == "rgb.mkv" }
    #expect(entry?.step == .dropped && entry?.words.contains("it has 4 pictures") == true)
  }

  /// The first depth maps may have been removed by hand, with the poses that would have counted them.
  @Test func asManyPicturesAsMapsBelongTogetherInOrder() throws {
    let made = try MadeRecording(frames: 20)
    for frame in 0..<10 {
      try made.remove(MadeRecording.depthName(frame))
      try made.remove(MadeRecording.confidenceName(frame))
    }
    try video(10, at: made.path + "/rgb.mkv", from: 3)
    #expect(try shade(try made.open(), 0) == 50)
  }

  @Test func aDamagedVideoCostsThePicturesOnly() throws {
    let made = try MadeRecording()
    try made.write([UInt8](repeating: 7, count: 4000), to: "rgb.mp4")
    let scene = try made.open().scenes[0]
    #expect(scene.frameCount == 4 && scene.colourSize == nil)
    #expect(scene.importRecord?.entries.contains { $0.step == .dropped && $0.subject == "rgb.mp4" } == true)
  }

  @Test func picturesCanBeLeftOut() throws {
    let made = try MadeRecording()
    try video(4, at: made.path + "/rgb.mkv")
    var options = ImportOptions()
    options.leavesPicturesOut = true
    #expect(try made.open(options).scenes[0].colourSize == nil)
  }
}

@Suite struct VideoToolTests {
  @Test func withoutFFmpegThereAreNoTools() {
    #expect(VideoTools(along: "/nonexistent") == nil && VideoTools(along: "") == nil)
  }
}
