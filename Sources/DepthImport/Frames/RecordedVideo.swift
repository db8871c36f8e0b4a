internal import DepthCore
internal import DepthDataset
internal import FathomMapFiles
internal import FathomPictureFiles
internal import FathomStorage

struct RecordedVideo: Sendable {
  /// Name of its file in the folder of the frames.
  let name: String
  /// Where that folder lies in the recording: "", "kitchen/".
  let place: String
  private let reader: VideoReader?

  /// - Parameter reader: nil where another process reads it.
  init(name: String, place: String, _ reader: VideoReader?) {
    (self.name, self.place, self.reader) = (name, place, reader)
  }

  /// - Parameter number: In the order of decoding, from 0.
  /// - Returns: nil where another process reads it.
  func frame(_ number: Int) throws(PictureFault) -> Raster<RGB>? { try reader?.frame(number) }
}

/// Who looks into the videos of a recording: that takes ffmpeg, and a process that reads other people's files may start none.
enum VideoAccess: Sendable {
  /// This process.
  case here
  /// The one that asked this one: what it found, by the names of the files in the recording.
  case byCaller([String: VideoFinding])
}

/// What ffmpeg says of a video.
enum VideoFinding: Sendable, Codable {
  case noTools, unreadable(reason: String, kind: FathomError.Kind), pictures(size: RasterSize, count: Int)

  /// Asks it.
  /// - Parameter executable: Through which ffmpeg is started so that it can do little else; nil for nothing.
  static func looking(at path: String, through executable: String?) -> (VideoFinding, VideoReader?) {
    guard let tools = VideoTools(launcher: executable.map(VideoProcess.launcher))
    else { return (.noTools, nil) }
    do throws(PictureFault) {
      let reader = try VideoReader(path, with: tools)
      return (.pictures(size: reader.size, count: reader.frameCount), reader)
    } catch { return (.unreadable(reason: error.reason, kind: error.kind), nil) }
  }
}

extension FramePlanner {
  /// Recorders stop the video a frame or two before or after the depth.
  private static let mostApart = 2

  /// Gives frames the pictures of the recording's video, by the order in which they are decoded.
  /// - Returns: Their size and the video; nil where there is none, it cannot be read, or its frames are not those of the recording,
  ///   which is recorded.
  mutating func matchVideo(_ candidates: inout [Candidate]) throws(FathomError) -> (
    RasterSize?, RecordedVideo?
  ) {
    guard !options.leavesPicturesOut, !mapping.colour.video.isEmpty else { return (nil, nil) }
    guard let name = folder.files(mapping.colour.video).first?.name else {
      record.add(.absent, "pictures", "there are no files of them")
      return (nil, nil)
    }
    let (finding, reader): (VideoFinding, VideoReader?)
    switch videos {
    case .here:
      (finding, reader) = VideoFinding.looking(at: folder.path(of: name), through: ReaderProcess.executable)
    case .byCaller(let found):
      guard let own = found[place + name] else {
        wantedVideo = place + name
        return (nil, nil)
      }
      (finding, reader) = (own, nil)
    }
    let (size, pictureCount): (RasterSize, Int)
    switch finding {
    case .noTools:
      record.add(
        .absent, "pictures", "\(name) is not read: that takes ffmpeg, which is not installed (Debian: ffmpeg)"
      )
      return (nil, nil)
    case .unreadable(let reason, let kind):
      record.add(.dropped, name, "\(reason); the frames stay without pictures", kind: kind)
      return (nil, nil)
    case .pictures(let found, let count): (size, pictureCount) = (found, count)
    }
    guard let numbers = videoFrames(of: candidates, pictureCount) else {
      record.add(
        .dropped, name,
        "it has \(pictureCount) pictures, and neither the recording's numbers nor its \(depthFiles.count) depth files fit them within \(Self.mostApart); the frames stay without pictures"
      )
      return (nil, nil)
    }
    var count = 0
    for (index, number) in zip(candidates.indices, numbers) {
      let file = FrameFault.name(ofVideoFrame: number, name)
      guard (0..<pictureCount).contains(number) else { continue }
      if let fault = faults[file] {
        record.add(
          .dropped, file, "\(fault.reason); the frame stays without a picture", kind: fault.kind)
        continue
      }
      candidates[index].plan.videoFrame = number
      count += 1
    }
    guard count > 0 else {
      record.add(.absent, "pictures", "\(name) has none of these frames")
      return (nil, nil)
    }
    reader?.expect(candidates.compactMap(\.plan.videoFrame))
    record.add(
      .declared, "pictures",
      "\(size), from \(name)"
        + (count < candidates.count ? ", of \(count) of \(candidates.count) frames" : ""))
    return (size, RecordedVideo(name: name, place: place, reader))
  }

  /// The picture of each frame: by its number where the video has as many pictures as frames were numbered, else by its position
  /// where it has as many as there are depth files. nil where neither fits.
  private mutating func videoFrames(of candidates: [Candidate], _ count: Int) -> [Int]? {
    let all = depthFiles.compactMap { FrameKey.number($0.capture) }
    // The poses tell how many frames there were where the last maps are missing.
    let numbered = [all.max().map { $0 + 1 }, numberedPoses].compactMap(\.self)
    if all.count == depthFiles.count, numbered.contains(where: { abs(count - $0) <= Self.mostApart }) {
      let first = all.min() == 1 && all.max() == count ? 1 : 0
      record.add(
        .assumed, "pictures",
        "the video's picture n, in the order of decoding and from \(first), belongs to the frame of number n")
      return candidates.map { candidate in
        if case .number(let number) = candidate.key { return number - first }
        return -1
      }
    }
    guard abs(count - depthFiles.count) <= Self.mostApart else { return nil }
    func number(_ file: (name: String, capture: String)) -> Int { FrameKey.number(file.capture) ?? 0 }
    let ordered = all.count == depthFiles.count ? depthFiles.sorted { number($0) < number($1) } : depthFiles
    let places = Dictionary(ordered.enumerated().map { ($1.name, $0) }) { first, _ in first }
    record.add(
      .assumed, "pictures",
      "the video's pictures, in the order of decoding, belong to the depth files in their order")
    return candidates.map { places[$0.plan.depth] ?? -1 }
  }

  /// How many frames the table of poses counts; nil where there is no such table.
  private var numberedPoses: Int? {
    guard let source = mapping.poses, let file = source.file, let path = folder.file(file),
      let table = try? NamedNumbers(at: path).requireTable(),
      let track = try? PoseTrack(table, source, matchesByTime: false)
    else { return nil }
    return track.entries.compactMap(\.frame).max().map { $0 + 1 } ?? track.entries.count
  }
}
