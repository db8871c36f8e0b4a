import DepthCore
import Foundation
import FathomPictureFiles
import FathomStorage
import FathomTestSupport
import Testing

/// What becomes of a video whose decoder is ended; the decoder is a script.
@Suite("video reader")
struct VideoReaderTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try put("ffprobe", "echo '{\"streams\":[{\"width\":2,\"height\":1,\"nb_read_packets\":\"3\"}]}'")
  }

  private func put(_ name: String, _ lines: String) throws {
    try folder.put("#!/bin/sh\n\(lines)\n", name)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path(name))
  }

  /// Lines that end a script by a signal, as often as is said.
  private func ended(by signal: String, times: Int, _ name: String) -> String {
    let list = "\(folder.path(name))-ends"
    return
      "touch \(list); if [ $(wc -l < \(list)) -lt \(times) ]; then echo >> \(list); kill -\(signal) $$; fi"
  }

  private static let isVersion = "[ \"$1\" = -version ] && exit 0"
  /// Three pictures of two pixels.
  private static let pictures = "printf aaaaaabbbbbb; %; printf cccccc"

  private func reader() throws -> VideoReader {
    let tools = try #require(VideoTools(along: folder.url.path))
    return try VideoReader(folder.path("video.mkv"), with: tools)
  }

  private func decoder(_ end: String) throws {
    try put("ffmpeg", Self.isVersion + "\n" + Self.pictures.replacing("%", with: end))
  }

  private func last(_ reader: VideoReader) throws -> UInt8? { try reader.frame(2).values.last?.blue }

  @Test("a decoder that the system kills is started again", arguments: ["KILL", "TERM", "HUP"])
  func killedOnce(_ signal: String) throws {
    try decoder(ended(by: signal, times: 1, "decoder"))
    #expect(try last(reader()) == UInt8(ascii: "c"))
  }

  @Test("one that it kills twice is the machine's fault, in words that say so")
  func killedTwice() throws {
    try decoder(ended(by: "KILL", times: 2, "decoder"))
    let reader = try reader()
    let error = #expect(throws: PictureFault.self) { try last(reader) }
    #expect(error?.reason == "the process that reads it was killed by the system (out of memory?)")
    #expect(error?.kind == .noRoom)
    // Asked again, it is tried again.
    #expect(try last(reader) == UInt8(ascii: "c"))
  }

  @Test(
    "one that crashes, or ends too early, is the video's fault",
    arguments: ["kill -SEGV $$", "exit 0", "exit 1"])
  func ownFault(_ end: String) throws {
    try decoder(end)
    let reader = try reader()
    let error = #expect(throws: PictureFault.self) { try last(reader) }
    #expect(error?.reason == "ffmpeg decodes 2 pictures of it, and the file declares 3")
    #expect(error?.kind == .badData)
  }

  @Test("a look into a video that the system ends is taken again")
  func lookAgain() throws {
    let answer = try String(contentsOfFile: folder.path("ffprobe"), encoding: .utf8)
      .split(separator: "\n").dropFirst().joined()
    try decoder(":")
    try put("ffprobe", ended(by: "KILL", times: 1, "probe") + "\n" + answer)
    #expect(try last(reader()) == UInt8(ascii: "c"))
    try put("ffprobe", "kill -KILL $$")
    let error = #expect(throws: PictureFault.self) { try reader() }
    #expect(error?.reason == "the process that reads it was killed by the system (out of memory?)")
    #expect(error?.kind == .noRoom)
  }
}
