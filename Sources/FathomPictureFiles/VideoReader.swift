internal import CFathomSandbox
public import DepthCore
import Foundation
import Glibc
internal import FathomPlainText
internal import FathomStorage
import Synchronization

/// The pictures of a video, decoded by ffmpeg in a process of its own, in the order in which they come out of it. Times are not asked:
/// phones write them with offsets and gaps.
///
/// Reading goes forward; whoever asks for a picture before those that are still kept waits until everything was decoded again.
public final class VideoReader: Sendable {
  public let size: RasterSize
  /// Pictures that the file declares.
  public let frameCount: Int
  private let path: String
  private let tools: VideoTools
  /// Pictures that are asked for, ascending: others are decoded and dropped.
  private let state: Mutex<State>
  /// Pictures that wait for whoever works on another one.
  private let mostKept = max(8, 2 * ProcessInfo.processInfo.activeProcessorCount)

  private struct State {
    var decoder: FrameProcess?
    /// The picture that the decoder gives next.
    var next = 0
    var kept: [(number: Int, picture: Raster<RGB>)] = []
    var wanted: Set<Int>?
  }

  /// - Throws: `PictureFault` where the file is not a video that ffmpeg knows.
  public init(_ path: String, with tools: VideoTools) throws(PictureFault) {
    (self.path, self.tools) = (path, tools)
    (size, frameCount) = try tools.probe(path)
    state = Mutex(State())
  }

  /// Says which pictures will be asked for, so that only they are kept.
  public func expect(_ frames: some Sequence<Int>) {
    state.withLock { $0.wanted = Set(frames) }
  }

  /// A picture. On any thread.
  ///
  /// - Throws: `PictureFault` where ffmpeg cannot decode it, or one before it, or was killed twice.
  public func frame(_ number: Int) throws(PictureFault) -> Raster<RGB> {
    let result: Result<Raster<RGB>, PictureFault> = state.withLock { state in
      Result { () throws(PictureFault) in try frame(number, &state) }
    }
    return try result.get()
  }

  private func frame(_ number: Int, _ state: inout State) throws(PictureFault) -> Raster<RGB> {
    if let kept = state.kept.first(where: { $0.number == number }) { return kept.picture }
    if state.decoder == nil || number < state.next {
      try begin(&state)
    }
    var mayStartAgain = true
    while let decoder = state.decoder {
      let isWanted = state.next == number || state.wanted?.contains(state.next) ?? false
      let bytes: [UInt8]?
      do throws(SystemFault) { bytes = try decoder.next() } catch {
        state.decoder = nil
        guard mayStartAgain else { throw PictureFault(error) }
        mayStartAgain = false
        try begin(&state)
        continue
      }
      guard let bytes else {
        throw PictureFault("ffmpeg decodes \(state.next) pictures of it, and the file declares \(frameCount)")
      }
      if isWanted {
        state.kept.append((state.next, picture(bytes)))
        if state.kept.count > mostKept { state.kept.removeFirst() }
      }
      state.next += 1
      if state.next > number, let last = state.kept.last { return last.picture }
    }
    throw PictureFault("ffmpeg cannot be started")
  }

  private func begin(_ state: inout State) throws(PictureFault) {
    state.decoder = nil
    (state.decoder, state.next) = (try FrameProcess(tools.decoding(path), byteCount: 3 * size.count), 0)
  }

  private func picture(_ bytes: [UInt8]) -> Raster<RGB> {
    Raster(
      width: size.width, height: size.height,
      values: [RGB](unsafeUninitializedCapacity: size.count) { pixels, count in
        for index in 0..<size.count {
          pixels.initializeElement(
            at: index, to: RGB(red: bytes[3 * index], green: bytes[3 * index + 1], blue: bytes[3 * index + 2])
          )
        }
        count = size.count
      })
  }
}

/// ffmpeg and ffprobe, where they are installed.
public struct VideoTools: Sendable {
  private let ffmpeg: String, ffprobe: String
  /// How this version is told to give every picture once, whatever its time.
  private let everyFrame: [String]
  private let launcher: Launcher?

  /// Makes the words that start another program, which becomes the one of the first words when it has taken from itself what reading
  /// the file of that path does not need.
  public typealias Launcher = @Sendable (_ words: [String], _ file: String) -> [String]

  /// Looks along a list of folders, that of the variable PATH unless another is given; nil where one of them is not there.
  ///
  /// - Parameter launcher: Through what they are started on videos; nil for nothing.
  public init?(along list: String? = nil, launcher: Launcher? = nil) {
    self.launcher = launcher
    let list = list ?? ProcessInfo.processInfo.environment["PATH"] ?? ""
    guard let ffmpeg = Self.found("ffmpeg", list), let ffprobe = Self.found("ffprobe", list) else {
      return nil
    }
    (self.ffmpeg, self.ffprobe) = (ffmpeg, ffprobe)
    // "ffmpeg version 5.1.9-0+deb12u1 Copyright …"; builds between versions say "N-…" and are newer.
    let first =
      (try? FrameProcess.output([ffmpeg, "-version"])).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let number =
      first.split(separator: " ").dropFirst(2).first?.split(separator: ".").prefix(2)
      .map { Int($0.prefix(while: \.isNumber)) ?? 0 } ?? []
    let isOld = number.count == 2 && number[0] > 0 && (number[0], number[1]) < (5, 1)
    everyFrame = isOld ? ["-vsync", "passthrough"] : ["-fps_mode", "passthrough"]
  }

  private static func found(_ name: String, _ list: String) -> String? {
    list.split(separator: ":").map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// What is said of a file before its pictures are asked for.
  ///
  /// Local files only, whatever a play list in it says. QuickTime's edit lists hide pictures that were recorded before the session
  /// began; a depth map belongs to those, too.
  private func input(_ path: String) -> [String] {
    let name = path.lowercased()
    let isQuickTime = [".mp4", ".mov", ".m4v"].contains { name.hasSuffix($0) }
    return ["-protocol_whitelist", "file,pipe"] + (isQuickTime ? ["-ignore_editlist", "1"] : [])
      + ["-i", "file:" + path]
  }

  /// Size, and number of packets: one a picture.
  func probe(_ path: String) throws(PictureFault) -> (RasterSize, Int) {
    struct Report: Decodable {
      struct Stream: Decodable {
        var width: Int?, height: Int?, packets: String?

        enum CodingKeys: String, CodingKey {
          case width, height
          case packets = "nb_read_packets"
        }
      }
      var streams: [Stream]?
    }
    let words =
      [ffprobe, "-v", "error", "-select_streams", "v:0", "-count_packets"]
      + ["-show_entries", "stream=width,height,nb_read_packets", "-of", "json"] + input(path)
    let output = try FrameProcess.output(started(words, path))
    guard let stream = (try? JSONDecoder().decode(Report.self, from: Data(output)))?.streams?.first,
      let width = stream.width, let height = stream.height, let count = stream.packets.flatMap({ Int($0) }),
      (1...16_384).contains(width), (1...16_384).contains(height), width * height <= PNGReader.mostPixels,
      count > 0
    else { throw PictureFault("ffmpeg finds no pictures in it: it is damaged, cut short or no video") }
    return (RasterSize(width: width, height: height), count)
  }

  /// Pixels go to standard output. The first error ends it: what came behind would be counted wrongly.
  func decoding(_ path: String) -> [String] {
    let words =
      [ffmpeg, "-nostdin", "-v", "error", "-xerror", "-err_detect", "explode", "-noautorotate"] + input(path)
      + ["-map", "0:v:0", "-vf", "scale=flags=bitexact+accurate_rnd+full_chroma_int,format=rgb24"]
      + everyFrame
    return started(words + ["-f", "rawvideo", "pipe:1"], path)
  }

  private func started(_ words: [String], _ path: String) -> [String] { launcher?(words, path) ?? words }
}

/// A program whose standard output is read in pieces of one size.
private final class FrameProcess: @unchecked Sendable {
  // `Process` and `FileHandle` are not Sendable: this lies behind the lock of `VideoReader`, or does not leave a function.
  private let process = Process()
  private let output: FileHandle
  private let byteCount: Int

  /// - Throws: `PictureFault` where it cannot be started.
  init(_ words: [String], byteCount: Int) throws(PictureFault) {
    self.byteCount = byteCount
    let pipe = Pipe()
    output = pipe.fileHandleForReading
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardOutput = pipe
    do { try process.run() } catch {
      let cause = SystemFault(starting: error)
      throw PictureFault(cause, "\(words[0]) cannot be started: \(cause.words)")
    }
  }

  deinit {
    try? output.close()
    // It has nothing to tidy up, and may block the milder signals.
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// One picture is never worth more; the processor time of all has a limit of its own.
  private static let limits = ProcessWait.Limits(most: 1800)

  /// - Returns: nil where there are no more.
  /// - Throws: Where the system ended it, or did not let it work: the video may be as good as any.
  func next() throws(SystemFault) -> [UInt8]? {
    let bytes = try read(byteCount)
    return bytes.count == byteCount ? bytes : nil
  }

  /// - Returns: Fewer than `most` bytes where it ends before.
  private func read(_ most: Int) throws(SystemFault) -> [UInt8] {
    let descriptor = output.fileDescriptor
    var wait = ProcessWait(for: process.processIdentifier, Self.limits)
    var isLate = false
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      count = 0
      while count < most, let start = buffer.baseAddress {
        guard wait.untilReadable(descriptor) else {
          isLate = true
          return
        }
        let step = Glibc.read(descriptor, start + count, most - count)
        if step < 0 && errno == EINTR { continue }
        guard step > 0 else { return }
        count += step
      }
    }
    if isLate { throw .processStalls }
    if bytes.count < most, wasKilled { throw .processWasKilled }
    return bytes
  }

  /// Whether it closed its output because it was ended from outside.
  private var wasKilled: Bool {
    for _ in 0..<500 where process.isRunning { usleep(10_000) }
    return !process.isRunning && process.terminationReason == .uncaughtSignal
      && fathom_ends_itself_by(process.terminationStatus) == 0
  }

  /// All that a program prints, up to a mebibyte.
  static func output(_ words: [String], mayTryAgain: Bool = true) throws(PictureFault) -> [UInt8] {
    let process = try FrameProcess(words, byteCount: 0)
    do throws(SystemFault) { return try process.read(1 << 20) } catch {
      guard mayTryAgain else { throw PictureFault(error) }
    }
    return try output(words, mayTryAgain: false)
  }
}
