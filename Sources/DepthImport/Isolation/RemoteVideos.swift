internal import DepthCore
internal import DepthDataset
internal import FathomPictureFiles
internal import FathomStorage
private import Synchronization

/// Which pictures of a video belong to the frames of a scene.
struct SceneVideo: Sendable, Codable {
  /// Name of the file in the recording.
  var file: String
  /// What it is called in the scene's own folder.
  var name: String
  /// In the order of decoding; nil for a frame without a picture.
  var frames: [Int?]
  /// Applied to every picture.
  var turn: ImageTurn?
}

/// The videos of a recording that another process reads. That process may start no other, so ffmpeg is started here: it, too, is a
/// process of its own, and only pixels of a size that is known come out of it.
final class RemoteVideos: Sendable {
  private let request: RecordingRequest
  /// Where the files of an archive lie.
  private let unpacked: String?
  private let executable: String
  private let state = Mutex(State())

  private struct State: Sendable {
    var findings: [String: VideoFinding] = [:], readers: [String: VideoReader] = [:]
  }

  init(_ request: RecordingRequest, unpacked: String?, executable: String) {
    (self.request, self.unpacked, self.executable) = (request, unpacked, executable)
  }

  /// What is known so far, by the names of the files in the recording.
  var findings: [String: VideoFinding] { state.withLock { $0.findings } }

  /// Looks into more of them.
  /// - Returns: Whether there was anything that was not known.
  /// - Throws: `FathomError` where one of them is not a file of the recording.
  func look(at names: [String]) throws(FathomError) -> Bool {
    let new = names.filter { findings[$0] == nil }
    guard !new.isEmpty else { return false }
    let folder = try RecordingFolder(
      request.path, unpacked: unpacked, external: request.options.external)
    let files = Set(folder.names)
    for name in new {
      guard files.contains(name) else {
        throw FathomError(
          .badData, attempted: "read the recording", file: request.path, object: name,
          reason: "there is no such video", advice: "run again when nothing writes the recording")
      }
      let (finding, reader) = VideoFinding.looking(at: folder.path(of: name), through: executable)
      state.withLock { ($0.findings[name], $0.readers[name]) = (finding, reader) }
    }
    return true
  }

  /// Whether a scene can have such pictures.
  func allows(_ video: SceneVideo, of scene: SceneHeader) -> Bool {
    guard case .pictures(let size, let count) = findings[video.file] else { return false }
    return video.frames.count == scene.frameCount
      && video.frames.allSatisfy { $0.map((0..<count).contains) ?? true }
      && scene.colourSize == video.turn.map { size.turned($0) } ?? size
  }

  /// Says which pictures will be asked for.
  func expect(_ videos: [SceneVideo]) {
    for video in videos {
      state.withLock { $0.readers[video.file] }?.expect(
        videos.filter { $0.file == video.file }.flatMap(\.frames).compactMap(\.self))
    }
  }

  /// The picture of a frame; nil where it has none.
  /// - Throws: `FrameFault` where it cannot be decoded.
  func picture(_ index: Int, of video: SceneVideo) throws(FrameFault) -> Raster<RGB>? {
    guard video.frames.indices.contains(index), let number = video.frames[index],
      let reader = state.withLock({ $0.readers[video.file] })
    else { return nil }
    do throws(PictureFault) {
      let picture = try reader.frame(number)
      return video.turn.map { picture.turned($0) } ?? picture
    } catch {
      throw FrameFault(
        file: FrameFault.name(ofVideoFrame: number, video.name), reason: error.reason, kind: error.kind,
        isOfPicture: true)
    }
  }
}
