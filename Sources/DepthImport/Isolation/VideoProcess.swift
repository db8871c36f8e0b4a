internal import CFathomSandbox
internal import DepthDataset
private import Foundation
internal import FathomPictureFiles

/// The process that becomes ffmpeg: videos are other people's, too. It takes from itself what ffmpeg does not need, and then hands over.
public enum VideoProcess {
  /// The subcommand that makes an executable such a process.
  public static let subcommand = "__video"

  private struct Start: Codable {
    /// ffmpeg or ffprobe, and its arguments.
    var words: [String]
    var file: String
    var needsAllLayers = ReaderLayers.areRequired
  }

  /// Bytes of memory that ffmpeg may take.
  private static let memory: UInt = 2 << 30
  /// Seconds of the processor that it may take: an hour of video takes a while to decode, but not days.
  private static func patience(_ byteCount: Int) -> UInt { 600 + UInt(max(0, byteCount)) / 16_000 }

  /// Goes through a program that calls ``serveIfAsked()``.
  static func launcher(_ executable: String) -> VideoTools.Launcher {
    { words, file in
      let start = Start(words: words, file: ImportOptions.absolute(file))
      let text = (try? JSONEncoder().encode(start)).map { String(decoding: $0, as: UTF8.self) }
      return [executable, subcommand, text ?? ""]
    }
  }

  /// Whether the process was started to become ffmpeg; does not return then. To be called before anything else is done.
  public static func serveIfAsked() {
    guard let start: Start = ReaderService.options(of: subcommand) else { return }
    var status = stat()
    let seconds = patience(stat(start.file, &status) == 0 ? Int(status.st_size) : 0)
    var words: [UnsafeMutablePointer<CChar>?] = start.words.map { strdup($0) } + [nil]
    guard let tool = words[0] else { _exit(64) }
    let layers = fathom_tool_confine(tool, start.file, memory, seconds)
    guard ReaderLayers.refusal(layers, start.needsAllLayers, "video", start.file) == nil else { _exit(127) }
    execv(tool, &words)
    _exit(127)
  }
}
